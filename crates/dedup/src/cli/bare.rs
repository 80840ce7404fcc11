//! The two-file form, `dedup FILE1 FILE2 [max N] [min N]`.
//!
//! It is rewritten to `dedup compare [--max=N] [--min=N] -- FILE1 FILE2` before clap parses it, so that everything
//! else keeps clap's help and its "did you mean". Options of `compare` may follow the files.

use std::ffi::OsString;
use std::path::Path;

/// A command line for clap to parse.
#[derive(Debug)]
pub(super) struct Invocation {
    /// The arguments, the program's name first.
    pub(super) args: Vec<OsString>,
    /// True if it was the two-file form.
    pub(super) is_bare: bool,
}

/// Rewrites the two-file form to a `compare` command; any other command line is unchanged.
///
/// # Errors
///
/// A message that names the mistake in a two-file form and shows a correct one.
pub(super) fn rewrite(args: Vec<OsString>, command: &clap::Command) -> Result<Invocation, String> {
    Ok(match two_files(&args, command)? {
        Some(args) => Invocation { args, is_bare: true },
        None => Invocation { args, is_bare: false },
    })
}

/// A two-file form as a comparison; `None` leaves the arguments to clap.
fn two_files(args: &[OsString], command: &clap::Command) -> Result<Option<Vec<OsString>>, String> {
    let after_dashes = args.get(1).is_some_and(|first| first == "--");
    let given = args.get(if after_dashes { 2 } else { 1 }..).unwrap_or_default();
    let Some((first, rest)) = given.split_first() else { return Ok(None) };
    let is_option = |arg: &OsString| !after_dashes && arg != "-" && arg.as_encoded_bytes().starts_with(b"-");
    let is_command = first == "help" || command.find_subcommand(first).is_some();
    let is_file = after_dashes || first == "-" || Path::new(first).exists();
    let is_mistyped = !is_file && is_like_a_command(&first.to_string_lossy(), command);
    if is_option(first) || is_mistyped || is_command && !after_dashes {
        return Ok(None);
    }
    // If the first argument is not a file, it may be a mistyped command, which clap explains.
    let mistake = |message| if is_file { Err(message) } else { Ok(None) };
    let Some((second, words)) = rest.split_first() else {
        if Path::new(first).is_dir() {
            return Err(of_folder(first));
        }
        return mistake(format!("{}: the second file is missing. {FORM}", first.display()));
    };
    if is_option(second) {
        return mistake(format!("{}: options come after the second file. {FORM}", second.display()));
    }
    if let Some(folder) = [first, second].into_iter().find(|file| Path::new(file).is_dir()) {
        return mistake(of_folder(folder));
    }
    let options = match options(words) {
        Ok(options) => options,
        Err(message) => return mistake(message),
    };
    let files = ["--".into(), first.clone(), second.clone()];
    Ok(Some([args[0].clone(), "compare".into()].into_iter().chain(options).chain(files).collect()))
}

/// The message for a folder in place of a file.
fn of_folder(folder: &OsString) -> String {
    let shown = Path::new(folder).display();
    format!(
        "{shown}: is a folder; `dedup find {shown}` lists the near-duplicates in it, `dedup audit {shown}` what each file \
         is to the others, `dedup screen {shown}` the passages that its documents share. {FORM}"
    )
}

/// True if clap will suggest a command for this name; clap measures the similarity in the same way.
fn is_like_a_command(name: &str, command: &clap::Command) -> bool {
    // A name of one or two letters is similar to too many commands, and names of files have dots.
    let may_be = name.len() > 2 && !name.contains(['.', '/', '\\']);
    may_be && command.get_subcommands().any(|command| strsim::jaro(name, command.get_name()) > 0.7)
}

const FORM: &str = "Two files are compared like this: dedup FILE1 FILE2 max 3 min 3";

/// The arguments after the files, as options of `compare`.
fn options(words: &[OsString]) -> Result<Vec<OsString>, String> {
    let mut options = Vec::new();
    let mut seen = Vec::new();
    // A closing `--` separates nothing.
    let mut words = words.strip_suffix(&[OsString::from("--")]).unwrap_or(words).iter();
    while let Some(word) = words.next() {
        if word.as_encoded_bytes().starts_with(b"-") {
            options.push(word.clone());
            options.extend(words.cloned());
            break;
        }
        let name = word.to_string_lossy().to_lowercase();
        if name != "max" && name != "min" {
            return Err(format!("'{}' was not expected after two files. {FORM}", word.display()));
        }
        if seen.contains(&name) {
            return Err(format!("{name} was given twice. {FORM}"));
        }
        let number = words
            .next()
            .ok_or_else(|| format!("{name} needs a number: the size of n-grams in words or terms. {FORM}"))?;
        let number = number.to_string_lossy();
        if number.is_empty() || !number.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(format!(
                "{name} '{number}': expected a whole number, the size of n-grams in words or terms. {FORM}"
            ));
        }
        options.push(format!("--{name}={number}").into());
        seen.push(name);
    }
    Ok(options)
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    fn rewritten(line: &str) -> Result<String, String> {
        let args = std::iter::once("dedup").chain(line.split_whitespace()).map(OsString::from).collect();
        let Invocation { args, is_bare } = rewrite(args, &super::super::Cli::command())?;
        let words: Vec<_> = args[1..].iter().map(|arg| arg.to_string_lossy()).collect();
        Ok(format!("{}{}", if is_bare { "bare " } else { "" }, words.join(" ")))
    }

    #[test]
    fn two_files_become_a_comparison() {
        for (line, expected) in [
            ("a b", "bare compare -- a b"),
            ("a b max 4 min 2", "bare compare --max=4 --min=2 -- a b"),
            ("a b --", "bare compare -- a b"),
            ("a b MIN 2", "bare compare --min=2 -- a b"),
            ("a - Max 5", "bare compare --max=5 -- a -"),
            ("- b --format json", "bare compare --format json -- - b"),
            ("a b max 4 --language eng", "bare compare --max=4 --language eng -- a b"),
            ("./max ./min", "bare compare -- ./max ./min"),
            ("-- compare max min 2", "bare compare --min=2 -- compare max"),
        ] {
            assert_eq!(rewritten(line).as_deref(), Ok(expected), "{line}");
        }
    }

    #[test]
    fn everything_else_is_left_to_clap() {
        for line in [
            "",
            "--help",
            "-V",
            "compare a b",
            "help compare",
            "nothing",
            "comprae a b",
            "fnd letters",
            "langauges --format json",
        ] {
            assert_eq!(rewritten(line).as_deref(), Ok(line));
        }
    }

    #[test]
    fn mistakes_after_two_files_are_explained() {
        // Cargo.toml is a file in the folder that tests run in.
        for (line, expected) in [
            ("Cargo.toml b max", "max needs a number"),
            ("Cargo.toml b max x", "max 'x': expected a whole number"),
            ("Cargo.toml b max 3 max 4", "max was given twice"),
            ("Cargo.toml b c", "'c' was not expected after two files"),
            ("Cargo.toml", "Cargo.toml: the second file is missing"),
            ("-- a", "a: the second file is missing"),
            ("Cargo.toml --format json b", "--format: options come after the second file"),
        ] {
            let message = rewritten(line).unwrap_err();
            assert!(message.starts_with(expected) && message.contains("max 3 min 3"), "{message}");
        }
    }
}
