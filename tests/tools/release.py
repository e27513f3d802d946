"""`make release`: the notes of the version, its bill of materials (CycloneDX), and a signed-off
tag.

    python -m tests.tools.release [--dry-run] [DIR]

The version is bot/runtime/version.py's, its notes are the CHANGELOG's section with that name. The
bill lists every pinned package of requirements.txt with the hashes that pip checks
(https://cyclonedx.org/docs/1.6/json/).
"""

import json
import re
import subprocess
import sys
import uuid
from pathlib import Path
from typing import Any

from bot.runtime.version import VERSION

ROOT = Path(__file__).parents[2]
_PIN = re.compile(
    r"^([\w.-]+)(?:\[\w+\])?==([\w.]+)[^\n]*\\\n((?:    --hash=sha256:[0-9a-f]{64}[^\n]*\n)+)", re.M
)


def notes(changelog: str, version: str) -> str:
    """The version's section without its heading.

    Raises SystemExit where there is none, or an empty one.
    """
    found = re.search(
        rf"^## {re.escape(version)}\b[^\n]*\n(.*?)(?=^## |\Z)", changelog, re.M | re.S
    )
    text = found[1].strip() if found else ""
    if not text:
        raise SystemExit(
            f'CHANGELOG.md has no section {version}: give "Unreleased" that name and the day'
        )
    return text + "\n"


def bill(requirements: str, version: str) -> dict[str, Any]:
    """The bill of materials as CycloneDX 1.6; the same pins give the same bill."""
    parts = [
        {
            "type": "library",
            "bom-ref": (purl := f"pkg:pypi/{name.lower()}@{number}"),
            "name": name,
            "version": number,
            "purl": purl,
            "hashes": [
                {"alg": "SHA-256", "content": one} for one in re.findall(r"sha256:(\w+)", hashes)
            ],
        }
        for name, number, hashes in _PIN.findall(requirements)
    ]
    serial = uuid.uuid5(uuid.NAMESPACE_URL, f"janroku {version} {requirements}")
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{serial}",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": "janroku",
                "name": "janroku",
                "version": version,
            }
        },
        "components": parts,
        "dependencies": [{"ref": "janroku", "dependsOn": [part["bom-ref"] for part in parts]}],
    }


def _git(*words: str) -> str:
    return subprocess.check_output(["git", *words], cwd=ROOT, text=True).strip()


def main(words: list[str]) -> None:
    dry = "--dry-run" in words
    folders = [Path(word) for word in words if not word.startswith("-")]
    folder = (folders or [ROOT / "build"])[0]
    tag = f"v{VERSION}"
    told = notes((ROOT / "CHANGELOG.md").read_text("utf-8"), VERSION)
    if not dry and _git("status", "--porcelain"):
        raise SystemExit("commit first: the tree has changes")
    if not dry and _git("tag", "--list", tag):
        raise SystemExit(f"{tag} is there already: raise VERSION in bot/runtime/version.py")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"janroku-{VERSION}.md").write_text(told, "utf-8")
    sbom = (
        json.dumps(
            bill(
                (ROOT / "requirements.txt").read_text("utf-8"),
                VERSION,
            ),
            indent=1,
        )
        + "\n"
    )
    (folder / f"janroku-{VERSION}.cdx.json").write_text(sbom, "utf-8")
    if not dry:
        _git(
            "tag",
            "--annotate",
            tag,
            "--file",
            str(folder / f"janroku-{VERSION}.md"),
            "--cleanup=verbatim",
        )
    print(
        f"{tag}: {'not tagged (dry run)' if dry else 'tagged'}; notes and bill of materials in {folder}"
    )


if __name__ == "__main__":
    main(sys.argv[1:])
