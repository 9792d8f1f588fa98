"""The commands of runs, datasets and releases: a module for each, which is loaded when the command is called."""
