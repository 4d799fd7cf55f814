"""All prompt text, versioned. Nothing outside this package words a prompt."""
