"""Tonight: who is in the room, who comes, and how much the evening counts."""
