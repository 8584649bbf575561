"""Detection of a file's type: by its content first, by its name where the content leaves a choice. A type without a reader is refused by its name."""

from __future__ import annotations

import re
import struct
import zipfile
import zlib

from core.errors import Encrypted, Malformed, Sealed, Unsupported
from core.format_table import FORMATS, FileType
from core.formats import NameRole
from ingestion.archives.compressed_files import BZIP2, GZIP, XZ, is_tar
from ingestion.archives.mailboxes import is_mailbox
from ingestion.archives.zip_methods import directory_is_encrypted
from ingestion.archives.zstandard_stream import ZSTANDARD
from ingestion.readers.base.charset import decode, printable_share
from ingestion.readers.base.compound_file import names_at_top
from ingestion.readers.base.source import Source
from ingestion.readers.mail.cms import CmsKind, decode_base64, is_cms, kind_of

_HEAD = 4096


_CHOSEN_BY_NAME = [each for each in FORMATS if each.name_role is NameRole.CHOOSES]
_TEXT_TYPES = {suffix: FileType(each.type) for each in _CHOSEN_BY_NAME for suffix in each.all_suffixes}
_NAMED_TYPES = {name: FileType(each.type) for each in _CHOSEN_BY_NAME for name in each.file_names}
# Suffixes that promise binary content; under any other name text is read as text, if it is clean text.
_BINARY_SUFFIXES = {suffix: each.title for each in FORMATS if each.name_role is NameRole.PROMISES for suffix in each.suffixes}
_DECLARED_SIGNATURES = [(signature, FileType(each.type)) for each in FORMATS for signature in each.signatures]
_IMAGE = "Pictures of this kind are not read; save it as .png or .jpg"
_RAW_PHOTOS = frozenset({".cr2", ".nef", ".arw", ".dng", ".pef", ".srw"})
_ARCHIVE = "Archives of this kind are not opened: unpack it (7-Zip, The Unarchiver and others do) and index the folder"
_ANCIENT = "There is no reader for Word 2 and older, and Windows Write; save it as .docx"
_MEDIA = "There is no reader for sound and video"
_PROGRAM_PACKAGES = frozenset({".jar", ".war", ".ear", ".apk", ".aab", ".xpi", ".crx", ".nupkg", ".ipa", ".egg", ".whl", ".vsix"})
_PROGRAM = "This is a program or a library, not a document"
_SIGNATURES: tuple[tuple[bytes, int, str, str], ...] = (
    (b"\x00\x00\x00\x0cjP  ", 0, ".jp2", _IMAGE),
    (b"8BPS", 0, ".psd", _IMAGE),
    (b"7z\xbc\xaf\x27\x1c", 0, ".7z", _ARCHIVE),
    (b"Rar!\x1a\x07", 0, ".rar", _ARCHIVE),
    (b"\x04\x22\x4d\x18", 0, ".lz4", _ARCHIVE),
    (b"\x1f\x9d", 0, ".Z", _ARCHIVE),
    (b"MSCF\0\0\0\0", 0, ".cab", _ARCHIVE),
    (b"\xdb\xa5", 0, ".doc", _ANCIENT),
    (b"\xfe\x37\x00\x23", 0, ".doc", _ANCIENT),
    (b"\x31\xbe\x00\x00", 0, ".wri", _ANCIENT),
    (b"\x7fELF", 0, "program", _PROGRAM),
    (b"\xcf\xfa\xed\xfe", 0, "program", _PROGRAM),
    (b"\xca\xfe\xba\xbe", 0, ".class", _PROGRAM),
    (b"\x00asm", 0, ".wasm", _PROGRAM),
    (b"SQLite format 3\x00", 0, ".sqlite", "There is no reader for databases"),
    (b"PAR1", 0, ".parquet", "There is no reader for Parquet files"),
    (b"ID3", 0, ".mp3", _MEDIA),
    (b"OggS", 0, ".ogg", _MEDIA),
    (b"fLaC", 0, ".flac", _MEDIA),
    (b"RIFF", 0, ".wav or .avi", _MEDIA),
    (b"ftyphei", 4, ".heic", _IMAGE),
    (b"ftypmif1", 4, ".heif", _IMAGE),
    (b"ftypavif", 4, ".avif", _IMAGE),
    (b"ftyp", 4, ".mp4", _MEDIA),
    (b"\x1aE\xdf\xa3", 0, ".mkv", _MEDIA),
    (b"AC10", 0, ".dwg", "There is no reader for AutoCAD drawings"),
    (b"wOF", 0, "font", "There is no reader for fonts"),
    (b"\x00\x01\x00\x00\x00", 0, "font", "There is no reader for fonts"),
    (b"!<arch>", 0, ".a", _PROGRAM),
    (b"%!PS", 0, ".ps", "There is no reader for PostScript; save it as .pdf"),
)
# Main parts of the three kinds of Office package, as `[Content_Types].xml` names them.
_OFFICE_PARTS = (
    (
        re.compile(rb"wordprocessingml\.(document|template)\.main\+xml|ms-word\.(document|template)\.macroEnabled(Template)?\.main\+xml"),
        FileType.DOCX,
    ),
    (re.compile(rb"spreadsheetml\.(sheet|template)\.main\+xml|ms-excel\.(sheet|template|addin)\.macroEnabled\.main\+xml"), FileType.XLSX),
    (
        re.compile(
            rb"presentationml\.(presentation|template|slideshow)\.main\+xml|ms-powerpoint\.(presentation|template|slideshow)\.macroEnabled\.main\+xml"
        ),
        FileType.PPTX,
    ),
)
_OFFICE_TYPES = frozenset(office for _, office in _OFFICE_PARTS)
# In the order of their names: an e-book without its type may have the manifest of OpenDocument beside its own container.
_ZIP_MEMBERS = dict(sorted((member, FileType(each.type)) for each in FORMATS for member in each.zip_members))
_MIME_TYPES = {mime: FileType(each.type) for each in FORMATS for mime in each.mime_types}
# Messages first: what is attached to one may be any of the others.
_OLE_STREAMS = sorted(
    ((stream, FileType(each.type)) for each in FORMATS for stream in each.ole_streams), key=lambda declared: declared[1] is not FileType.MSG
)
_CMS_SUFFIXES, _PGP_SUFFIXES = frozenset({".p7m", ".p7s", ".p7b", ".p7c", ".p7"}), frozenset({".gpg", ".pgp"})
_ODF_MIME = re.compile(r"opendocument\.(text|spreadsheet|presentation|graphics|formula)|vnd\.sun\.xml\.(writer|calc|impress|draw)")
_XML = re.compile(rb"^(?:\xef\xbb\xbf)?\s*<\?xml\b")
_HTML = re.compile(
    rb"^(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*\?>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html|head|body|title|meta|table|div|h1)\b", re.I | re.S
)
_MAIL_HEADER = re.compile(
    rb"^(from|to|cc|subject|date|received|return-path|message-id|mime-version|delivered-to|content-type|x-[\w-]+|sender|reply-to):", re.I
)
_MAIL_ONLY = {b"received", b"return-path", b"message-id", b"mime-version", b"delivered-to"}


def detect(source: Source) -> FileType:
    """Return the type of a file that is not empty.

    Raises:
        Unsupported: it is known, or at least no text, and nothing here reads it.
        Encrypted: it needs a password.
        Malformed: it is damaged so far that its type's reader cannot begin.
    """
    head = source.data[:_HEAD]
    if _is_pdf(source, head):
        return FileType.PDF
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")):
        return _zip_type(source)
    if head.startswith(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"):
        return _compound_type(source)
    if head.removeprefix(b"\xef\xbb\xbf").lstrip()[:5] == b"{\\rtf":
        return FileType.RTF
    if head[:2] == b"MZ" and b"\0" in head:
        raise Unsupported(f"{_PROGRAM} (.exe).")
    if found := _archive_type(source, head) or _signed_type(source, head) or _declared_type(source, head):
        return found
    for signature, offset, name, reason in _SIGNATURES:
        if head.startswith(signature, offset):
            raise Unsupported(f"{reason} ({name}).")
    return _text_type(source, head)


def _archive_type(source: Source, head: bytes) -> FileType | None:
    """Return the type of a TAR archive or of a file compressed with gzip, bzip2, xz or Zstandard."""
    if head.startswith((GZIP, XZ, ZSTANDARD)) or (head.startswith(BZIP2) and head[3:4] in b"123456789"):
        return FileType.TAR if is_tar(source) else FileType.COMPRESSED
    return FileType.TAR if head.startswith(b"ustar", 257) or (source.suffix == ".tar" and is_tar(source)) else None


def _signed_type(source: Source, head: bytes) -> FileType | None:
    """Return the type of a file that a signature goes round (.p7m).

    Raises:
        Sealed: it is encrypted for the holders of certain keys.
    """
    if head.startswith(b"-----BEGIN PGP MESSAGE-----") or (source.suffix in _PGP_SUFFIXES and head[:1] and head[0] & 0x80):
        raise Sealed("It is encrypted with OpenPGP. Decrypt it and index the decrypted file.")
    data = decode_base64(source.data) if source.suffix in _CMS_SUFFIXES else source.data
    if not is_cms(data):
        return None
    if kind_of(data) is CmsKind.ENCRYPTED:
        raise Sealed("It is encrypted with S/MIME for the holders of certain keys. Decrypt it and index the decrypted file.")
    return FileType.SIGNED


def _is_pdf(source: Source, head: bytes) -> bool:
    """Return whether `%PDF-` stands at the start; readers accept it anywhere in the first kilobyte, which other text may hold by chance."""
    at = head[:1024].find(b"%PDF-")
    if at < 0:
        return source.suffix == ".pdf" and (head.startswith(b"%PDF") or re.search(rb"\b\d+ \d+ obj\b", head) is not None)
    return not head[:at].strip(b"\xef\xbb\xbf\0\r\n\t ") or source.suffix == ".pdf" or b" obj" in head


def _declared_type(source: Source, head: bytes) -> FileType | None:
    """Return the type whose reader declares a signature that the file begins with; bitmaps are recognised by more than two letters."""
    bitmap = head[:2] == b"BM" and len(head) > 14 and head[6:10] == b"\0\0\0\0"
    declared = (kind for signature, kind in _DECLARED_SIGNATURES if head.startswith(signature.magic, signature.offset))
    found = FileType.IMAGE if bitmap else next(declared, None)
    if found is FileType.IMAGE and source.suffix in _RAW_PHOTOS:
        raise Unsupported(f"{_IMAGE} ({source.suffix}).")
    return found


def _zip_type(source: Source) -> FileType:
    kind = _BINARY_SUFFIXES.get(source.suffix, "zip file")
    try:
        with source.open() as file, zipfile.ZipFile(file) as package:
            names = set(package.namelist())
            if "[Content_Types].xml" in names:
                return _office_type(package, names, source.suffix)
            if "mimetype" in names and package.getinfo("mimetype").file_size < 200:
                return _type_by_mime(package.read("mimetype").decode("ascii", errors="replace").strip())
    except (zipfile.BadZipFile, zlib.error, struct.error, NotImplementedError, RuntimeError, OSError, EOFError, ValueError, KeyError) as error:
        with source.open() as file:
            if directory_is_encrypted(file):
                raise Sealed("The names of its files are encrypted, too (PKWARE). Unpack the archive and index the folder.") from error
        raise Malformed(f"This {kind} is damaged: its container cannot be opened ({error}).") from error
    for member, declared in _ZIP_MEMBERS.items():
        if member in names:
            return declared
    if source.suffix in _PROGRAM_PACKAGES:
        raise Unsupported(f"This is the package of a program, not a document ({source.suffix}).")
    return FileType.ZIP


def _office_type(package: zipfile.ZipFile, names: set[str], suffix: str) -> FileType:
    if package.getinfo("[Content_Types].xml").file_size > 1 << 24:
        raise Malformed("The list of parts in this Office file is unreasonably large.")
    types = package.read("[Content_Types].xml")
    for pattern, office in _OFFICE_PARTS:
        if pattern.search(types):
            return office
    if "xl/workbook.bin" in names:
        return FileType.XLSB
    for member, declared in _ZIP_MEMBERS.items():
        if declared in _OFFICE_TYPES and member in names:
            return declared
    raise Unsupported(f"There is no reader for this kind of package ({suffix or 'no suffix'}).")


def _type_by_mime(mime: str) -> FileType:
    if mime in _MIME_TYPES:
        return _MIME_TYPES[mime]
    if _ODF_MIME.search(mime):
        return FileType.ODF
    raise Unsupported(f"There is no reader for packages of the type {mime[:80]}.")


def _compound_type(source: Source) -> FileType:
    """Return the type of an OLE compound file by its directory: "Book" may be a font of a letter ("Book Antiqua"), and a workbook a part of one."""
    names = names_at_top(source.data)
    if "EncryptedPackage" in names:
        raise Encrypted("The file is encrypted: it needs a password.")
    for stream, kind in _OLE_STREAMS:
        if any(name.startswith(stream) if kind is FileType.MSG else name == stream for name in names):
            return kind
    raise Unsupported("There is no reader for this kind of OLE file.")


def _text_type(source: Source, head: bytes) -> FileType:
    text = decode(source.data[: 1 << 16]).text
    _refuse_binary(source, text)
    if is_flat_odf(head):
        return FileType.ODF
    if _HTML.match(head):
        return FileType.HTML
    if is_mailbox(source):
        return FileType.MBOX
    named = _TEXT_TYPES.get(source.suffix) or _NAMED_TYPES.get(source.name.lower())
    if named not in (FileType.MARKDOWN, FileType.CSV, FileType.CODE) and _is_mail(head):
        return FileType.EMAIL
    if named:
        return named
    if source.suffix in ("", ".txt", ".log") and _has_braces(text) and _is_json(source.data):
        return FileType.JSON
    if text.startswith("#!"):
        return FileType.CODE
    return FileType.XML if _XML.match(head) else FileType.TEXT


def _refuse_binary(source: Source, text: str) -> None:
    promised = _BINARY_SUFFIXES.get(source.suffix)
    if printable_share(text) >= 0.97 and (not promised or _is_prose(text)):
        return
    if promised:
        raise Malformed(f"The name says {promised}, the content is something else or too damaged to be opened.")
    raise Unsupported(f"There is no reader for {source.suffix or 'files of this kind'}: the content is not text.")


def _has_braces(text: str) -> bool:
    return text.lstrip()[:1] in ("{", "[") and text.rstrip()[-1:] in ("}", "]")


def _is_prose(text: str) -> bool:
    """Return whether text under a binary format's name is meant to be read, not a fragment of that format."""
    words = re.findall(r"[^\W\d_]{2,}", text)
    return (
        len(words) >= 5
        and not re.search(r"\bendobj\b|\bxref\b|^\d+ \d+ obj\b", text, re.M)
        and sum(map(len, words)) > 0.5 * len(text.replace(" ", ""))
    )


def _is_json(data: bytes) -> bool:
    import json

    try:
        json.loads(decode(data).text)
    except (ValueError, RecursionError):
        return False
    return True


def is_flat_odf(head: bytes) -> bool:
    """Return whether the first kilobytes are those of an OpenDocument file in one XML document."""
    return b"<office:document" in head and b"opendocument" in head


def _is_mail(head: bytes) -> bool:
    """Return whether a text begins with at least three header lines, one of which only mail programs write."""
    names = set()
    for line in head.split(b"\n")[:60]:
        if match := _MAIL_HEADER.match(line):
            names.add(match[1].lower())
        elif line[:1] not in (b" ", b"\t") and not re.match(rb"[\w-]+:", line):
            break
    return len(names) >= 3 and bool(names & _MAIL_ONLY)
