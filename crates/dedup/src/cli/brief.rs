//! Three pages of help: `-h` has the options that most users need, on one screen, with the first clause of their
//! descriptions; `--help` has whole descriptions, and at most 25 options of a command; `--help-all` and the manual have
//! all.

use std::ffi::OsString;

use clap::{Arg, Command};

/// The options that `-h` shows, by their long names.
const SHOWN: [&str; 49] = [
    "output",
    "plan",
    "move-to",
    "link",
    "undo",
    "print0",
    "remove",
    "contained",
    "force",
    "apply",
    "all",
    "dry-run",
    "list",
    "similarity",
    "distance",
    "keep",
    "repeats",
    "lines",
    "report",
    "pairs",
    "against",
    "lexicon",
    "neighbours",
    "of",
    "format",
    "diff",
    "unique",
    "replace",
    "skip",
    "from",
    "passages",
    "ignore",
    "authors",
    "html",
    "save",
    "no-quotations",
    "glob",
    "text-field",
    "id-field",
    "min",
    "max",
    "language",
    "full",
    "quiet",
    "drop",
    "cut",
    "clean-benchmark",
    "field",
    "need",
];

/// The options that only `--help-all` shows, by their long names: those of one job in a hundred.
const RARE: [&str; 45] = [
    "across-formats",
    "all-lines",
    "attributes",
    "author-field",
    "author-pattern",
    "checkpoint",
    "convert-timeout",
    "counts",
    "coverage",
    "encoding",
    "follow",
    "hidden",
    "id",
    "max-cut",
    "max-document",
    "max-documents",
    "min-left",
    "min-words",
    "min-probability",
    "names",
    "no-code",
    "no-common",
    "no-ignore",
    "no-stem",
    "ocr-language",
    "of",
    "paragraphs",
    "per-site",
    "problems",
    "recall",
    "shard",
    "shard-size",
    "shingles",
    "sketches",
    "stop-words",
    "strict",
    "summary",
    "temp",
    "threshold-alone",
    "title",
    "translated",
    "type",
    "url-field",
    "verbatim",
    "verbose",
];

/// The page of help that was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Page {
    /// `-h` or `--help`.
    Usual,
    /// `--help-all`.
    All,
}

/// Replaces `--help-all` by `--help`, for a page of all options.
pub(super) fn page(args: &mut [OsString]) -> Page {
    let options = args.iter_mut().take_while(|arg| *arg != "--");
    match options.skip(1).find(|arg| *arg == "--help-all") {
        Some(all) => {
            *all = "--help".into();
            Page::All
        }
        None => Page::Usual,
    }
}

/// Shortens the `-h` page of a command and of its subcommands, and their `--help` page unless all options are asked for.
pub(super) fn brief(command: Command, page: Page) -> Command {
    let path = command.get_name().to_owned();
    named(command, &path, page)
}

fn named(command: Command, path: &str, page: Page) -> Command {
    let names: Vec<String> = command.get_subcommands().map(|command| command.get_name().to_owned()).collect();
    let command = names.into_iter().fold(command, |command, name| {
        let path = format!("{path} {name}");
        command.mut_subcommand(name, |command| named(command, &path, page))
    });
    let has_more = command.get_arguments().any(is_left_out);
    let example = command.get_after_long_help().map(ToString::to_string).unwrap_or_default();
    let example = example.lines().find_map(|line| line.strip_prefix("  dedup "));
    let lines = [
        example.map(|example| format!("Example: dedup {example}")),
        has_more.then(|| format!("More options, and more examples: {path} --help")),
    ];
    let lines: Vec<String> = lines.into_iter().flatten().collect();
    let command = if page == Page::Usual && command.get_arguments().any(is_rare) {
        let after = command.get_after_long_help().map(ToString::to_string).unwrap_or_default();
        let after = format!("{after}\n\nFurther options, for reading, comparing and memory: {path} --help-all");
        command.after_long_help(after.trim_start().to_owned()).mut_args(|arg| {
            let is_hidden = is_rare(&arg);
            arg.hide_long_help(is_hidden)
        })
    } else {
        command
    };
    let command = command.mut_args(short);
    if lines.is_empty() || command.get_after_help().is_some() { command } else { command.after_help(lines.join("\n")) }
}

fn is_left_out(arg: &Arg) -> bool {
    arg.get_long().is_some_and(|name| !SHOWN.contains(&name))
}

fn is_rare(arg: &Arg) -> bool {
    arg.get_long().is_some_and(|name| RARE.contains(&name))
}

/// Shortens the help of an option to its first clause, or hides it from `-h`.
fn short(arg: Arg) -> Arg {
    let is_left_out = is_left_out(&arg);
    let arg = match arg.get_help().map(ToString::to_string) {
        Some(whole) if arg.get_long_help().is_none() => arg.help(first_clause(&whole).to_owned()).long_help(whole),
        _ => arg,
    };
    arg.hide_short_help(is_left_out)
}

/// The text up to its first full stop, semicolon, colon or bracket; all of it if it has none.
fn first_clause(help: &str) -> &str {
    let ends = [". ", "; ", ": ", " ("].into_iter().filter_map(|end| help.find(end));
    &help[..ends.min().unwrap_or(help.len())]
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn clauses_end_at_signs() {
        for (help, expected) in [
            ("Stop words: `auto` for the language's own", "Stop words"),
            ("Stop at the first record that cannot be read", "Stop at the first record that cannot be read"),
            ("Least length, in words. Shorter ones (of 9) go", "Least length, in words"),
        ] {
            assert_eq!(first_clause(help), expected);
        }
    }

    #[test]
    fn what_is_shown_is_there() {
        let command = super::super::Cli::command();
        let mut all: Vec<String> = Vec::new();
        let mut waiting = vec![&command];
        while let Some(command) = waiting.pop() {
            all.extend(command.get_arguments().filter_map(Arg::get_long).map(str::to_owned));
            waiting.extend(command.get_subcommands());
        }
        for name in SHOWN.into_iter().chain(RARE) {
            assert!(all.iter().any(|other| other == name), "{name}");
        }
    }
}
