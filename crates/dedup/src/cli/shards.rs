//! Numbered files as an output: `-o out/part-*.jsonl`.

use std::path::{Path, PathBuf};

use clap::Args;

use super::corpus::bytes;
use crate::jobs::clean::shards::{DEFAULT_BYTES, Shards};

/// Options of shards.
#[derive(Debug, Args)]
pub(super) struct ShardArgs {
    /// Greatest size of a file in bytes as written (K, M, G for powers of 1024), if OUT is numbered by a `*`; 512M by default
    ///
    /// A file may be a little larger if it is compressed, and has at least one record.
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    shard_size: Option<u64>,
}

impl ShardArgs {
    /// The folder and the names of the shards, if an output names them.
    pub(super) fn of(&self, output: &Path) -> Result<Option<(PathBuf, Shards)>, String> {
        let shards = Shards::of(output, self.shard_size.unwrap_or(DEFAULT_BYTES))?;
        if shards.is_none() && self.shard_size.is_some() {
            let name = nearcopy_corpus::source::name(output);
            return Err(format!(
                "{name}: --shard-size needs a name with a * for the number, such as 'out/part-*.jsonl'"
            ));
        }
        Ok(shards)
    }

    /// Refuses the option where no corpus is written.
    pub(super) fn expect_none(&self) -> Result<(), String> {
        let said = "--shard-size is for a corpus that is written; leave it out";
        self.shard_size.map_or(Ok(()), |_| Err(said.into()))
    }
}
