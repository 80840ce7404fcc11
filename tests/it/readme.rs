//! What the README shows is what happens.

use crate::folder::{dedup, project};

/// Every console block of the README whose command is `dedup …` on `data/`: its
/// output, times aside.
#[test]
fn commands_of_the_readme_give_the_output_shown() {
    let readme = std::fs::read_to_string(project().join("README.md")).unwrap();
    let mut checked = 0;
    for block in readme.split("```console\n").skip(1) {
        let block = block.split("```").next().unwrap();
        let (command, shown) = block.split_once('\n').unwrap();
        let Some(line) = command.strip_prefix("$ dedup ") else { continue };
        let answer = dedup(line).stdout;
        let timeless = |text: &str| -> Vec<String> {
            text.lines()
                .map(|line| if line.starts_with("time ") { line[..37].to_owned() } else { line.to_owned() })
                .collect()
        };
        assert_eq!(timeless(&answer), timeless(shown), "{command}");
        checked += 1;
    }
    assert!(checked >= 2, "{checked} blocks");
}
