from urllib.parse import unquote

from hypothesis import given, strategies as st

from storage.addresses import attachment, checked_key, file_name, key_part

CHARACTERS = st.characters(exclude_categories=["Cs"])


@given(st.text(CHARACTERS, min_size=1, max_size=60))
def test_a_name_comes_back_from_its_key(name: str) -> None:
    key = checked_key(f"export/abc/{key_part(name)}")
    assert file_name(key) == name
    header = attachment(name)
    header.encode("ascii")
    _, _, coded = header.partition("filename*=UTF-8''")
    if coded:
        assert unquote(coded) == name
    else:
        assert header == f"attachment; filename={name}"
    assert not set(header) & set("\r\n")


def test_names_as_they_are_sent() -> None:
    assert key_part("logvol1.txt") == "logvol1.txt"
    assert attachment("logvol1.txt") == "attachment; filename=logvol1.txt"
    coded = "attachment; filename=\"file.csv\"; filename*=UTF-8''%E6%9D%AF.csv"
    assert attachment("杯.csv") == coded
    assert file_name("export/u8-not base64") == "u8-not base64"
