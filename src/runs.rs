//! Runs: ranges of words, bytes or characters.

use std::ops::Range;

/// Appends a run that begins no earlier than those before, and joins it to the last one if they touch or overlap.
pub fn append_run(runs: &mut Vec<Range<usize>>, run: Range<usize>) {
    match runs.last_mut() {
        Some(last) if run.start <= last.end => last.end = last.end.max(run.end),
        _ => runs.push(run),
    }
}

/// Sorts runs and joins those that touch or overlap; empty ones are left out.
pub fn joined(mut runs: Vec<Range<usize>>) -> Vec<Range<usize>> {
    runs.retain(|run| !run.is_empty());
    runs.sort_unstable_by_key(|run| run.start);
    let mut joined: Vec<Range<usize>> = Vec::new();
    for run in runs {
        append_run(&mut joined, run);
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_joined() {
        assert_eq!(joined(vec![5..9, 1..3, 3..4, 7..8, 20..20]), [1..4, 5..9]);
    }
}
