"""L-trominoes on 2^k x 2^k boards without one cell: ``rule`` numbers one cell, ``cover`` writes boards and blocks of
them, ``check`` trusts none, ``count`` counts all covers there are by the missing cell, ``total`` all at once.
"""
