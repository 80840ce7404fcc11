//! Options for texts that were typed where no text is among the inputs.

use std::path::PathBuf;

use clap::{ArgMatches, Command, parser::ValueSource};
use nearcopy::corpus::source;
use nearcopy::file::map::is_fingerprint_file;

/// The structs of options that say how texts are read, become fingerprints, and whose they are.
const FOR_TEXTS: [&str; 3] = ["Making", "Corpus", "Authorship"];

/// Options of these that hold for any input: fingerprint files have no problems.
const FOR_ALL: [&str; 2] = ["strict", "problems"];

/// The options for texts on a command line, by their long names.
#[derive(Debug)]
pub(super) struct TypedForTexts(Vec<String>);

impl TypedForTexts {
    /// Those of the command that was given, however deep it is nested.
    pub(super) fn of(command: &Command, matches: &ArgMatches) -> Self {
        if let Some((name, matches)) = matches.subcommand()
            && let Some(command) = command.find_subcommand(name)
        {
            return Self::of(command, matches);
        }
        let groups = command.get_groups().filter(|group| FOR_TEXTS.contains(&group.get_id().as_str()));
        let is_typed = |id: &&clap::Id| matches.value_source(id.as_str()) == Some(ValueSource::CommandLine);
        let ids = groups.flat_map(clap::ArgGroup::get_args).filter(is_typed).map(clap::Id::as_str);
        let long = |id: &str| command.get_arguments().find(|arg| arg.get_id() == id)?.get_long().map(str::to_owned);
        Self(ids.filter(|id| !FOR_ALL.contains(id)).filter_map(long).collect())
    }

    /// Checks that there is a text among the inputs, if there is an option for one.
    ///
    /// # Errors
    ///
    /// The first fingerprint file, the first option, and what to do.
    pub(super) fn check<'a>(&self, inputs: impl IntoIterator<Item = &'a PathBuf>) -> Result<(), String> {
        let mut inputs = inputs.into_iter().peekable();
        let (Some(option), Some(&first)) = (self.0.first(), inputs.peek()) else { return Ok(()) };
        if inputs.any(|input| !is_fingerprint_file(input)) {
            return Ok(());
        }
        Err(format!(
            "{}: holds finished fingerprints, to which --{option} does not apply; leave it out, or give it when the file \
             is made anew from its texts",
            source::name(first)
        ))
    }
}
