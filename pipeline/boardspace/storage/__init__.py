"""The only code that opens files for writing."""
