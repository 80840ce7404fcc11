//! The check that options for texts are given only if a text is among the inputs.

use std::path::PathBuf;

use clap::{ArgMatches, Command, parser::ValueSource};
use nearcopy::store::file::map::is_fingerprint_file;
use nearcopy_corpus::source;

/// The argument structs whose options apply to texts only.
const FOR_TEXTS: [&str; 4] = ["FingerprintArgs", "TextArgs", "AuthorArgs", "ConvertArgs"];

/// The long names of the options for texts that were given on the command line.
#[derive(Debug)]
pub(super) struct TypedForTexts(Vec<String>);

impl TypedForTexts {
    /// Collects the options of the command that was given.
    pub(super) fn of(command: &Command, matches: &ArgMatches) -> Self {
        let groups = command.get_groups().filter(|group| FOR_TEXTS.contains(&group.get_id().as_str()));
        let is_typed = |id: &&clap::Id| matches.value_source(id.as_str()) == Some(ValueSource::CommandLine);
        let ids = groups.flat_map(clap::ArgGroup::get_args).filter(is_typed);
        let long = |id| command.get_arguments().find(|arg| arg.get_id() == id)?.get_long().map(str::to_owned);
        Self(ids.filter_map(long).collect())
    }

    /// Checks that a text is among the inputs, if an option for texts was given.
    ///
    /// # Errors
    ///
    /// A message that names the first fingerprint file, the first option and the remedy.
    pub(super) fn check<'a>(&self, inputs: impl IntoIterator<Item = &'a PathBuf>) -> Result<(), String> {
        let mut inputs = inputs.into_iter().peekable();
        let (Some(option), Some(&first)) = (self.0.first(), inputs.peek()) else { return Ok(()) };
        if inputs.any(|input| !is_fingerprint_file(input)) {
            return Ok(());
        }
        Err(format!(
            "{}: holds finished fingerprints, to which --{option} does not apply; leave the option out, or make the \
             file again from its texts with it",
            source::name(first)
        ))
    }
}
