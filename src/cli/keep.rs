//! The option `--keep`; the policies are in [`crate::search::keep`].

use crate::file::collection::Collection;
use crate::search::keep::Keep;
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

const EXPECTED: &str = "expected first, last, longest, shortest, newest, oldest, field:NAME or source:A,B";

fn policy(value: &str) -> Result<Policy, String> {
    let plain = |keep| Ok(Policy { keep, field: None });
    match value.split_once(':') {
        None => match value {
            "first" => plain(Keep::First),
            "last" => plain(Keep::Last),
            "longest" => plain(Keep::Longest),
            "shortest" => plain(Keep::Shortest),
            "newest" => plain(Keep::Newest),
            "oldest" => plain(Keep::Oldest),
            _ => Err(EXPECTED.into()),
        },
        Some(("field", field)) => {
            let (field, keep) = match field.rsplit_once(':') {
                Some((field, "asc")) => (field, Keep::LeastKey),
                Some((field, "desc")) => (field, Keep::GreatestKey),
                _ => (field, Keep::LeastKey),
            };
            if field.is_empty() {
                return Err("field: needs a name, as in field:date:desc".into());
            }
            Ok(Policy { keep, field: Some(field.to_owned()) })
        }
        Some(("source", names)) => {
            let names: Vec<String> = names.split(',').map(str::to_owned).collect();
            if names.iter().any(String::is_empty) {
                return Err("source: needs names with commas between, as in source:books,web".into());
            }
            plain(Keep::Source(names))
        }
        Some(_) => Err(EXPECTED.into()),
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_policy_can_be_named() {
        let named = |value| policy(value).map(|policy| (policy.keep, policy.field));
        assert_eq!(named("first"), Ok((Keep::First, None)));
        assert_eq!(named("newest"), Ok((Keep::Newest, None)));
        assert_eq!(named("field:date"), Ok((Keep::LeastKey, Some("date".into()))));
        assert_eq!(named("field:meta:date:desc"), Ok((Keep::GreatestKey, Some("meta:date".into()))));
        assert_eq!(named("source:a,b"), Ok((Keep::Source(vec!["a".into(), "b".into()]), None)));
        for wrong in ["youngest", "field:", "source:", "source:a,,b", "file:x"] {
            assert!(policy(wrong).is_err(), "{wrong}");
        }
    }
}
