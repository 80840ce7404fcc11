//! Lines that were wrapped: a name that begins the next one begins nothing.

/// Least length of a line that was wrapped, in characters.
const NARROWEST: usize = 40;

/// Greatest length in bytes of a line that is compared with the lines around it; longer ones are paragraphs.
const WIDEST: usize = 400;

/// True if the line that ends a text may have been wrapped there: if the first word behind it would have made it longer than
/// both lines around it.
pub(super) fn is_wrapped(before: &str, behind: &str) -> bool {
    let width = |line: Option<&str>| line.map_or(0, |line| line.trim_end().chars().count());
    let part = &before.as_bytes()[before.len().saturating_sub(WIDEST)..];
    let Some(start) = memchr::memrchr(b'\n', part).or((part.len() == before.len()).then_some(0)) else { return false };
    let start = before.len() - part.len() + start;
    let next = &behind[..behind.floor_char_boundary(WIDEST)];
    let word = next.split(char::is_whitespace).next();
    let wider = width(before.get(start..).map(|line| line.trim_start_matches('\n'))) + 1 + width(word);
    // Most lines are told by their own width.
    if wider < NARROWEST || wider <= width(next.lines().next()) {
        return false;
    }
    let above = &before[before.ceil_char_boundary(start.saturating_sub(WIDEST))..start];
    wider > width(above.rsplit('\n').next())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_was_wrapped_goes_on() {
        let ends = |before: &str, behind: &str| !is_wrapped(before, behind);
        let lines = ["Die Kommission empfiehlt nach langer Beratung die sofortige", "Zulassung des neuen Mittels."];
        assert!(!ends(lines[0], lines[1]));
        assert!(!ends(&format!("Der Bericht zu den letzten drei Jahren:\n{}", lines[0]), lines[1]));
        // The word had fitted.
        assert!(ends("Bericht", lines[0]));
        assert!(ends(&format!("{}\nein kurzer Rest der Zeile bis hierher", lines[0]), lines[1]));
        // A list, and a paragraph in a line.
        assert!(ends("Anna", "Bert"));
        assert!(ends(&lines.join(" ").repeat(9), "Bert"));
    }
}
