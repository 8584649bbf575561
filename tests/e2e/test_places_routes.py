"""Where recognised text stands, and pages of pictures, over HTTP: of a scan, a fax, what lies in an archive; and for one tenant only."""

from __future__ import annotations

import io
from collections.abc import Iterator

import httpx
import pytest
from PIL import Image

from tests.support.containers import zip_bytes
from tests.support.pictures import LETTER, draw_lines, encode_picture, scanned_pdf
from tests.support.serving import ServedVantage, index_and_wait

OURS, THEIRS = "key-of-the-harbour", "key-of-somebody-else"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedVantage]:
    folder = tmp_path_factory.mktemp("docs")
    sheet = draw_lines(size=(1240, 900))
    (folder / "scan.pdf").write_bytes(scanned_pdf([Image.new("RGB", (1240, 900), "white"), sheet.rotate(180)]))
    fax = draw_lines(("The fax of the chandler asks for rope.",), (1240, 400))
    (folder / "post.zip").write_bytes(
        zip_bytes({"in/fax.tiff": encode_picture(fax, "TIFF", save_all=True, append_images=[fax.rotate(90, expand=True)])})
    )
    (folder / "plain.txt").write_text("Nothing of this was recognised.")
    settings = {"VANTAGE_SERVER__API_KEYS": f"['{OURS}:harbour', '{THEIRS}:others']", "VANTAGE_INGESTION__ROOTS": f"['{folder}']"}
    served = ServedVantage(tmp_path_factory.mktemp("home") / "home", settings).start()
    try:
        with reached(served, OURS) as client:
            index_and_wait(client, str(folder))
        yield served
    finally:
        served.stop()


def reached(served: ServedVantage, key: str) -> httpx.Client:
    return httpx.Client(base_url=served.url, headers={"Authorization": f"Bearer {key}"}, timeout=60.0, trust_env=False, verify=False)


@pytest.fixture
def client(server: ServedVantage) -> Iterator[httpx.Client]:
    with reached(server, OURS) as made:
        yield made


def identity(client: httpx.Client, name: str) -> str:
    (found,) = client.get("/documents", params={"text": name}).raise_for_status().json()["documents"]
    return str(found["id"])


def test_the_words_of_a_quotation_have_places_on_their_page(client: httpx.Client) -> None:
    scan = identity(client, "scan.pdf")
    content = client.get(f"/documents/{scan}/content").raise_for_status().json()
    assert [(page["number"], page["turned"]) for page in content["pages"]] == [(2, 180)]  # the first is blank
    start = content["text"].index("4,150")
    places = client.get(f"/documents/{scan}/places", params={"start": start, "end": start + 5}).raise_for_status().json()
    assert (places["document_id"], places["generation"], [page["page"] for page in places["pages"]]) == (scan, content["generation"], [2])
    (line,) = places["pages"][0]["lines"]
    assert content["text"][line["start"] : line["end"]] == LETTER[0]
    (word,) = [word for word in line["words"] if word["start"] == start]
    left, right = (line["left"] + line["width"] * word[side] for side in ("left", "right"))
    assert (left * 1240, right * 1240) == pytest.approx((535, 612), abs=8)
    assert line["top"] * 900 < 59 < (line["top"] + line["height"]) * 900
    everything = client.get(f"/documents/{scan}/places").raise_for_status().json()
    assert [len(page["lines"]) for page in everything["pages"]] == [3]


def test_a_page_of_a_picture_in_an_archive_is_drawn(client: httpx.Client) -> None:
    fax = identity(client, "fax.tiff")
    pages = [client.get(f"/documents/{fax}/pages/{page}/picture") for page in (1, 2)]
    assert [(page.status_code, page.headers["content-type"]) for page in pages] == [(200, "image/jpeg")] * 2
    assert [Image.open(io.BytesIO(page.content)).size for page in pages] == [(1240, 400), (400, 1240)]
    assert "sandbox" in pages[0].headers["content-security-policy"]
    content = client.get(f"/documents/{fax}/content").raise_for_status().json()
    assert [page["turned"] for page in content["pages"]] == [0, 90]
    for page, status in ((3, 404), (0, 422), ("x", 422)):
        assert client.get(f"/documents/{fax}/pages/{page}/picture").status_code == status


def test_what_was_not_recognised_has_no_places_and_no_picture(client: httpx.Client) -> None:
    plain = identity(client, "plain.txt")
    assert client.get(f"/documents/{plain}/places").raise_for_status().json()["pages"] == []
    refused = client.get(f"/documents/{plain}/pages/1/picture")
    assert (refused.status_code, refused.json()["code"]) == (404, "not_found")


def test_another_tenant_sees_neither(server: ServedVantage, client: httpx.Client) -> None:
    scan, fax = identity(client, "scan.pdf"), identity(client, "fax.tiff")
    with reached(server, THEIRS) as others:
        assert others.get(f"/documents/{scan}/places").status_code == 404
        assert others.get(f"/documents/{fax}/pages/1/picture").status_code == 404
