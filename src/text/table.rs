//! Tables within texts, as spans of lines.
//!
//! Rows that follow each other are aligned if they have as many bars (two or more), as many tabs between cells, cells that
//! begin in one column behind two spaces or more, or as many commas (three or more) between cells of a word or two. Three rows of which each is aligned with the one before are a table.
//! A single gap behind something without letters is that of a numbered list.
//!
//! Cost: linear.

use std::ops::Range;

/// Least number of rows of a table.
const LEAST: usize = 3;

/// The form of a line.
#[derive(Debug, Default, PartialEq, Eq)]
struct Row {
    bars: usize,
    tabs: usize,
    /// Commas between short cells; none if a cell is long, as in prose.
    commas: usize,
    /// The columns, in characters, in which cells begin behind a gap.
    columns: Vec<usize>,
}

impl Row {
    fn of(line: &str) -> Self {
        let line = line.trim_end();
        let is_rule = line.chars().all(|c| matches!(c, '+' | '-' | '=' | '|' | ':' | ' '));
        let bars = line.chars().filter(|&c| matches!(c, '|' | '│' | '┃') || is_rule && c == '+').count();
        let (mut tabs, mut columns) = (0, Vec::new());
        let (mut spaces, mut has_tab, mut has_cell, mut has_letter) = (0, false, false, false);
        for (column, c) in line.chars().enumerate() {
            match c {
                ' ' => spaces += 1,
                '\t' => has_tab = true,
                _ => {
                    let is_first_gap = tabs == 0 && columns.is_empty();
                    if has_cell && has_tab {
                        tabs += 1;
                    } else if has_cell && spaces >= 2 && (!is_first_gap || has_letter || is_rule) {
                        columns.push(column);
                    }
                    (spaces, has_tab, has_cell) = (0, false, true);
                    has_letter |= c.is_alphabetic();
                }
            }
        }
        let are_short = line.split(',').all(|cell| cell.split_whitespace().count() <= 2);
        let commas = if are_short { line.matches(',').count() } else { 0 };
        Self { bars, tabs, commas, columns }
    }

    fn is_aligned(&self, before: &Self) -> bool {
        self.bars >= 2 && self.bars == before.bars
            || self.tabs >= 1 && self.tabs == before.tabs
            || self.commas >= 3 && self.commas == before.commas
            || self.columns.iter().any(|column| before.columns.contains(column))
    }
}

/// The spans of a text that are tables, in order: whole lines, in bytes.
pub fn tables(text: &str) -> Vec<Range<usize>> {
    let mut spans: Vec<Range<usize>> = Vec::new();
    let (mut last, mut open, mut rows, mut at) = (Row::default(), 0..0, 0, 0);
    let mut close = |open: &Range<usize>, rows| {
        if rows >= LEAST {
            spans.push(open.clone());
        }
    };
    for line in text.split_inclusive('\n') {
        let span = at..at + line.len();
        at = span.end;
        let row = Row::of(line);
        if row.is_aligned(&last) {
            (open.end, rows) = (span.end, rows + 1);
        } else {
            close(&open, rows);
            (open, rows) = (span, 1);
        }
        last = row;
    }
    close(&open, rows);
    spans
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_found_between_paragraphs() {
        for table in [
            "| harbour | high |\n| --- | --- |\n| Brest | 6:12 |\n",
            "+-------+------+\n| Brest | 6:12 |\n+-------+------+\n| Cork  | 4:10 |\n",
            "Brest\t6:12\nCork\t4:10\nVigo\t3:55\n",
            "Brest    6:12  high\nCork     4:10  low\nVigo de Mar  3:55  low\nVigo     3:55  low\n",
            "=====  =====\nBrest  6:12\nCork   4:10\n",
            "    1207, 4410, 22, 7,\n    9, 10, 11, 12,\n    3, 3, 3, 3,\n",
            "Brest,6:12,high,1\nCork,4:10,low,2\nVigo,3:55,low,3\n",
        ] {
            let text = format!("The tides of one day:\n{table}\nThey are those of spring.\n");
            let found: Vec<&str> = tables(&text).into_iter().map(|span| &text[span]).collect();
            let expected: Vec<&str> = if table.contains("Mar") { vec![] } else { vec![table] };
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn lists_and_prose_are_no_tables() {
        for text in [
            "1.  Brest\n2.  Cork\n3.  Vigo\n",
            "Home | Harbours | Tides\n",
            "    It rose.  Then\n    it fell.\n    It rose again.\n",
            "- high\n- low\n- high\n",
            "So it rose, fell, rose again, and fell.\nThe boats, nets, men and gulls, all of them, rose.\nNobody, not even he, knew why, or when, it ends.\n",
            "Brest, Cork, Vigo\nCork, Vigo, Brest\nVigo, Brest, Cork\n",
            "",
        ] {
            assert_eq!(tables(text), [], "{text}");
        }
    }
}
