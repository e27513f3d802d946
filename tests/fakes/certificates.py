"""A certificate authority for one test run: a TLS server on loopback that clients can be told to
trust.
"""

import datetime
import ipaddress
import ssl
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

_DAY = datetime.timedelta(days=1)
_AUTHORITY = "Janroku test authority"
Key = ec.EllipticCurvePrivateKey


def server_context(folder: Path) -> tuple[ssl.SSLContext, Path]:
    """A TLS context for a server on loopback, and its authority's certificate file; valid for a
    day.
    """
    authority = ec.generate_private_key(ec.SECP256R1())
    server = ec.generate_private_key(ec.SECP256R1())
    known = x509.SubjectKeyIdentifier.from_public_key(authority.public_key())
    signs = x509.KeyUsage(
        *[False] * 5, key_cert_sign=True, crl_sign=True, encipher_only=False, decipher_only=False
    )
    may = {x509.BasicConstraints(True, 0): True, signs: True, known: False}
    here = x509.SubjectAlternativeName(
        [x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
    )
    by = x509.AuthorityKeyIdentifier.from_issuer_subject_key_identifier(known)
    trusted = folder / "authority.pem"
    chain = folder / "server.pem"
    trusted.write_bytes(_signed(authority, _AUTHORITY, authority, may))
    key = server.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    chain.write_bytes(_signed(authority, "localhost", server, {here: False, by: False}) + key)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(chain)
    return context, trusted


def _signed(
    authority: Key,
    name: str,
    key: Key,
    says: dict[x509.ExtensionType, bool],
) -> bytes:
    """A certificate of the authority's; of what it `says` the critical parts are True."""
    issuer, subject = (
        x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, one)]) for one in (_AUTHORITY, name)
    )
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder()
        .issuer_name(issuer)
        .subject_name(subject)
        .public_key(key.public_key())
    )
    made = (
        made.serial_number(x509.random_serial_number())
        .not_valid_before(now - _DAY)
        .not_valid_after(now + _DAY)
    )
    for part, critical in says.items():
        made = made.add_extension(part, critical)
    return made.sign(authority, SHA256()).public_bytes(Encoding.PEM)
