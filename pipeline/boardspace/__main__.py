"""Entry point of the ``boardspace`` command and of ``python -m boardspace``, which loads no code of its own but to say
how Ctrl-C ends it meanwhile."""

import signal


def main() -> None:
    """Load the command and run it. Until it is called, which takes a part of a second, Ctrl-C ends the process at once:
    code that is being imported would show where."""
    python_takes_it = signal.getsignal(signal.SIGINT) is signal.default_int_handler  # else it is ignored, as by nohup
    if python_takes_it:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from boardspace.cli.main import main as command  # after the setting above

    command(ctrl_c_raises=python_takes_it)


if __name__ == "__main__":
    main()
