"""Names of the stages that count games."""

LEVELS = "games.levels"
