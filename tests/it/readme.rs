//! The README agrees with the program.

use crate::folder::{dedup, project, timeless};

/// Every console block of the README whose command is `dedup …` on `data/` shows its
/// real output, except for times.
#[test]
fn commands_of_the_readme_give_the_output_shown() {
    let readme = std::fs::read_to_string(project().join("README.md")).unwrap();
    let mut checked = 0;
    for block in readme.split("```console\n").skip(1) {
        let block = block.split("```").next().unwrap();
        let (command, shown) = block.split_once('\n').unwrap();
        let Some(line) = command.strip_prefix("$ dedup ") else { continue };
        let answer = dedup(line);
        assert_eq!(timeless(&answer.stdout), timeless(shown), "{command}");
        let is_near = !shown.contains("\nnot near-duplicates");
        assert_eq!(answer.code, i32::from(!is_near), "{command}");
        checked += 1;
    }
    assert!(checked >= 2, "{checked} blocks");
}

/// The numbers of languages in the README are right.
#[test]
fn counts_of_the_readme_are_those_of_the_table() {
    let readme = std::fs::read_to_string(project().join("README.md")).unwrap().replace('\n', " ");
    let table = dedup("languages --format json").json();
    let count =
        |is: &dyn Fn(&serde_json::Value) -> bool| table.as_array().unwrap().iter().filter(|row| is(row)).count();
    for sentence in [
        format!(
            "{} languages have a name here, {} of them are detected",
            count(&|_| true),
            count(&|row| row["detected"] == true)
        ),
        format!(
            "](docs/stop-words.md) for {}, stems for {},",
            count(&|row| row["stop_words"] != 0),
            count(&|row| !row["stemmer"].is_null())
        ),
    ] {
        assert!(readme.contains(&sentence), "{sentence}");
    }
}
