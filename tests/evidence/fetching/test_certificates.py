"""A connection goes to an address, but the certificate has to be that of the name."""

import ssl
from datetime import UTC, datetime, timedelta
from pathlib import Path

import anyio
import pytest

from cruxbench_inspect.evidence.fetching.live_fetch import Fetched, LiveFetch
from cruxbench_inspect.evidence.fetching.refusal import FetchRefused
from tests.loopback.hostile import HostileSite, answer

pytest.importorskip("cryptography")
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

PUBLIC = "93.184.216.34"
URL = "https://news.alvara.com/page"


def certificate(folder: Path, name: str) -> Path:
    """A file with a new key and a certificate for a name that it signed itself."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
    now = datetime.now(UTC)
    signed = (
        x509.CertificateBuilder(subject, subject, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    secret = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    file = folder / f"{name}.pem"
    file.write_bytes(secret + signed.public_bytes(pem))
    return file


def fetch_from(name: str, folder: Path, *, trusted: bool = True) -> tuple[Fetched, HostileSite, list[str | None]]:
    """Fetch ``URL`` from a site that shows the certificate of a name."""
    file = certificate(folder, name)
    asked: list[str | None] = []
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(file)
    server.sni_callback = lambda connection, host, context: asked.append(host)
    authorities = ssl.create_default_context(cafile=str(file) if trusted else None)

    async def resolve(host: str, port: int) -> list[str]:
        return [PUBLIC]

    with HostileSite(server).running() as site:
        site.answers["/page"] = answer(b"<p>A page.</p>")
        live = LiveFetch(transport=site.transport(authorities), resolve=resolve)
        return anyio.run(live.fetch, URL), site, asked


def test_the_certificate_of_the_name_is_accepted_at_the_checked_address(tmp_path: Path) -> None:
    fetched, site, asked = fetch_from("news.alvara.com", tmp_path)
    assert (fetched.url, fetched.body) == (URL, b"<p>A page.</p>")
    assert site.dialled == [(PUBLIC, 443)]
    assert asked == ["news.alvara.com"]


@pytest.mark.parametrize(("name", "trusted"), [("other.alvara.com", True), (PUBLIC, True), ("news.alvara.com", False)])
def test_any_other_certificate_is_refused(tmp_path: Path, name: str, trusted: bool) -> None:
    with pytest.raises(FetchRefused) as refused:
        fetch_from(name, tmp_path, trusted=trusted)
    assert refused.value.fault == "unreachable"
    assert "certificate" in str(refused.value).lower()
