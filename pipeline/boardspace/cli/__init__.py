"""The command line: commands, what they print, and drawings."""
