"""Files people bring, read into transcripts and dialogues."""
