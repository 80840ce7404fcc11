//! Queries an index from four threads at once.
//!
//! ```sh
//! cargo run --example query_from_threads
//! ```

use std::thread;

use nearcopy::{Contents, Index, Options, Result};

const LETTERS: [(&str, &str); 3] = [
    ("ferry", "The ferry leaves at nine from the old pier, and nobody has ever seen it come back before the evening."),
    ("coal", "Quite another letter, about the price of coal and the winter that was expected in the valley that year."),
    ("clock", "Nobody wound the clock in the hall after the aunts had left, but it struck all the same at night."),
];

fn main() -> Result<()> {
    let temp = tempfile::tempdir().expect("a folder for temporary files");
    let mut index = Index::create(&temp.path().join("letters"), &Options::default(), Contents::default())?;
    index.extend(LETTERS)?;
    let index = &index;
    let found: Vec<Vec<String>> = thread::scope(|scope| {
        let ask = |number: usize| {
            let (_, text) = LETTERS[number % LETTERS.len()];
            scope.spawn(move || index.find_similar(&format!("{text} Yours, M.")))
        };
        let threads: Vec<_> = (0..4).map(ask).collect();
        let answers = threads.into_iter().map(|thread| thread.join().expect("a thread that does not panic"));
        answers.map(|similar| Ok(similar?.into_iter().map(|similar| similar.id).collect())).collect::<Result<_>>()
    })?;
    for (number, ids) in found.iter().enumerate() {
        println!("thread {number}: {}", ids.join(", "));
    }
    assert_eq!(found, [["ferry"], ["coal"], ["clock"], ["ferry"]]);
    Ok(())
}

#[test]
fn it_runs() {
    main().unwrap();
}
