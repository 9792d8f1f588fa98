"""Klotski (Huarong Dao): codes, ranks, groups, steps and distances of all layouts of the 4 x 5 board."""
