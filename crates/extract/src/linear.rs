//! Formulas in one line: what stands for their layout.
//!
//! A fraction is `a/b`, and a side of it that is more than a number or a name is in brackets. Brackets do not count when texts
//! are compared, so a document with such fractions has [parts that may hold text](crate::Document::pictured).

/// What stands between two cells of a matrix, and between two of its rows: signs that count when texts are compared.
pub(crate) const CELLS: &str = " & ";
pub(crate) const ROWS: &str = " ;; ";

/// Maximum length in bytes of a side of a fraction that gets brackets.
const MAX_SIDE: usize = 4096;

/// Puts the end of a text, a side of a fraction, in brackets unless it is a number or a name; true if it is one.
pub(crate) fn enclose(text: &mut String, start: usize) -> bool {
    // A text box or a break may have ended the paragraph.
    let Some(side) = text.get(start..) else { return false };
    let is_clear = side.len() < MAX_SIDE && side.chars().all(char::is_alphanumeric);
    if !is_clear && side.len() < MAX_SIDE {
        text.insert(start, '(');
        text.push(')');
    }
    is_clear
}
