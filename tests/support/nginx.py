"""A real nginx (Debian: nginx-light) with TLS in front of a server, as `docs/deploy.md` configures it."""

from __future__ import annotations

import base64
import hashlib
import ipaddress
import os
import re
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

DEPLOY = Path(__file__).resolve().parents[2] / "docs" / "deploy.md"
_NGINX = """daemon off;
user {user};
pid {folder}/nginx.pid;
error_log {folder}/error.log;
worker_processes 1;
events {{ worker_connections 64; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/f;
    uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
{server}
}}
"""
_WITH_PASSWORD = """server {
    listen 443 ssl;
    ssl_certificate /etc/ssl/vantage.crt;
    ssl_certificate_key /etc/ssl/private/vantage.key;
    client_max_body_size 100m;
    auth_basic "search";
    auth_basic_user_file PASSWORDS;
    location / { proxy_pass http://127.0.0.1:8000; }
}
"""


@dataclass(frozen=True, slots=True)
class Proxy:
    """Where it listens, and how a client knows its certificate."""

    url: str
    trust: ssl.SSLContext
    certificate: Path


def find_nginx() -> str:
    """Raises FileNotFoundError saying what to install."""
    found = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")
    if found is None:
        raise FileNotFoundError("nginx is not installed (apt-get install nginx-light)")
    return found


@contextmanager
def run_nginx(url: str, folder: Path, user: str = "root") -> Iterator[Proxy]:
    """nginx in front of the server at `url`; `user` is whose its workers are, where root starts it. Everything it needs lies in `folder`."""
    with _run(_server_of_the_docs(), url, folder, user) as proxy:
        yield proxy


@contextmanager
def run_nginx_with_password(url: str, folder: Path, login: str) -> Iterator[Proxy]:
    """nginx in front of the server at `url`, for who knows the `login` ("name:password")."""
    name, _, password = login.partition(":")
    known = folder / "passwords"
    known.write_text(f"{name}:{{SHA}}{base64.b64encode(hashlib.sha1(password.encode()).digest()).decode()}\n")
    with _run(_WITH_PASSWORD.replace("PASSWORDS", str(known)), url, folder, "root") as proxy:
        yield proxy


@contextmanager
def _run(text: str, url: str, folder: Path, user: str) -> Iterator[Proxy]:
    port, certificate, key = _free_port(), folder / "vantage.crt", folder / "vantage.key"
    _self_signed(certificate, key)
    for shown, used in (
        ("listen 443 ssl", f"listen 127.0.0.1:{port} ssl"),
        ("/etc/ssl/vantage.crt", str(certificate)),
        ("/etc/ssl/private/vantage.key", str(key)),
        ("http://127.0.0.1:8000", url),
    ):
        assert shown in text, f"docs/deploy.md does not show {shown}"
        text = text.replace(shown, used)
    settings = folder / "nginx.conf"
    settings.write_text(_NGINX.format(user=user, folder=folder, server=text))
    running = subprocess.Popen(
        [find_nginx(), "-p", str(folder), "-e", str(folder / "error.log"), "-c", str(settings)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        _wait(running, port, folder / "error.log")
        yield Proxy(f"https://127.0.0.1:{port}", ssl.create_default_context(cafile=str(certificate)), certificate)
    finally:
        running.terminate()
        running.wait(timeout=20)


def _server_of_the_docs() -> str:
    found = re.search(r"```nginx\n(.*?)```", DEPLOY.read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None, "docs/deploy.md has no block for nginx"
    return found.group(1)


def _free_port() -> int:
    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        return int(door.getsockname()[1])


def _wait(running: subprocess.Popen[bytes], port: int, log: Path) -> None:
    for _ in range(300):
        if running.poll() is not None:
            break
        with socket.socket() as door:
            if door.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise RuntimeError(f"nginx did not start: {log.read_text(errors='replace')[-1000:] if log.exists() else 'no log'}")


def _self_signed(certificate: Path, key: Path) -> None:
    """For 127.0.0.1, and for an hour."""
    private, name, now = ec.generate_private_key(ec.SECP256R1()), x509.Name([]), datetime.now(UTC)
    names = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
    builder = (
        x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(private.public_key()).serial_number(x509.random_serial_number())
    )
    builder = builder.not_valid_before(now - timedelta(minutes=5)).not_valid_after(now + timedelta(hours=1)).add_extension(names, critical=True)
    builder = builder.add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
    certificate.write_bytes(builder.sign(private, hashes.SHA256()).public_bytes(serialization.Encoding.PEM))
    key.write_bytes(
        private.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()),
    )
