#!/bin/sh
# The flask command of a checkout's own environment; `make` copies it to .venv/bin/flask. It takes the Python
# in its own folder, so that a checkout that was moved or copied works, and is called from any folder.
here=$(dirname -- "$(realpath -- "$0")")
export PYTHONPATH="$here/../..${PYTHONPATH:+:$PYTHONPATH}"
exec "$here/python" -m bot.cli.version "$@"
