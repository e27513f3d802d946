"""Game records (牌譜): read them, see what each seat saw, measure danger, count what came of it."""
