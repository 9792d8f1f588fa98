"""Complete spaces of board problems, enumerated shard by shard and published as datasets that can be checked.

Below this name lie :mod:`boardspace.kernels` (the mathematics) and :mod:`boardspace.pipeline` (everything else). In a
checkout the two are links to the folders ``kernels/`` and ``pipeline/``, in a wheel they are the folders themselves.
"""
