"""The farthest layouts of each layout: ``steps`` settles most layouts of a group without a search, ``passes`` search
from 512 at a time, on ``rows`` of bits, ``balls`` chooses and settles, ``lists`` names the farthest ones.
"""
