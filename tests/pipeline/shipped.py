"""The spaces whose published data are forged by tests of all of them."""

SHIPPED = ("board_division", "five_in_a_row", "klotski", "rush_hour", "sliding_blocks", "solitaire")
