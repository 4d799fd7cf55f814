"""What measures speed; nothing here is asserted in a test."""
