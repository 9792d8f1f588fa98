"""Properties have no deadline here: the first example may have to wait for a kernel to be compiled."""

from hypothesis import settings

settings.register_profile("compiled", deadline=None)
settings.load_profile("compiled")
