"""Pure measurements: talk and calls in, records out. Nothing here prints, draws or asks a model for words."""
