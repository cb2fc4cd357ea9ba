"""What importing the content room costs."""

import subprocess
import sys

import pytest

PROBE = """
import sys
import webseam.content.charset, webseam.content.hygiene, webseam.content.kind, webseam.content.markdown
import webseam.content.paging, webseam.content.signals, webseam.content.convert
assert "turbohtml" not in sys.modules
webseam.content.charset.decode("\\u00e9".encode(), label="utf-8", html=True)
assert "turbohtml" not in sys.modules
assert webseam.content.markdown.html_to_markdown("<h1>T", url="https://a.test/").text == "# T"
assert "turbohtml" in sys.modules
"""


@pytest.mark.req("content:light")
def test_the_parser_loads_with_the_first_page() -> None:
    subprocess.run([sys.executable, "-c", PROBE], check=True, timeout=30)  # noqa: S603 - our own text
