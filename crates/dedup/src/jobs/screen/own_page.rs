//! Pages of `dedup screen` among the documents, such as the report of an earlier run in the same folder.

/// The beginning of such a page, by which it is known again.
pub const OPENING: &str = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
    <meta name=\"generator\" content=\"dedup\">\n";

/// True if a file that begins with these bytes is one.
pub(super) fn is_one(head: &[u8]) -> bool {
    head.starts_with(OPENING.as_bytes())
}
