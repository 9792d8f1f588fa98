"""Timings: what each kernel and each whole job costs on this machine, and ratios between ways to do the same thing."""
