//! How far the filters of a stream can swell it.

use lopdf::Stream;

/// How many bytes a filter makes of one at most.
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

/// How many bytes may stand between the filters of a stream: those of the last one are counted when
/// they are there. What is written in ASCII before it costs its own length only.
pub(super) fn between(stream: &Stream) -> usize {
    let filters = stream.filters().unwrap_or_default();
    let (_, before) = filters.split_last().unwrap_or((&&b""[..], &[]));
    let each = before.iter().scan(stream.content.len(), |bytes, filter| {
        *bytes = bytes.saturating_mul(swells(filter));
        Some(*bytes)
    });
    each.fold(0, usize::saturating_add)
}

/// How many bytes a stream may have unpacked.
pub(super) fn at_most(stream: &Stream) -> usize {
    let filters = stream.filters().unwrap_or_default();
    filters.iter().fold(stream.content.len(), |bytes, filter| bytes.saturating_mul(swells(filter)))
}
