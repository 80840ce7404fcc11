//! Pages of this program among the documents, such as the report of an earlier run in the same folder.

/// The element by which a page of this program is known again.
pub const GENERATOR: &str = "<meta name=\"generator\" content=\"dedup\">";

/// Number of bytes at the beginning of a page in which that element stands.
const WITHIN: usize = 256;

/// True if a file that begins with these bytes is a page of this program.
pub(super) fn is_one(head: &[u8]) -> bool {
    let head = &head[..head.len().min(WITHIN)];
    head.windows(GENERATOR.len()).any(|part| part == GENERATOR.as_bytes())
}
