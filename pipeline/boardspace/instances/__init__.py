"""Problem instances with proven optima: drawn from a space by strata, split by group, written with a checker."""
