"""Number of cores of this machine, on Linux and macOS alike."""


def cpus() -> int:
    """How many CPUs this process may use, as Dask counts them: affinity and the limits of control groups included."""
    from dask.system import CPU_COUNT  # takes a tenth of a second to import

    return int(CPU_COUNT)
