//! Which lines of a document may be cut: long ones anywhere, others at its edges.

/// Least number of words of a line that may be cut wherever it stands.
pub const LONG: u32 = 5;

/// Number of lines at the beginning and at the end of a document that may be cut whatever their length.
pub const EDGE: u32 = 5;

/// For each of a document's lines of many documents, true if it may be cut. Each has its number among the lines that are not
/// empty, of which there are `all`, and its number of words. Lines that may be cut do not count at the edges, so what is
/// behind the beginning of a menu is at the edge as well.
pub(super) fn may_go(lines: &[(u32, u32)], all: u32) -> Vec<bool> {
    let mut may: Vec<bool> = lines.iter().map(|(_, words)| *words >= LONG).collect();
    loop {
        let before = may.clone();
        let (mut above, mut below) = (0, 0);
        for ((number, _), may) in lines.iter().zip(&mut may) {
            *may |= number - above < EDGE;
            above += u32::from(*may);
        }
        for ((number, _), may) in lines.iter().zip(&mut may).rev() {
            *may |= all - 1 - number - below < EDGE;
            below += u32::from(*may);
        }
        if may == before {
            return may;
        }
    }
}
