"""Indexing and asking open no connection and leave nothing in a person's home folder: seen from outside, system call by system call."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import docx
import openpyxl
import pytest
from PIL import Image, ImageDraw, ImageFont

from tests.support.office_files import docx_bytes, paragraph_lines, pdf_bytes, xlsx_bytes

ROOT = Path(__file__).resolve().parents[2]
# What leaves the process for another host: a name is looked up by it, too. A socket alone sends nothing (libraries ask so for address families).
_OUTWARD = re.compile(r"\b(?:connect|sendto|sendmsg|sendmmsg)\(.*sa_family=AF_INET6?")
pytestmark = [
    pytest.mark.integration,
    pytest.mark.slow,
    pytest.mark.skipif(
        shutil.which("strace") is None and not os.environ.get("VANTAGE_CI_STRICT"), reason="strace is not installed (apt-get install strace)"
    ),
]


def fill(folder: Path) -> None:
    """A file for each library that reads: PDFium, python-docx, openpyxl, lxml, the recogniser of scans."""
    folder.mkdir()
    (folder / "lease.pdf").write_bytes(pdf_bytes([paragraph_lines(["The lease ends on 31 March 2027.", "Notice is three months."])]))
    document = docx.Document()
    document.add_paragraph("Notice must be given in writing, three months before the end.")
    (folder / "letter.docx").write_bytes(docx_bytes(document))
    workbook = openpyxl.Workbook()
    workbook.worksheets[0].append(["Item", "Price"])
    workbook.worksheets[0].append(["Rent", 1200])
    (folder / "rent.xlsx").write_bytes(xlsx_bytes(workbook))
    # References to the outside must not be followed.
    (folder / "page.html").write_text(
        "<!DOCTYPE html SYSTEM 'http://192.0.2.1/x.dtd'><html><head><link rel=stylesheet href='http://192.0.2.1/a.css'></head>"
        "<body><img src='http://192.0.2.1/a.png'><p>The warehouse is heated by gas.</p></body></html>"
    )
    scan = Image.new("L", (1000, 300), 255)
    ImageDraw.Draw(scan).text((40, 100), "The deposit is 4200 euros", fill=0, font=ImageFont.load_default(60))
    scan.save(folder / "deposit.png")


def test_indexing_and_asking_open_no_connection(tmp_path: Path) -> None:
    folder, home, person, log = tmp_path / "docs", tmp_path / "home", tmp_path / "person", tmp_path / "calls.txt"
    fill(folder)
    home.mkdir()
    person.mkdir()
    watched = ["strace", "-f", "-qq", "-e", "trace=network", "-s", "200", "-o", str(log)]
    used = [sys.executable, "-P", "-m", "tests.support.private_run", str(home), str(folder), "When does the lease end?"]
    environment = {"PATH": os.environ["PATH"], "HOME": str(person), "PYTHONPATH": str(ROOT), "LANG": "C.UTF-8"}
    done = subprocess.run([*watched, *used], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=280, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    assert done.stdout.split() == ["indexed", "5", "answer", "success"]
    calls = log.read_text(errors="replace").splitlines()
    assert any("socket" in call for call in calls), "nothing was seen: the check would prove nothing"
    assert [call for call in calls if _OUTWARD.search(call)] == []
    assert [str(path.relative_to(person)) for path in person.rglob("*")] == []
