"""Files of the public database, byte for byte: ``main`` with all layouts, ``solutions`` and ``farthest`` of a class."""
