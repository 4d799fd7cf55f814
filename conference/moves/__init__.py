"""What a turn is for, chosen from the log before a word is said. Pure and seeded."""
