//! Help, the manual, completions and the table of languages.

use std::fs;

use crate::folder::{Folder, dedup, project};
use crate::texts::{BEES, EDITED, HARBOUR, jsonl, packed, quoted};

const COMMANDS: [&str; 15] = [
    "compare",
    "fingerprint",
    "find",
    "clean",
    "screen",
    "decontaminate",
    "audit",
    "apply",
    "info",
    "verify",
    "cat",
    "explain",
    "languages",
    "completions",
    "man",
];

/// The project's data, and the files that the examples name but do not write.
fn workshop() -> Folder {
    let corpus = jsonl(&[("a", HARBOUR), ("b", EDITED), ("c", BEES)]);
    let folder = Folder::new()
        .file("corpus.jsonl", &corpus)
        .file("corpus.jsonl.zst", packed(".zst", &corpus))
        .file("articles.csv.gz", packed(".gz", format!("key,body\n1,\"{HARBOUR}\"\n2,\"{EDITED}\"\n")))
        .file("crawl/page.txt", HARBOUR)
        .file("crawl/dated.jsonl", "{\"date\":\"2026-01-02\",\"text\":\"words of a day\"}\n")
        .file("letters/first.txt", BEES)
        .file("test.jsonl", format!("{{\"question\":{},\"choices\":[\"bees\",\"tides\"]}}\n", quoted(BEES)))
        .file("gone.txt", "b\n")
        .file("compare", HARBOUR)
        .file("max", EDITED);
    let data = folder.files(&project().join("data").display().to_string());
    data.into_iter().fold(folder, |folder, (name, bytes)| folder.file(&format!("data/{name}"), bytes))
}

/// `-h` is one screen, with an example; `--help` has 25 options at most, `--help-all` all.
#[test]
fn short_help_fits_a_screen() {
    let nested =
        ["index add", "index sync", "index query", "index create", "lexicon import", "lexicon chain", "lexicon info"];
    for command in COMMANDS.iter().chain(&nested) {
        let [short, long] = ["-h", "--help"].map(|option| dedup(&format!("{command} {option}")).stdout);
        assert!(short.lines().count() <= 50, "{command}: {} lines\n{short}", short.lines().count());
        assert!(short.lines().count() <= long.lines().count(), "{command}");
        let has_example = ["languages", "completions"].contains(command) || short.contains("Example: dedup ");
        assert!(has_example, "{command}: {short}");
    }
    assert!(dedup("clean --help").stdout.contains("--max-memory"));
    let options = |page: &str| {
        let is_option = |line: &&str| line.starts_with("      --");
        let is_short = |line: &&str| line.starts_with("  -") && line.contains(", --");
        page.lines().filter(|line| is_option(line) || is_short(line)).count()
    };
    for command in COMMANDS.iter().chain(&nested) {
        let [usual, all] = ["--help", "--help-all"].map(|option| dedup(&format!("{command} {option}")).stdout);
        assert!(options(&usual) <= 25 && options(&usual) <= options(&all), "{command}: {usual}");
        assert!(!all.contains("Args"), "{command}: a name of the code");
        assert_eq!(usual.contains("--help-all"), options(&usual) < options(&all), "{command}");
    }
    assert!(dedup("find --help-all").stdout.contains("--sketches"));
    assert!(!dedup("clean -h").stdout.contains("--max-memory"));
}

/// Runs the examples of a page of help that start with `dedup`, one after another in one folder, but for what the
/// shell does before and after; the number of examples run.
fn run_examples(folder: &Folder, page: &str) -> usize {
    let help = dedup(page);
    assert_eq!(help.code, 0);
    let (_, examples) = help.stdout.split_once("Examples:\n").unwrap_or_else(|| panic!("{page}"));
    let mut run = 0;
    for line in examples.lines() {
        let Some(example) = line.strip_prefix("  dedup ") else { continue };
        let example = example.split(['|', '>']).next().unwrap();
        if example.contains("-o texts.parquet") && !cfg!(feature = "parquet") {
            continue;
        }
        let answer = folder.dedup(example);
        assert!(answer.code < 2, "{example}: {answer:?}");
        // Commands that read many documents report their progress.
        let is_long = ["fingerprint", "find", "clean", "screen", "decontaminate", "audit", "apply", "index", "lexicon"]
            .iter()
            .any(|start| example.starts_with(start));
        assert!(is_long || answer.stderr.is_empty(), "{example}: {answer:?}");
        run += 1;
    }
    run
}

#[test]
fn examples_of_the_help_run() {
    let folder = workshop();
    let pages = COMMANDS.iter().map(|command| format!("{command} --help")).chain(["--help".into()]);
    let run: usize = pages.map(|page| run_examples(&folder, &page)).sum();
    assert!(run >= 30, "{run} examples");
}

/// Each page of `index` in a folder where the commands that it takes for granted were run.
#[test]
fn examples_of_the_help_of_the_index_run() {
    for (command, before) in [
        ("", &[][..]),
        ("create", &[]),
        ("add", &["index create letters", "fingerprint -q --id-field id drafts.jsonl -o corpus.fp"]),
        ("query", &["index create letters", "index add -q letters data/texts"]),
        ("sync", &["index create letters", "index add -q letters data/texts"]),
        ("remove", &["index create letters", "index add -q letters data/texts/eng", "index add -q letters b"]),
    ] {
        let folder = workshop()
            .file("news.jsonl", jsonl(&[("d", EDITED), ("e", BEES)]))
            .file("new.jsonl", jsonl(&[("f", EDITED)]))
            .file("drafts.jsonl", jsonl(&[("g", HARBOUR), ("h", BEES)]))
            .file("letter.txt", HARBOUR)
            .file("b", BEES);
        // The name of the index; elsewhere a folder of texts.
        fs::remove_dir_all(folder.path().join("letters")).unwrap();
        for line in before {
            assert_eq!(folder.dedup(line).code, 0, "{line}: {:?}", folder.dedup(line));
        }
        assert!(run_examples(&folder, &format!("index {command} --help")) > 0, "{command}");
    }
}

#[test]
fn examples_of_the_help_of_lexicons_run() {
    let folder = Folder::new().file("de-en.tsv", "Haus\thouse\n").file("en-fr.tsv", "house\tmaison\n");
    folder.dedup("lexicon import -q en-fr.tsv -o en-fr.lex").quietly(0);
    assert_eq!(run_examples(&folder, "lexicon --help"), 3);
    fs::remove_file(folder.path().join("de-fr.lex")).unwrap();
    assert_eq!(run_examples(&folder, "lexicon chain --help"), 1);
    assert_eq!(run_examples(&folder, "lexicon info --help"), 2);
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
        "eus   eu     Basque         yes              246  frostem basque            spaces",
    ] {
        assert!(text.lines().any(|found| found == line), "{line}\n{text}");
    }
    let json = dedup("languages --format json").json();
    assert_eq!(json.as_array().unwrap().len(), text.lines().count() - 1);
    assert_eq!(json.as_array().unwrap().iter().filter(|row| row["detected"] == true).count(), 84);
}

#[test]
fn no_arguments_show_a_command_for_each_job_and_fail() {
    let answer = dedup("");
    assert_eq!(answer.code, 2);
    let jobs = answer.stderr.lines().filter(|line| line.starts_with("  dedup "));
    assert_eq!((jobs.count(), answer.stderr.lines().count()), (7, 9), "{answer:?}");
    assert_eq!(dedup("--version").stdout, "dedup 0.1.0\n");
}
