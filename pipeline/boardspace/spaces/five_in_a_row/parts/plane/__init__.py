"""The whole plane."""
