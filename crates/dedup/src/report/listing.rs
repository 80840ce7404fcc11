//! Lists of clusters, pairs, neighbours and other items, in any [`Form`].
//!
//! [`Listing`] writes items as they come, so that a list may be larger than memory.

mod items;
mod likeness;
mod review;
pub mod seal;

use std::io::{self, Write};

use serde::Serialize;

use super::json;
use super::table::{self, Cell};
pub use items::{Cluster, Contained, Dates, File, ListedRemoval, Member, Nearest, Pair, Removed};
pub(super) use items::{origin_in_words, rfc_3339};
pub use likeness::Likeness;
pub use review::Reviewed;

/// The format of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// For people.
    Text,
    /// One JSON array.
    Json,
    /// One JSON object per line.
    Jsonl,
    /// A table with a heading, in which no text acts as a formula or controls a terminal ([`table`]).
    Csv,
}

/// An item of a list.
pub trait Item: Serialize {
    /// The names of the table's columns.
    const COLUMNS: &'static [&'static str];

    /// True if the list ends with a closing line in JSON Lines and CSV, so that a list that was cut is recognised
    /// ([`seal`]).
    const IS_SEALED: bool = false;

    /// Writes the item for a person.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    fn write_text(&self, out: &mut dyn Write) -> io::Result<()>;

    /// The rows of the item in a table.
    fn rows(&self) -> Vec<Vec<Cell>>;
}

/// A list that is being written.
#[derive(Debug)]
pub struct Listing<W> {
    out: W,
    form: Form,
    items: u64,
}

impl<W: Write> Listing<W> {
    /// Begins a list.
    pub fn new(out: W, form: Form) -> Self {
        Self { out, form, items: 0 }
    }

    /// The number of items so far.
    pub fn items(&self) -> u64 {
        self.items
    }

    /// Adds an item.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn push<I: Item>(&mut self, item: &I) -> io::Result<()> {
        match self.form {
            Form::Text => item.write_text(&mut self.out)?,
            Form::Jsonl => {
                json::write(&mut self.out, item)?;
                self.out.write_all(b"\n")?;
            }
            Form::Json => {
                self.out.write_all(if self.items == 0 { b"[\n" } else { b",\n" })?;
                json::write(&mut self.out, item)?;
            }
            Form::Csv => {
                if self.items == 0 {
                    self.out.write_all(&table::heading(I::COLUMNS)?)?;
                }
                for cells in item.rows() {
                    self.out.write_all(&table::row(&cells)?)?;
                }
            }
        }
        self.items += 1;
        Ok(())
    }

    /// Ends the list, which may be empty.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn finish<I: Item>(mut self) -> io::Result<()> {
        match self.form {
            Form::Json if self.items == 0 => self.out.write_all(b"[]\n")?,
            Form::Json => self.out.write_all(b"\n]\n")?,
            Form::Csv if self.items == 0 => self.out.write_all(&table::heading(I::COLUMNS)?)?,
            _ => {}
        }
        match self.form {
            Form::Jsonl if I::IS_SEALED => seal::close(&mut self.out, self.items)?,
            Form::Csv if I::IS_SEALED => {
                self.out.write_all(&table::row(&seal::closing_row(I::COLUMNS, self.items))?)?;
            }
            _ => {}
        }
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use nearcopy::similarity::{Figures, Removal, Rules};

    use super::*;
    use crate::jobs::find::Judged;

    fn likeness() -> Likeness {
        let figures = Figures {
            distance: Some(2),
            jaccard_estimate: Some(0.96),
            jaccard: Some(0.9375),
            containment_a: Some(1.0),
            containment_b: Some(0.9375),
            words: 40,
            ..Figures::default()
        };
        Likeness::from(Judged::of(figures, Rules::default().judge(&figures), Some(Removal::Edited)))
    }

    fn written(form: Form, clusters: usize, own_row: bool) -> String {
        let mut out = Vec::new();
        let mut listing = Listing::new(&mut out, form);
        for _ in 0..clusters {
            let file = Some(File::new(12, 1_770_091_506_000_000_000));
            let members = vec![Member { id: "b,1", likeness: likeness(), file }];
            let (survivor, file) = ("a\x1b[2J", None);
            listing.push(&Cluster { group: 1, survivor, file, has_own_row: own_row, members }).unwrap();
        }
        listing.finish::<Cluster<'_>>().unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn every_form_of_a_cluster() {
        assert_eq!(
            written(Form::Text, 1, false),
            "a\u{FFFD}[2J\n   b,1   2 bits  Jaccard  93.75 %  by hamming, jaccard  removal: edited\n"
        );
        let json = "{\"group\":1,\"survivor\":\"a\\u001b[2J\",\"members\":[{\"id\":\"b,1\",\"distance\":2,\"jaccard_estimate\":0.96,\
                    \"jaccard\":0.9375,\"containment_a\":1.0,\"containment_b\":0.9375,\"rules\":[\"hamming\",\"jaccard\"],\"removal\":\"edited\",\"file_bytes\":12,\"file_modified\":\"2026-02-03T04:05:06Z\"}]}";
        assert_eq!(written(Form::Jsonl, 2, false), format!("{json}\n{json}\n"));
        assert_eq!(written(Form::Json, 2, false), format!("[\n{json},\n{json}\n]\n"));
        let csv = "survivor,id,distance,jaccard_estimate,jaccard,containment_a,containment_b,rules,removal,group,file_bytes,file_modified\n";
        let row = "a\\u001B[2J,\"b,1\",2,0.96,0.9375,1,0.9375,hamming jaccard,edited,1,12,2026-02-03T04:05:06Z\n";
        assert_eq!(written(Form::Csv, 1, false), format!("{csv}{row}"));
        let own = "a\\u001B[2J,a\\u001B[2J,,,,,,,,1,,\n";
        assert_eq!(written(Form::Csv, 1, true), format!("{csv}{own}{row}"));
    }

    #[test]
    fn an_empty_list_is_one_all_the_same() {
        assert_eq!([Form::Text, Form::Json, Form::Jsonl].map(|form| written(form, 0, false)), ["", "[]\n", ""]);
        assert!(written(Form::Csv, 0, false).starts_with("survivor,id,"));
    }
}
