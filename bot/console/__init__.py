"""The console: LINE's platform played in a browser page, for development and tests. It plays LINE,
not the bot, and as much of it as the bot uses.

app.py registers its blueprint, with the page at /console/, when LINE_API_URL leads there
(`Settings.console`): the default without a LINE channel. The bot then uses the channel secret and
access token of `bot.demo_chat`, where the demo group and its members are too. The server must be
one process that serves requests in threads, because the console calls the bot's webhook and the bot
calls the console meanwhile. The secrets are public, so the console answers only to this machine.

`platform` is LINE in memory and what it sends; `page` serves the page and answers the bot; `checks`
refuses what LINE would; `evening` plays an evening of the demo league, with a room at Tenhou. Tests
drive the platform by `tests.fakes.platform`.
"""
