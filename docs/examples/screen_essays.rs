//! Screens essays with each other, without the assignment that all of them quote.
//!
//! ```sh
//! cargo run --example screen_essays
//! ```

use nearcopy::{Result, ScreenOptions, SharedPassage};

const ASSIGNMENT: &str = "Describe in your own words how glass is made, name the materials that it needs, and explain why \
    the oven of a glassworks is never allowed to go out, not even on Sundays or in the middle of the night.";

const TAKEN: &str = "Glass begins as sand that is melted with soda and lime until it glows like honey. A gatherer turns the \
    iron in the furnace and lifts out a drop, and the blower gives it his breath before it stiffens.";

fn main() -> Result<()> {
    let essays = [
        ("anna", format!("{ASSIGNMENT} {TAKEN} So it was in our town, too, until the works closed.")),
        ("bela", format!("{ASSIGNMENT} My uncle was a glazier. He told me this about his trade: {TAKEN}")),
        (
            "cleo",
            format!("{ASSIGNMENT} I do not know, and the library was shut when I went there on Friday afternoon."),
        ),
    ];
    let pairs = |options: &ScreenOptions| -> Result<Vec<String>> {
        let screened = options.screen(essays.clone(), ScreenOptions::NO_SOURCES, &())?;
        let pair =
            |passage: &SharedPassage| format!("{} and {}", screened.id(passage.document), screened.source_id(passage));
        Ok(screened.passages().iter().map(pair).collect())
    };
    let all = pairs(&ScreenOptions::new())?;
    let without_assignment = pairs(&ScreenOptions::new().ignore(ASSIGNMENT))?;
    println!("{}; without the assignment: {}", all.join(", "), without_assignment.join(", "));
    assert_eq!((all.len(), &*without_assignment), (3, &["anna and bela".to_owned()][..]));
    Ok(())
}

#[test]
fn it_runs() {
    main().unwrap();
}
