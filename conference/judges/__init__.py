"""Who calls agreement. One file a judge; `registry` knows them by name."""
