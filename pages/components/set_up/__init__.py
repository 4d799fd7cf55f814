"""Set up, section by section."""
