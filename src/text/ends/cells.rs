//! Empty cells of tables whose columns are divided by signs: `Meyer;;300` is not `Meyer;300;`.
//!
//! A cell is empty if it has nothing, white space, a pair of quotation marks or a single dash. Lines without words are rules
//! or empty rows, and have none.

use crate::text::characters::plain_sign;

/// The dividers behind the empty cells of a gap, each with true if it stands in a later line than the gap begins in; `is_last` for
/// the gap at the end of a text. Two bars without anything between them are no cell but an operator.
pub(super) fn empty_cells(gap: &str, is_last: bool) -> impl Iterator<Item = (char, bool)> {
    let may_have = !gap.is_ascii() || gap.bytes().filter(|byte| matches!(byte, b',' | b';' | b'|')).nth(1).is_some();
    let lines = may_have.then(|| {
        let last_line = gap.matches('\n').count();
        gap.split('\n').enumerate().filter(move |&(line, _)| line == 0 || line == last_line && !is_last)
    });
    lines.into_iter().flatten().flat_map(|(line, signs)| cells_of(signs).map(move |divider| (divider, line > 0)))
}

/// The dividers behind the empty cells of a line.
fn cells_of(line: &str) -> impl Iterator<Item = char> {
    let mut before: Option<(char, usize)> = None;
    line.char_indices().filter_map(move |(at, c)| {
        let divider = plain_sign(c);
        if !matches!(divider, ',' | ';' | '|') {
            return None;
        }
        let (last, start) = before.replace((divider, at + c.len_utf8()))?;
        let cell = &line[start..at];
        let is_empty = matches!(cell.trim(), "" | "\"\"" | "''" | "-" | "–" | "—");
        (last == divider && is_empty && !(divider == '|' && cell.is_empty())).then_some(divider)
    })
}
