"""The pages: each reads the store and draws."""
