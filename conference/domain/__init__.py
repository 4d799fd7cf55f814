"""Frozen, strict records: what a conference is made of."""
