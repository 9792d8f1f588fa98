"""Dividing a chessboard: covers by L-trominoes, and rectangles of pegs reduced to one or two.

>>> from boardspace import board_division
>>> board_division.rectangle(1000, 1000).fewest
1
"""

from boardspace.spaces.board_division.answers import Cover, Rectangle, check_cover, cover, rectangle, replayed

__all__ = ["Cover", "Rectangle", "check_cover", "cover", "rectangle", "replayed"]
