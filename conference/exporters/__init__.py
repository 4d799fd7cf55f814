"""Runs, written as files people take away."""
