"""Large boards that follow from small ones."""
