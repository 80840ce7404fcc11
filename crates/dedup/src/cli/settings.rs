//! The options of this run as programs see them, for `--summary`.

use std::any::TypeId;
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::sync::OnceLock;

use clap::{Arg, ArgAction, ArgMatches, Command, builder::ValueRange, parser::ValueSource};
use serde_json::{Map, Value};

/// The options of this run: those that were given, and those that have a default.
static SETTINGS: OnceLock<Map<String, Value>> = OnceLock::new();

/// Notes the options of the command that was given.
pub(super) fn note(command: &Command, matches: &ArgMatches) {
    let options = command.get_arguments().filter_map(|arg| {
        let name = arg.get_long()?.replace('-', "_");
        Some((name, value(arg, matches)?))
    });
    SETTINGS.get_or_init(|| options.collect());
}

/// The options that were noted, by their names with `_` for `-`; `decided` are those whose default is chosen in the run.
pub(super) fn with(decided: impl IntoIterator<Item = (&'static str, Value)>) -> Map<String, Value> {
    let mut options = SETTINGS.get().cloned().unwrap_or_default();
    options.extend(decided.into_iter().map(|(name, value)| (name.to_owned(), value)));
    options
}

fn value(arg: &Arg, matches: &ArgMatches) -> Option<Value> {
    let id = arg.get_id().as_str();
    // Those of clap itself, such as --help, have no value.
    let source = matches.value_source(id)?;
    let given = matches.try_get_raw(id).ok().flatten().into_iter().flatten();
    let mut values: Vec<Value> = given.map(|given| typed(arg, given)).collect();
    if values.is_empty() {
        // An option whose value may be left out.
        return (source == ValueSource::CommandLine).then_some(Value::Bool(true));
    }
    let is_list = matches!(arg.get_action(), ArgAction::Append)
        || arg.get_num_args().is_some_and(|range| range.max_values() > ValueRange::SINGLE.max_values());
    if is_list { Some(Value::Array(values)) } else { values.pop() }
}

/// A value: a truth value or a number if it is one and no name, otherwise as it was typed.
fn typed(arg: &Arg, given: &OsStr) -> Value {
    let text = given.to_string_lossy();
    let is_of = |of: &[TypeId]| of.iter().any(|of| arg.get_value_parser().type_id() == *of);
    let names = [TypeId::of::<String>(), TypeId::of::<PathBuf>(), TypeId::of::<OsString>()];
    let number = || text.parse::<u64>().map(Value::from).ok().or_else(|| text.parse::<f64>().map(Value::from).ok());
    if is_of(&[TypeId::of::<bool>()]) {
        return Value::Bool(text == "true");
    }
    (!is_of(&names)).then(number).flatten().unwrap_or_else(|| Value::from(text))
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory, FromArgMatches};
    use serde_json::json;

    use super::*;

    #[derive(Debug, clap::Parser)]
    struct Options {
        #[arg(long, default_value_t = 3)]
        most: u32,
        #[arg(long)]
        share: Option<f64>,
        #[arg(long)]
        dry_run: bool,
        #[arg(long, value_delimiter = ',')]
        fields: Vec<String>,
        #[arg(long, num_args = 0..=1, require_equals = true)]
        #[expect(clippy::option_option, reason = "an option whose value may be left out")]
        rewritten: Option<Option<f64>>,
        inputs: Vec<String>,
    }

    #[test]
    fn values_have_their_types() {
        let of = |args: &[&str]| {
            let command = Options::command();
            let matches = command.clone().get_matches_from([&["dedup"], args].concat());
            Options::from_arg_matches(&matches).unwrap();
            let options = command.get_arguments().filter_map(|arg| Some((arg.get_long()?, value(arg, &matches)?)));
            Value::Object(options.map(|(name, value)| (name.to_owned(), value)).collect())
        };
        assert_eq!(of(&["a"]), json!({"most": 3, "dry-run": false}));
        assert_eq!(
            of(&["a", "--share", ".5", "--dry-run", "--fields", "1,b", "--rewritten"]),
            json!({"most": 3, "share": 0.5, "dry-run": true, "fields": ["1", "b"], "rewritten": true})
        );
        assert_eq!(of(&["--rewritten=0.2"])["rewritten"], json!(0.2));
    }
}
