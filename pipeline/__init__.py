"""Everything around the kernels: plans, the engine, storage, verification, the command line."""
