"""The net of all layouts: which are one step apart."""
