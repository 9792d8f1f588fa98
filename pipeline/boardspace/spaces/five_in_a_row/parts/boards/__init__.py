"""Boards, each searched by itself or, where that is too hard, in parts."""
