"""Encryption of PDFs with AES: revision 4 with 128 bits (PDF 1.7, 7.6.3), revisions 5 and 6 with 256 (ISO 32000-2)."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

_PAD = bytes.fromhex("28BF4E5E4E758A4164004E56FFFA01082E2E00B6D0683E802F0CA9FE6453697A")
_ID = b"0123456789abcdef"
_VECTOR = b"fedcba9876543210"
_RIGHTS = (-4 & 0xFFFFFFFF).to_bytes(4, "little")


@dataclass(frozen=True)
class Encrypted:
    """How the streams of a file are encrypted, by their object's number, and its /Encrypt dictionary."""

    cipher: Callable[[bytes, int], bytes]
    dictionary: bytes
    file_id: bytes = _ID


def aes_128(user: bytes) -> Encrypted:
    """Revision 4; a `user` of b"" opens without a password."""
    kept = b"o" * 32
    key = hashlib.md5((user + _PAD)[:32] + kept + _RIGHTS + _ID).digest()  # noqa: S324 - as the format says
    for _ in range(50):
        key = hashlib.md5(key).digest()  # noqa: S324 - as above
    proof = hashlib.md5(_PAD + _ID).digest()  # noqa: S324 - as above
    for turn in range(20):
        proof = rc4(bytes(one ^ turn for one in key), proof)

    def cipher(data: bytes, number: int) -> bytes:
        own = hashlib.md5(key + number.to_bytes(3, "little") + b"\0\0sAlT").digest()  # noqa: S324 - as above
        return _VECTOR + _cbc(own, _padded(data))

    return Encrypted(cipher, _dictionary(4, 4, kept, proof + bytes(16)))


def aes_256(user: bytes, *, revision: int) -> Encrypted:
    """Revision 5 or 6; a `user` of b"" opens without a password."""
    key, check, salt = b"k" * 32, b"checking", b"keysalt!"
    proof = _hash(user, check, revision) + check + salt
    wrapped = _cbc(_hash(user, salt, revision), key, bytes(16))
    perms = Cipher(algorithms.AES(key), modes.ECB()).encryptor().update(_RIGHTS + b"\xff\xff\xff\xffTadb1234")  # noqa: S305 - as the format says
    more = b"/UE <%b> /OE <%b> /Perms <%b>" % (wrapped.hex().encode(), bytes(32).hex().encode(), perms.hex().encode())
    return Encrypted(
        lambda data, _number: _VECTOR + _cbc(key, _padded(data)),
        _dictionary(5, revision, b"o" * 48, proof, more),
    )


def _dictionary(version: int, revision: int, owner: bytes, user: bytes, more: bytes = b"") -> bytes:
    method, size = (b"AESV3", 32) if version == 5 else (b"AESV2", 16)
    return (
        b"<< /Filter /Standard /V %d /R %d /Length %d /P -4 /O <%b> /U <%b> %b /StmF /StdCF /StrF /StdCF "
        b"/CF << /StdCF << /AuthEvent /DocOpen /CFM /%b /Length %d >> >> >>"
        % (version, revision, 8 * size, owner.hex().encode(), user.hex().encode(), more, method, size)
    )


def _hash(password: bytes, salt: bytes, revision: int) -> bytes:
    """ISO 32000-2, algorithm 2.B; revision 5 stops after the first step."""
    key = hashlib.sha256(password + salt).digest()
    if revision == 5:
        return key
    turn, last = 0, 0
    while turn < 64 or last > turn - 32:
        mixed = _cbc(key[:16], (password + key) * 64, key[16:32])
        key = (hashlib.sha256, hashlib.sha384, hashlib.sha512)[sum(mixed[:16]) % 3](mixed).digest()
        turn, last = turn + 1, mixed[-1]
    return key[:32]


def _cbc(key: bytes, data: bytes, vector: bytes = _VECTOR) -> bytes:
    return Cipher(algorithms.AES(key), modes.CBC(vector)).encryptor().update(data)


def _padded(data: bytes) -> bytes:
    short = 16 - len(data) % 16
    return data + bytes([short]) * short


def rc4(key: bytes, data: bytes) -> bytes:
    """The stream cipher of older revisions."""
    state, at = list(range(256)), 0
    for place in range(256):
        at = (at + state[place] + key[place % len(key)]) % 256
        state[place], state[at] = state[at], state[place]
    out, one, two = bytearray(), 0, 0
    for byte in data:
        one = (one + 1) % 256
        two = (two + state[one]) % 256
        state[one], state[two] = state[two], state[one]
        out.append(byte ^ state[(state[one] + state[two]) % 256])
    return bytes(out)
