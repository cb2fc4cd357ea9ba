"""`webseam fetch` of a PDF: its text with page marks, its facts, its errors."""

import json

import pytest

from support.cli import Answer, Shell, site
from support.pdf import lines, pdf

LOCAL = '[fetch]\nprivate_networks = ["127.0.0.0/8"]\n'
LONG = pdf([lines([f"Text of {at}"]) for at in range(1, 104)], info=b"/Title (Kelp)")


def files(path: str) -> Answer:
    data = pdf([lines(["Hello"])], user=b"secret") if path == "/locked" else LONG
    return 200, {"Content-Type": "application/pdf"}, data


@pytest.mark.req("pdf:capped", "pdf:marks", "pdf:info")
def test_a_pdf_is_its_text_with_marks_and_its_facts(shell: Shell) -> None:
    shell.desk.user(LOCAL)
    with site(files) as url:
        ran = shell.run("fetch", f"{url}/long")
        record = json.loads(shell.run("fetch", "--json", f"{url}/long").out)
    assert "--- page 100 of 103 ---\n\nText of 100\n" in ran.out
    assert ran.err.splitlines()[1:] == ["pages: 100 read of 103", "title: Kelp"]
    assert record["body"] == {"kind": "pdf", "page_count": 103, "pages_read": 100}
    assert (record["truncated"], record["metadata"]["title"]) == (True, "Kelp")


@pytest.mark.req("pdf:encrypted")
def test_a_locked_pdf_is_refused_by_name(shell: Shell) -> None:
    shell.desk.user(LOCAL)
    with site(files) as url:
        ran = shell.run("fetch", f"{url}/locked")
    assert ran.code == 5
    assert "encrypted" in ran.err
