"""The console: LINE's platform played in a browser page, for development and tests. It plays LINE, not the
bot.

app.py registers its blueprint, with the page at /console/, when LINE_API_URL leads there
(`Settings.console`): the default without a LINE channel. The bot then uses the channel secret and access
token of `bot.demo_chat`, where the demo group and its members are too. The server must be one process that
serves requests in threads, because the console calls the bot's webhook and the bot calls the console
meanwhile. The secrets are public, so the console answers only to this machine
(`create_console(local_only=False)` for a phone on the same network).

In a test, with the real bot in one werkzeug server (`make_server(..., threaded=True)`), `create_console` and
`line_api_url` from `bot.console.blueprint`, `Platform` from `bot.console.platform`, and the bot's
LINE_API_URL set to `line_api_url("http://127.0.0.1:PORT")`:

    platform = Platform("http://127.0.0.1:PORT/callback")
    app.register_blueprint(create_console(platform))
    user = DEMO_USERS[0].id
    tapped = platform.tap(DEMO_GROUP, user, (
        "request_rating"
    ))  # in the 1:1 chat: platform.tap(user, user, ...)
    tapped.status                                                 # the webhook's HTTP status
    messages = platform.answers(tapped)                           # waits for the reply; raises NoAnswer
    platform.say(DEMO_GROUP, user, "@雀録 メニュー")               # a mention
    platform.redeliver(tapped)
    platform.fail_next("/v2/bot/message/reply", status=429)       # also slow_next(path, seconds)
    platform.refused()                                            # what LINE would have refused
    platform.calls("/v2/bot/richmenu")                            # every call the bot made

With the demo league the page also plays an evening (`bot.console.evening`): a stand-in for the league's own
room at Tenhou, at /console/tenhou, tells its games as they go, and the bot asks it with its own room client.

Everything a bot sends is checked by LINE's rules (https://developers.line.biz/en/reference/messaging-api/);
the checks are pure functions in `bot.console.checks`.
"""
