"""Who will win a season (優勝確率), what each member needs, and how much of it is skill."""
