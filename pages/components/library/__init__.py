"""The library's parts."""
