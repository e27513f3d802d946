"""The LINE platform in a browser page, for development and tests. It plays LINE, not the bot.

In the service:

    if settings.line_api_is_console:
        app.register_blueprint(create_console())          # the page at /console/

with LINE_API_URL = line_api_url("http://127.0.0.1:5000"), LINE_CHANNEL_SECRET = DEMO_CHANNEL_SECRET and
LINE_CHANNEL_ACCESS_TOKEN = DEMO_ACCESS_TOKEN. The server must serve requests in threads and in one process, since the
console calls the bot's webhook and the bot calls the console while it does. Since its secrets are public, the console
answers to this machine only (`create_console(local_only=False)` for a phone on the same network).

In a test, with the real bot in one werkzeug server (`make_server(..., threaded=True)`):

    platform = Platform("http://127.0.0.1:PORT/callback")
    app.register_blueprint(create_console(platform))
    mika = DEMO_USERS[0].id
    tapped = platform.tap(DEMO_GROUP, mika, "request_rating")      # in the 1:1 chat: platform.tap(mika, mika, ...)
    tapped.status                                                 # what the webhook said
    image, = platform.answers(tapped)                             # waits for the reply; raises NoAnswer
    platform.say(DEMO_GROUP, mika, "@雀録 メニュー")               # a mention
    platform.redeliver(tapped)
    platform.fail_next("/v2/bot/message/reply", status=429)       # also slow_next(path, seconds)
    platform.refused()                                            # what LINE would not have taken
    platform.calls("/v2/bot/richmenu")                            # every call the bot made

Everything a bot sends is checked as strictly as LINE does; `bot.console.checks` has the checks as pure functions.
"""
