"""Cutting a stream of bytes into documents, however the bytes were cut on their way."""

from collections.abc import Iterable, Sequence

import pytest
from cuts import by_bytes, cut, every_way
from hypothesis import example, given, settings
from hypothesis import strategies as st
from loops import for_each
from xml_documents import (
    DOCTYPES,
    INVALID,
    NO_ELEMENT,
    NOT_WELL_FORMED,
    PBUY,
    PLACES,
    SPELLINGS,
    splintered,
)

from acquire.protocol.faults import Fault, Reason
from acquire.protocol.framing import LIMIT_FROM_PLAYER, LIMIT_FROM_REFEREE, Framer
from acquire.protocol.reading import MAX_DEPTH

DOCUMENTS = [*SPELLINGS, *INVALID]
EVERY_DOCUMENT = for_each("document", DOCUMENTS)


def framed(chunks: Iterable[bytes], limit: int = LIMIT_FROM_PLAYER) -> list[bytes | Fault]:
    """What a framer makes of a stream: the documents, and the fault that ends it if there is one.

    A fault's bytes are left out: they are what had come by then.
    """
    framer = Framer(limit)
    found: list[bytes | Fault] = []
    for chunk in chunks:
        document = framer.feed(chunk)
        while document is not None:
            if isinstance(document, Fault):
                return [*found, document._replace(data=b"")]
            found.append(document)
            document = framer.feed(b"")
    return found


def the_fault(chunks: Sequence[bytes], limit: int = LIMIT_FROM_PLAYER) -> Fault:
    """The fault that a stream ends with, and before which there is no document."""
    (fault,) = framed(chunks, limit)
    assert isinstance(fault, Fault), fault
    return fault


# -- documents ----------------------------------------------------------------------------------


@EVERY_DOCUMENT
def test_document_is_found_however_it_is_cut(document: bytes) -> None:
    for chunks in every_way(document):
        assert framed(chunks) == [document]


@EVERY_DOCUMENT
def test_white_space_around_a_document_is_left_off(document: bytes) -> None:
    for chunks in every_way(b" \r\n\t" + document + b"\n\n"):
        assert framed(chunks) == [document]


@EVERY_DOCUMENT
def test_next_document_is_found_behind_the_first(document: bytes) -> None:
    for chunks in every_way(PBUY + b"\n" + document + b"<void/>"):
        assert framed(chunks) == [PBUY, document, b"<void/>"]


BEHIND = [b"</", b"</void>", b"</a></b>", b"/>", b">", b"&", b"]]>", b"<!--", b"text", b"\0"]
BEHIND += [b"<a b='c'/>", b"<a b='c'>", b" a='b'/>", b"<a='b'/>"]
ENDS = [b"<void/>", b"<void />", b"<void></void>", b"<void ></void >", b"<a><b/></a>", b"<a>/></a>"]
ENDS += [b"<a b='/>'/>", b"<a b='/>'></a>", b"<a b='/>' />", b"<a b='c'\nd=\"e\"></a>"]


@for_each("behind", BEHIND)
@for_each("document", ENDS)
def test_document_ends_with_its_root_whatever_is_behind_it(document: bytes, behind: bytes) -> None:
    for chunks in every_way(document + behind):
        assert framed(chunks)[0] == document


def test_document_is_given_out_with_its_last_byte() -> None:
    framer = Framer(LIMIT_FROM_PLAYER)
    assert [framer.feed(byte) for byte in by_bytes(PBUY)] == [None] * (len(PBUY) - 1) + [PBUY]


def test_what_follows_a_document_stays_for_the_next_call() -> None:
    framer = Framer(LIMIT_FROM_PLAYER)
    assert framer.feed(b"<a/> <b/>\n<c") == b"<a/>"
    assert framer.pending == b"<b/>\n<c"
    assert framer.feed(b"") == b"<b/>"
    assert framer.pending == b"<c"
    assert framer.feed(b"") is None
    assert framer.feed(b"/>") == b"<c/>"
    assert framer.pending == b""


def test_nothing_is_pending_but_white_space_at_the_beginning() -> None:
    framer = Framer(LIMIT_FROM_PLAYER)
    assert framer.feed(b"") is None
    assert framer.feed(b" \r\n\t") is None
    assert framer.pending == b""


@for_each(
    "begun",
    [b"<", b"<void", b"<void>", b"<void></void", b'<?xml version="1.0"?>', b"<!-- >", b"<a>text"],
)
def test_truncated_document_is_waited_for(begun: bytes) -> None:
    for chunks in every_way(begun):
        framer = Framer(LIMIT_FROM_PLAYER)
        assert [framer.feed(chunk) for chunk in chunks] == [None] * len(chunks)
        assert framer.pending == begun


def test_document_parsed_after_another_begins_at_its_own_first_line() -> None:
    (first, fault) = framed([b"<void>\n\n\n</void>\n<a></b>"])
    assert first == b"<void>\n\n\n</void>"
    assert isinstance(fault, Fault)
    assert "line 1, column 5" in fault.detail


# -- faults -------------------------------------------------------------------------------------


@for_each("stream", NOT_WELL_FORMED.values(), ids=NOT_WELL_FORMED)
def test_what_is_not_well_formed_is_malformed_however_it_is_cut(stream: bytes) -> None:
    fault = the_fault([stream])
    assert fault.reason is Reason.MALFORMED
    assert fault.detail.startswith("Not well-formed XML: ")
    for chunks in every_way(stream):
        assert the_fault(chunks) == fault


@for_each("stream", NO_ELEMENT.values(), ids=NO_ELEMENT)
def test_what_begins_with_no_tag_is_malformed_at_its_first_byte(stream: bytes) -> None:
    fault = the_fault([stream[:1]])
    assert fault.reason is Reason.MALFORMED
    assert fault.detail.startswith("A message must begin with '<', not ")
    for chunks in every_way(stream):
        assert the_fault(chunks) == fault
        assert the_fault([b" \n", *chunks]) == fault


@for_each("stream", DOCTYPES.values(), ids=DOCTYPES)
def test_doctype_is_malformed_however_it_is_cut(stream: bytes) -> None:
    for chunks in every_way(stream):
        assert the_fault(chunks) == Fault(Reason.MALFORMED, "A DOCTYPE is not allowed.")


def test_doctype_of_a_later_document_is_malformed() -> None:
    for chunks in every_way(b"<void/>\n<!DOCTYPE void><void/>"):
        assert framed(chunks) == [b"<void/>", Fault(Reason.MALFORMED, "A DOCTYPE is not allowed.")]


def test_fault_has_the_bytes_that_came() -> None:
    framer = Framer(LIMIT_FROM_PLAYER)
    assert framer.feed(b"\n<void>") is None
    fault = framer.feed(b"</vold>")
    assert isinstance(fault, Fault)
    assert fault.data == b"<void></vold>"


@pytest.mark.parametrize(
    "stream",
    [b"<" + b"a><" * MAX_DEPTH + b"a>", b"<a>" * (MAX_DEPTH + 1), b"<a>" * MAX_DEPTH + b"<b/>"],
)
def test_nesting_deeper_than_the_limit_is_malformed_however_it_is_cut(stream: bytes) -> None:
    for chunks in every_way(stream):
        assert the_fault(chunks) == Fault(
            Reason.MALFORMED, f"Elements are nested deeper than {MAX_DEPTH} levels."
        )


def test_nesting_up_to_the_limit_is_a_document() -> None:
    document = b"<a>" * MAX_DEPTH + b"</a>" * MAX_DEPTH
    for chunks in every_way(document):
        assert framed(chunks) == [document]


def test_depth_is_that_of_one_document() -> None:
    document = b"<a>" * MAX_DEPTH + b"</a>" * MAX_DEPTH
    assert framed([document * 3]) == [document] * 3


# -- limits -------------------------------------------------------------------------------------


def sign_up_of(length: int) -> bytes:
    """A document of the given size in bytes."""
    return b'<signup name="%s"/>' % (b"n" * (length - len(b'<signup name=""/>')))


SOME_CUTS: list[list[int]] = [[], [1], [100], [4000, 4095], [4095], [4096], [2, 3, 5, 7, 4093]]


def test_limits_are_those_of_the_protocol() -> None:
    assert LIMIT_FROM_PLAYER == 4096
    assert LIMIT_FROM_REFEREE == 65536


@for_each("places", [*SOME_CUTS, range(4096)], ids=str)
def test_document_as_long_as_the_limit_is_read(places: Iterable[int]) -> None:
    document = sign_up_of(4096)
    assert framed(cut(document, places)) == [document]


TOO_LONG = Fault(Reason.MALFORMED, "The message exceeds 4096 bytes.")


@for_each("places", [*SOME_CUTS, range(4097)], ids=str)
@for_each(
    "stream",
    [sign_up_of(4097), b" " * 4090 + b"<void/>", b"\n" * 4097, b"<" * 4097, b"<a>" + b"b" * 5000],
    ids=["document", "white-space-and-document", "white-space", "garbage", "goes-on"],
)
def test_message_over_the_limit_is_malformed(stream: bytes, places: Iterable[int]) -> None:
    assert the_fault(cut(stream, places)) == TOO_LONG


def test_white_space_is_counted_though_it_is_not_kept() -> None:
    framer = Framer(100)
    assert framer.feed(b" " * 60) is None
    assert framer.feed(b" " * 33 + b"<void/>") == b"<void/>"
    assert framer.feed(b" " * 101) is not None


def test_each_message_has_the_whole_limit() -> None:
    documents = [sign_up_of(4000)] * 3
    for chunks in (documents, by_bytes(b"".join(documents)), [b"".join(documents)[:4096]]):
        assert framed(chunks)[0] == documents[0]
    assert framed(documents) == documents


@for_each("places", SOME_CUTS, ids=str)
def test_limit_is_not_for_what_stands_behind_a_document(places: Iterable[int]) -> None:
    stream = sign_up_of(4000) + b"\n" * 90 + sign_up_of(4000)
    assert framed(cut(stream, places)) == [sign_up_of(4000)] * 2


@pytest.mark.parametrize("sent", [b"<a>" + b"b" * 1000, b" " * 60 + b"<a>" + b"b" * 60])
def test_message_over_the_limit_comes_with_one_byte_more_than_the_limit(sent: bytes) -> None:
    fault = Framer(100).feed(sent)
    assert isinstance(fault, Fault)
    assert fault.data == sent[:101]
    assert Framer(100).feed(fault.data) == fault


@pytest.mark.parametrize("sent", [b"<a>" * 90, b"<a></b>" + b"c" * 100, b"c" * 150])
def test_other_bytes_of_a_fault_are_cut_at_the_limit(sent: bytes) -> None:
    fault = Framer(100).feed(sent)
    assert isinstance(fault, Fault)
    assert fault.data == sent[:100]


# -- any stream, any cuts -----------------------------------------------------------------------

WHITE_SPACE = st.text(" \t\r\n", max_size=4).map(str.encode)
STREAMS = st.lists(st.tuples(WHITE_SPACE, st.sampled_from(DOCUMENTS)), max_size=5)


def joined(pieces: list[tuple[bytes, bytes]]) -> bytes:
    """A stream of documents, each after some white space."""
    return b"".join(space + document for space, document in pieces)


@settings(deadline=None)
@given(pieces=STREAMS, after=WHITE_SPACE, places=PLACES)
def test_documents_do_not_depend_on_the_cuts(
    pieces: list[tuple[bytes, bytes]], after: bytes, places: list[int]
) -> None:
    stream = joined(pieces) + after
    documents = [document for _, document in pieces]
    assert framed(cut(stream, places)) == documents
    assert framed(by_bytes(stream)) == documents


@settings(deadline=None)
@given(
    stream=splintered(STREAMS.map(joined)),
    places=PLACES,
    limit=st.sampled_from([40, 64, LIMIT_FROM_PLAYER]),
)
@example(stream=b"<void>< ", places=[6], limit=LIMIT_FROM_PLAYER)
@example(stream=b"<void/></", places=[7], limit=LIMIT_FROM_PLAYER)
@example(stream=b"<void/><\0void/>", places=[7], limit=LIMIT_FROM_PLAYER)
@example(stream=b" " * 41 + b"a", places=[41], limit=40)
def test_faults_do_not_depend_on_the_cuts(stream: bytes, places: list[int], limit: int) -> None:
    whole = framed([stream], limit)
    assert framed(cut(stream, places), limit) == whole
    assert framed(by_bytes(stream), limit) == whole


@settings(deadline=None)
@given(
    pieces=st.lists(st.tuples(st.integers(0, 30), st.integers(17, 70)), max_size=4), places=PLACES
)
def test_limit_does_not_depend_on_the_cuts(
    pieces: list[tuple[int, int]], places: list[int]
) -> None:
    stream = b"".join(b" " * spaces + sign_up_of(length) for spaces, length in pieces)
    expected: list[bytes | Fault] = []
    for spaces, length in pieces:
        if spaces + length > 64:
            expected.append(Fault(Reason.MALFORMED, "The message exceeds 64 bytes."))
            break
        expected.append(sign_up_of(length))
    assert framed(cut(stream, places), 64) == expected
    assert framed(by_bytes(stream), 64) == expected
