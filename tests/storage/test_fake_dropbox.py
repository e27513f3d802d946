import json
import os
import subprocess
import sys
from typing import Any

import pytest
import requests
from dropbox import Dropbox, files
from dropbox.content_hash import content_hash

from tests.fakes.dropbox import FakeDropbox


def post(fake: FakeDropbox, route: str, *, host: str = "API", **changes: Any) -> requests.Response:
    headers = {"Authorization": f"Bearer {fake.access_token}", "Content-Type": "application/json"}
    headers |= changes.pop("headers", {})
    headers = {name: value for name, value in headers.items() if value is not None}
    name = {"API": "DROPBOX_API_HOST", "CONTENT": "DROPBOX_API_CONTENT_HOST"}[host]
    return requests.post(f"https://{fake.env()[name]}/2/{route}", headers=headers, timeout=10, **changes)


LIST = json.dumps({"path": ""})


@pytest.mark.parametrize(
    ("route", "changes", "status", "says"),
    [
        ("files/list_folder", {"data": LIST}, 200, "cursor"),
        ("files/list_folder", {"data": LIST, "headers": {"Authorization": None}}, 400, "Authorization"),
        ("files/list_folder", {"data": LIST, "headers": {"Authorization": "Basic x"}}, 400, "Authorization"),
        (
            "files/list_folder", {"data": LIST, "headers": {"Authorization": "Bearer x"}}, 401,
            "invalid_access_token",
        ),
        ("files/list_folder", {"data": LIST, "headers": {"Content-Type": "text/plain"}}, 400, "Content-Type"),
        ("files/list_folder", {"data": LIST, "host": "CONTENT"}, 400, "not on this host"),
        ("files/list_folder", {"data": "{"}, 400, "JSON"),
        ("files/list_folder", {"data": "{}"}, 400, "path"),
        ("files/list_folder", {"data": '{"path": "/"}'}, 400, "path"),
        ("files/list_folder", {"data": '{"path": "logs"}'}, 400, "pattern"),
        ("files/list_folder", {"data": '{"path": "", "new": 1}'}, 400, "new"),
        ("files/list_folder", {"data": '{"path": "", "limit": 0}'}, 400, "limit"),
        ("files/list_folder/continue", {"data": '{"cursor": "x"}'}, 400, "cursor"),
        ("files/get_metadata", {"data": '{"path": "/x"}'}, 409, "not_found"),
        ("files/nonsense", {"data": "{}"}, 400, "Unknown API function"),
        (
            "files/download", {"host": "CONTENT", "data": b"x", "headers": {"Content-Type": None}}, 400,
            "empty",
        ),
        ("files/download", {"host": "CONTENT", "headers": {"Content-Type": None}}, 400, "Dropbox-API-Arg"),
    ],
)  # fmt: skip
def test_a_request_is_checked(
    dropbox: FakeDropbox, route: str, changes: dict[str, Any], status: int, says: str
) -> None:
    answer = post(dropbox, route, **changes)
    assert answer.status_code == status
    assert says in answer.text


def test_an_upload_whose_hash_differs_is_refused(dropbox: FakeDropbox) -> None:
    arg = {"path": "/a", "content_hash": content_hash(b"other")}
    headers = {"Content-Type": "application/octet-stream", "Dropbox-API-Arg": json.dumps(arg)}
    answer = post(dropbox, "files/upload", host="CONTENT", data=b"1", headers=headers)
    assert (answer.status_code, "content_hash_mismatch" in answer.text) == (409, True)
    assert dropbox.account.paths() == []


def test_the_sdk_itself_is_content(dropbox: FakeDropbox) -> None:
    with Dropbox(dropbox.access_token) as sdk:
        assert sdk.check_user("雀").result == "雀"
        assert sdk.users_get_current_account().name.display_name == "雀録"
        cursor = sdk.files_list_folder_get_latest_cursor("").cursor
        sdk.files_upload("雀".encode(), "/雀/a.txt", mode=files.WriteMode.add)
        assert [entry.name for entry in sdk.files_list_folder_continue(cursor).entries] == ["雀"]
        assert sdk.files_get_metadata("/雀/A.TXT").path_display == "/雀/a.txt"


def test_a_child_process_reaches_it_by_the_environment(dropbox: FakeDropbox) -> None:
    dropbox.account.put("/logs/logvol1.txt", b"1")
    code = (
        "import os; from storage.stores import open_logs;"
        "print(open_logs('dropbox:/logs', os.environ).read('logvol1.txt').data)"
    )
    for env in (dropbox.env(), dropbox.env(token=True)):
        done = subprocess.run(
            [sys.executable, "-c", code], env=os.environ | env, capture_output=True, text=True, check=True
        )
        assert done.stdout.strip() == "b'1'"
    assert dropbox.calls == {"oauth2/token": 1, "files/download": 2}
