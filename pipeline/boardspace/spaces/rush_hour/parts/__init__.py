"""The parts of the space."""
