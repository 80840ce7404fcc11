//! The option `--keep`; the policies are in [`crate::search::keep`].

use crate::file::collection::Collection;
use crate::search::keep::{self, Keep};
use clap::Args;

use super::progress::Progress;

/// The option for that policy.
#[derive(Debug, Args)]
#[command(next_help_heading = "Rules")]
pub(super) struct Keeping {
    /// Policy that chooses which of near-duplicates is kept
    ///
    /// `first` and `last` go by the order of the input, `longest` and `shortest` by the length of the text in bytes,
    /// and `newest` and `oldest` by the time at which the file was changed. `field:NAME[:asc|desc]` keeps the least
    /// (asc, the default) or the greatest value of a field; at least one document must have the field, and documents
    /// without it come last. `source:A,B,…` prefers files whose names contain A, then B. Ties go to the lesser id.
    #[arg(long, value_name = "POLICY", default_value = "longest", value_parser = policy)]
    keep: Policy,
}

#[derive(Debug, Clone)]
struct Policy {
    keep: Keep,
    field: Option<String>,
}

fn policy(value: &str) -> Result<Policy, String> {
    let (keep, field) = keep::named(value)?;
    Ok(Policy { keep, field })
}

impl Keeping {
    /// Checks that documents have the field of the policy.
    pub(super) fn check(&self, collection: &Collection, progress: &Progress) -> Result<(), String> {
        let Some(wanted) = &self.keep.field else { return Ok(()) };
        for (_, file) in collection.files() {
            let name = file.path();
            match file.key_field() {
                Some(field) if field == wanted => {}
                Some(field) => {
                    return Err(format!(
                        "{name}: stores the field '{field}', not '{wanted}'; give --keep field:{field}, or make the \
                         file again with --key-field {wanted}"
                    ));
                }
                None => return Err(format!("{name}: stores no field; make the file again with --key-field {wanted}")),
            }
        }
        let all = collection.len();
        let without = (0..all as u32).filter(|&document| collection.key(document).is_none()).count();
        if without == all && all > 0 {
            return Err(format!("no document has the field '{wanted}' of --keep; check its name, or name another"));
        }
        if without > 0 {
            progress.say(&format!(
                "{without} of {all} documents have no field '{wanted}'; documents that have it are preferred"
            ));
        }
        Ok(())
    }

    /// The library's policy.
    pub(super) fn policy(&self) -> Keep {
        self.keep.keep.clone()
    }

    /// The field of the policy, if it has one.
    pub(super) fn key(&self) -> Option<String> {
        self.keep.field.clone()
    }
}
