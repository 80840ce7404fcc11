//! The check that options for texts are given only if a text is among the inputs.

use std::path::PathBuf;

use clap::{ArgMatches, Command, parser::ValueSource};
use nearcopy::store::file::map::is_fingerprint_file;
use nearcopy_corpus::source;

/// The argument structs whose options apply to texts only.
const FOR_TEXTS: [&str; 4] = ["FingerprintArgs", "Corpus", "AuthorArgs", "ConvertArgs"];

/// Options of `Corpus`: its group has none, as a struct is flattened into it.
const OF_CORPUS: [&str; 11] = [
    "input",
    "text_field",
    "id_field",
    "id",
    "encoding",
    "max_document",
    "glob",
    "types",
    "hidden",
    "no_ignore",
    "follow",
];

/// Options in these structs that are accepted with any input; fingerprint files cause no problems.
const FOR_ALL: [&str; 2] = ["strict", "problems"];

/// The long names of the options for texts that were given on the command line.
#[derive(Debug)]
pub(super) struct TypedForTexts(Vec<String>);

impl TypedForTexts {
    /// Collects the options of the command that was given, however deep it is nested.
    pub(super) fn of(command: &Command, matches: &ArgMatches) -> Self {
        if let Some((name, matches)) = matches.subcommand()
            && let Some(command) = command.find_subcommand(name)
        {
            return Self::of(command, matches);
        }
        let groups = command.get_groups().filter(|group| FOR_TEXTS.contains(&group.get_id().as_str()));
        let has = |id: &str| command.get_arguments().any(|argument| argument.get_id() == id);
        let of_corpus = OF_CORPUS.into_iter().filter(|id| has(id));
        let all = groups.flat_map(clap::ArgGroup::get_args).map(clap::Id::as_str).chain(of_corpus);
        let ids = all.filter(|id| matches.value_source(id) == Some(ValueSource::CommandLine));
        let long = |id: &str| command.get_arguments().find(|arg| arg.get_id() == id)?.get_long().map(str::to_owned);
        Self(ids.filter(|id| !FOR_ALL.contains(id)).filter_map(long).collect())
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
