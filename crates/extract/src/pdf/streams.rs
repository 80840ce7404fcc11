//! Upper bounds on the unpacked size of a stream, by its filters.

use lopdf::Stream;

/// Maximum number of bytes that a filter makes of one byte.
fn swells(filter: &[u8]) -> usize {
    match filter {
        b"ASCIIHexDecode" => 1,
        b"ASCII85Decode" => 4,
        b"RunLengthDecode" => 64,
        // Deflate makes up to 1032, LZW up to 1365.
        b"FlateDecode" | b"LZWDecode" => 1400,
        _ => usize::MAX,
    }
}

/// Maximum number of bytes between the filters of a stream, in total. The output of the last filter
/// is not included: it is counted when it exists. A hexadecimal filter costs no more than its input.
pub(super) fn between(stream: &Stream) -> usize {
    let filters = stream.filters().unwrap_or_default();
    let (_, before) = filters.split_last().unwrap_or((&&b""[..], &[]));
    let each = before.iter().scan(stream.content.len(), |bytes, filter| {
        *bytes = bytes.saturating_mul(swells(filter));
        Some(*bytes)
    });
    each.fold(0, usize::saturating_add)
}

/// Maximum unpacked size of a stream, in bytes.
pub(super) fn at_most(stream: &Stream) -> usize {
    let filters = stream.filters().unwrap_or_default();
    filters.iter().fold(stream.content.len(), |bytes, filter| bytes.saturating_mul(swells(filter)))
}
