"""A game at a table (卓): its result as members type it, and its line in the season log."""
