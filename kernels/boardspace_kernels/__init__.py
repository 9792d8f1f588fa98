"""Pure computation: NumPy arrays in, NumPy arrays out, numba inside. No files, no Dask, no clock, no printing."""
