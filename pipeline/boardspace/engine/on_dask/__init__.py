"""Runs on clusters of Dask; the only modules that know it."""
