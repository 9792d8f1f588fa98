"""Rush Hour: all boards of small squares, class by class."""
