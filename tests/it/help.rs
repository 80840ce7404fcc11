//! Help, the manual, completions and the table of languages.

use crate::folder::dedup;

const COMMANDS: [&str; 5] = ["compare", "explain", "languages", "completions", "man"];

/// Every example of the help that starts with `dedup` and has no shell in it works.
#[test]
fn examples_of_the_help_run() {
    let mut run = 0;
    let pages = COMMANDS.iter().map(|command| format!("{command} --help")).chain(["--help".into()]);
    for page in pages {
        let help = dedup(&page);
        assert_eq!(help.code, 0);
        assert!(help.stdout.contains("Examples:"), "{page}");
        for line in help.stdout.lines() {
            let Some(example) = line.strip_prefix("  dedup ") else { continue };
            let example = example.split(['|', '>']).next().unwrap();
            if example.contains("-- compare max") || example.starts_with("FILE") || example.starts_with('<') {
                continue;
            }
            let answer = dedup(example);
            assert!(answer.code < 2 && answer.stderr.is_empty(), "{example}: {answer:?}");
            run += 1;
        }
    }
    assert!(run >= 14, "{run} examples");
}

#[test]
fn every_command_has_a_manual_page() {
    assert!(dedup("man").stdout.contains(".TH dedup 1"));
    for command in COMMANDS {
        let page = dedup(&format!("man {command}")).stdout;
        assert!(page.contains(&format!(".TH dedup-{command} 1")), "{page}");
        assert!(page.contains(".SH EXAMPLES\n.nf\n\\&  dedup "), "{page}");
    }
    dedup("man nothing").fails_saying("there is no command 'nothing'");
}

#[test]
fn every_shell_has_completions() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        assert!(dedup(&format!("completions {shell}")).stdout.contains("similarity"), "{shell}");
    }
    assert_eq!(dedup("completions tcsh").code, 2);
}

#[test]
fn the_table_of_languages() {
    let text = dedup("languages").stdout;
    let header = "code  short  name           detected  stop words  stemmer                   words by";
    assert_eq!(text.lines().next(), Some(header));
    for line in [
        "cat   ca     Catalan        yes              268  frostem catalan           spaces",
        "eng   en     English        yes              198  rust-stemmers english     spaces",
        "lao   lo     Lao            yes                -  -                         dictionary",
        "eus   eu     Basque         no               246  frostem basque            spaces",
    ] {
        assert!(text.lines().any(|found| found == line), "{line}\n{text}");
    }
    let json = dedup("languages --format json").json();
    assert_eq!(json.as_array().unwrap().len(), text.lines().count() - 1);
    assert_eq!(json.as_array().unwrap().iter().filter(|row| row["detected"] == true).count(), 71);
}

#[test]
fn no_arguments_show_the_help_and_fail() {
    let answer = dedup("");
    assert_eq!(answer.code, 2);
    assert!(answer.stderr.contains("Usage: dedup FILE1 FILE2 [max N] [min N]"));
    assert_eq!(dedup("--version").stdout, "dedup 0.1.0\n");
}
