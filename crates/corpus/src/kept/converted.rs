//! Records of another format, written to one Parquet file or to shards.

use std::io::{self, Write};

use super::shard::{Shards, closed};
use crate::records::ConvertedRows;
use crate::records::convert::{NotConverted, Row};

/// A Parquet file of converted records.
pub(super) struct Converted<W: Write + Send> {
    /// `None` only after an error.
    rows: Option<Box<ConvertedRows<W>>>,
    /// Number of records in this shard.
    records: u64,
    shards: Option<Shards<W>>,
}

impl<W: Write + Send> Converted<W> {
    pub(super) fn new(rows: ConvertedRows<W>, shards: Option<Shards<W>>) -> Self {
        Self { rows: Some(Box::new(rows)), records: 0, shards }
    }

    pub(super) fn push(&mut self, fields: &Row) -> Result<(), NotConverted> {
        let mut rows = self.rows.take().ok_or_else(closed)?;
        if let Some(shards) = &mut self.shards {
            let more = fields.iter().map(|(_, value)| value.len() as u64).sum();
            if shards.is_full(self.records, rows.size(), more) {
                rows = Box::new(rows.next(&mut *shards.next)?);
                self.records = 0;
            }
        }
        rows.push(fields)?;
        self.records += 1;
        self.rows = Some(rows);
        Ok(())
    }

    pub(super) fn finish(self) -> io::Result<W> {
        self.rows.ok_or_else(closed)?.finish()
    }
}
