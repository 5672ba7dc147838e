import gzip
import zlib
from collections.abc import AsyncIterator, Callable, Iterable, Mapping

import anyio
import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cruxbench_inspect.evidence.http.body import BodyRefused, read_body, unpack_gzip

LIMIT = 1_000_000


def raw_deflate(content: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(content) + packer.flush()


PACKERS: Mapping[str, tuple[str, Callable[[bytes], bytes]]] = {
    "plain": ("identity", lambda content: content),
    "gzip": ("gzip", gzip.compress),
    "x-gzip": ("X-GZIP", gzip.compress),
    "deflate": ("deflate", zlib.compress),
    "deflate without a header": ("deflate", raw_deflate),
}

# Mostly repeated bytes: they are packed so well that one piece of input is many pieces of output.
contents = st.builds(
    lambda piece, times, rest: piece * times + rest,
    st.binary(max_size=20),
    st.integers(min_value=0, max_value=20_000),
    st.binary(max_size=300),
)


def read(chunks: Iterable[bytes], encoding: str | None, limit: int = LIMIT) -> bytes:
    async def sent() -> AsyncIterator[bytes]:
        for chunk in chunks:
            yield chunk

    headers = {} if encoding is None else {"content-encoding": encoding}
    return anyio.run(read_body, httpx.Response(200, headers=headers, content=sent()), limit)


def refusal(chunks: Iterable[bytes], encoding: str | None, limit: int = LIMIT) -> BodyRefused:
    with pytest.raises(BodyRefused) as caught:
        read(chunks, encoding, limit)
    return caught.value


def pieces(content: bytes, size: int) -> list[bytes]:
    return [content[start : start + size] for start in range(0, len(content), size)]


@given(contents, st.sampled_from(sorted(PACKERS)), st.integers(min_value=1, max_value=100_000))
def test_a_body_is_what_was_packed(content: bytes, packer: str, size: int) -> None:
    encoding, pack = PACKERS[packer]
    packed = pack(content)
    assert read(pieces(packed, max(size, len(packed) // 50)), encoding) == content


@pytest.mark.parametrize("packer", PACKERS)
@pytest.mark.parametrize("length", [65_535, 65_536, 65_537, 65_794, 131_072, 200_000])
def test_nothing_is_lost_where_a_piece_ends(packer: str, length: int) -> None:
    encoding, pack = PACKERS[packer]
    content = b"a" * length
    assert read([pack(content)], encoding) == content


@given(contents, st.sampled_from(["gzip", "deflate", "deflate without a header"]), st.data())
def test_a_packed_body_that_ends_too_early_is_damaged(content: bytes, packer: str, data: st.DataObject) -> None:
    encoding, pack = PACKERS[packer]
    packed = pack(content)
    end = data.draw(st.integers(min_value=1, max_value=len(packed) - 1))
    assert refusal([packed[:end]], encoding).fault == "damaged"


@given(st.binary(min_size=1), st.sampled_from(["gzip", "deflate"]))
def test_bytes_that_are_not_packed_are_read_or_refused(content: bytes, encoding: str) -> None:
    try:
        assert isinstance(read([content], encoding), bytes)
    except BodyRefused as refused:
        assert refused.fault == "damaged"


def test_a_changed_byte_is_noticed() -> None:
    packed = bytearray(gzip.compress(b"evidence " * 100, mtime=0))
    packed[-6] ^= 1  # of the checksum
    assert refusal([bytes(packed)], "gzip").fault == "damaged"


def test_a_gzip_body_may_have_several_members() -> None:
    packed = gzip.compress(b"one ", mtime=0) + gzip.compress(b"", mtime=0) + gzip.compress(b"two", mtime=0)
    for size in (1, 7, len(packed)):
        assert read(pieces(packed, size), "gzip") == b"one two"
    assert refusal([packed[:-3]], "gzip").fault == "damaged"


def test_what_follows_the_end_is_padding() -> None:
    assert read([gzip.compress(b"one", mtime=0), bytes(100)], "gzip") == b"one"
    assert read([zlib.compress(b"one") + b"\x1f\x8b"], "deflate") == b"one"


@pytest.mark.parametrize("encoding", [None, "", "identity", "gzip", "deflate", "identity, gzip"])
def test_an_empty_body_is_empty(encoding: str | None) -> None:
    assert read([], encoding) == b""
    assert read([b"", b""], encoding) == b""


@pytest.mark.parametrize("encoding", ["br", "zstd", "compress", "gzip, gzip", "deflate, gzip", "gzip, br", "aes128gcm"])
def test_other_encodings_and_double_ones_are_refused_unread(encoding: str) -> None:
    def unread() -> Iterable[bytes]:
        raise AssertionError("the body was read")
        yield b""

    assert refusal(unread(), encoding).fault == "unknown_encoding"


def test_the_bound_itself_is_allowed() -> None:
    for encoding, pack in PACKERS.values():
        assert len(read([pack(b"a" * 1000)], encoding, 1000)) == 1000
        assert refusal([pack(b"a" * 1001)], encoding, 1000).fault == "too_large"


@pytest.mark.parametrize("encoding", [None, "gzip", "deflate"])
def test_a_body_without_an_end_is_given_up_at_its_bound(encoding: str | None) -> None:
    taken = 0

    def endless() -> Iterable[bytes]:
        nonlocal taken
        packer = zlib.compressobj(level=0, wbits=31 if encoding == "gzip" else 15)
        while True:
            taken += 1
            block = bytes(1000)
            yield block if encoding is None else packer.compress(block) + packer.flush(zlib.Z_SYNC_FLUSH)

    assert refusal(endless(), encoding, 10_000).fault == "too_large"
    assert taken <= 12


@pytest.mark.parametrize("packer", ["gzip", "deflate", "deflate without a header"])
def test_a_bomb_is_given_up_at_its_bound(packer: str) -> None:
    encoding, pack = PACKERS[packer]
    bomb = pack(bytes(30_000_000))
    assert len(bomb) < 50_000
    assert refusal([bomb], encoding).fault == "too_large"
    assert refusal(pieces(bomb, 100), encoding).fault == "too_large"


def test_a_bomb_of_many_members_is_given_up_at_its_bound() -> None:
    assert refusal([gzip.compress(bytes(60_000), mtime=0) * 100], "gzip").fault == "too_large"


@given(contents)
def test_a_gzip_file_is_unpacked(content: bytes) -> None:
    assert unpack_gzip(gzip.compress(content, mtime=0), LIMIT) == content


@pytest.mark.parametrize(
    ("file", "fault"),
    [
        (b"", "damaged"),
        (b"<html>", "damaged"),
        (gzip.compress(b"lines", mtime=0)[:-1], "damaged"),
        (gzip.compress(bytes(LIMIT + 1), mtime=0), "too_large"),
    ],
)
def test_what_is_no_gzip_file_within_its_bound_is_refused(file: bytes, fault: str) -> None:
    with pytest.raises(BodyRefused) as caught:
        unpack_gzip(file, LIMIT)
    assert caught.value.fault == fault
