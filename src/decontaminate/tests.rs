use std::collections::BTreeMap;

use super::*;
use crate::error::Reason;

const QUESTION: &str = "Which of the harbours on the northern coast keeps its lighthouse lit through the summer, although the \
    nights are short and the fishermen return before the evening, as the council of the town decided long ago?";
const PROMPT: &str =
    "The following are questions with answers about harbours. Think step by step and answer with one letter.";
const FILLER: &str =
    "A tide is the rise and fall of the sea, and a page about tides says nothing of what was asked here.";

fn items(texts: &[&str]) -> Arc<Items> {
    let mut items = Items::default();
    for text in texts {
        items.push(0, &[Piece { text, decides: true }]);
    }
    Arc::new(items.ready())
}

/// The items found in each document.
fn found(items: &Arc<Items>, documents: &[&str]) -> (Vec<Option<Undecidable>>, Vec<Vec<Found>>) {
    let (counts, mut lookup) = (Counts::new(items), Lookup::default());
    let noted: Vec<bool> = documents.iter().map(|text| counts.count(items, &mut lookup, text)).collect();
    let telling = Telling::new(Arc::clone(items), &counts, COVERAGE);
    let found: Vec<Vec<Found>> = documents.iter().map(|text| telling.find(&mut lookup, text)).collect();
    let (mut together, mut words) = (BTreeMap::new(), 0);
    for text in documents {
        let (counted, of_text) = lookup.counted(items, text);
        words += of_text;
        for &number in counted {
            *together.entry(number).or_default() += 1;
        }
    }
    let spread = Telling::new(Arc::clone(items), &Counts::of(items, together, words), COVERAGE);
    assert_eq!(documents.iter().map(|text| spread.find(&mut lookup, text)).collect::<Vec<_>>(), found);
    assert_eq!(spread.undecidable, telling.undecidable);
    for (noted, found) in noted.iter().zip(&found) {
        assert!(*noted || found.is_empty(), "a document that is not noted has no item");
    }
    ((0..items.len()).map(|item| telling.undecidable(item)).collect(), found)
}

#[test]
fn a_part_that_does_not_decide_widens_what_is_found() {
    let choices = "The first of four choices, which has twenty words, so that it is longer than what an extension leaves out at its \
                   end.";
    let answer =
        "The harbour of the old town, since the keeper of its lighthouse has never been paid for the winter months.";
    let mut items = Items::default();
    items.push(0, &[QUESTION, choices, answer].map(|text| Piece { text, decides: text == QUESTION }));
    let items = Arc::new(items.ready());
    for planted in [format!("{QUESTION} {answer}"), format!("{QUESTION} {choices} {answer}"), QUESTION.into()] {
        assert_eq!(parts(&items, &format!("{FILLER} {planted} {FILLER}")), [planted]);
    }
    assert_eq!(parts(&items, &format!("{FILLER} {choices} {answer} {FILLER}")), [""; 0]);
}

#[test]
fn a_short_piece_takes_no_words_of_a_longer_one() {
    let pieces = ["Who rings the bell of the mill?", "no", "no one knows"];
    let items = of_parts(&pieces);
    for order in [[0, 1, 2], [0, 2, 1], [2, 0, 1]] {
        let planted = order.map(|piece: usize| pieces[piece]);
        assert_eq!(parts(&items, &format!("{FILLER} {} {FILLER}", planted.join(" / "))), planted);
    }
}

#[test]
fn the_signs_that_end_an_item_go_with_it() {
    let short = "Who rings the bell of the old mill?";
    let quoted = format!("“{QUESTION}”");
    let items = items(&[&quoted, short, FILLER]);
    for (planted, expected) in [
        // What stands before the first word stays.
        (&*quoted, quoted.trim_start_matches('“')),
        (QUESTION, QUESTION),
        (&format!("{}!", QUESTION.trim_end_matches('?')), QUESTION.trim_end_matches('?')),
        (&format!("{QUESTION}?"), QUESTION),
        (&format!("{}, and so on?", QUESTION.trim_end_matches('?')), QUESTION.trim_end_matches('?')),
        (short, short),
        ("Who rings the bell of the old mill ?", "Who rings the bell of the old mill"),
    ] {
        let document = format!("See: {planted} Yes.");
        assert_eq!(parts(&items, &document), [expected], "{planted}");
    }
    // A half of it ends with its last word.
    let half = QUESTION.split_inclusive(' ').take(18).collect::<String>();
    assert_eq!(parts(&items, &format!("{}? Yes.", half.trim_end())), [half.trim_end()]);
}

/// The parts of a document in which an item is found.
fn parts<'d>(items: &Arc<Items>, document: &'d str) -> Vec<&'d str> {
    let (_, found) = found(items, &[document]);
    found[0].iter().flat_map(|found| &found.spans).map(|span| &document[span.clone()]).collect()
}

#[test]
fn an_item_is_found_where_it_stands() {
    let items = items(&[QUESTION]);
    let words: Vec<&str> = QUESTION.split_whitespace().collect();
    let edited: Vec<&str> =
        words.iter().enumerate().map(|(i, word)| if i % 9 == 6 && i < 30 { "violin" } else { word }).collect();
    let gap = format!("{} (buy one lamp and get another) {}", words[..15].join(" "), words[15..].join(" "));
    for planted in [QUESTION.trim_end_matches('?').to_owned(), edited.join(" "), gap, words[..20].join(" ")] {
        let planted = planted.trim_end_matches('?');
        let document = format!("{FILLER}\n\n{planted}\n\n{FILLER}");
        assert_eq!(parts(&items, &document), [planted], "{planted}");
    }
    assert_eq!(parts(&items, FILLER), [""; 0]);
    let twice = format!("{QUESTION} {FILLER} {FILLER} {QUESTION}");
    assert_eq!(parts(&items, &twice).len(), 2, "every place is found");
    // Half of it in two places, far from each other, is in no alignment.
    let far = format!("{} {FILLER} {FILLER} {}", words[..9].join(" "), words[9..18].join(" "));
    assert_eq!(parts(&items, &far), [""; 0]);
}

#[test]
fn phrases_of_a_set_and_of_many_documents_tell_nothing() {
    let asked = ["near", "far", "north", "south"].map(|word| format!("{PROMPT} {QUESTION} {word}"));
    let templates = items(&asked.each_ref().map(String::as_str));
    let (undecidable, found_in) = found(&templates, &[PROMPT, QUESTION]);
    assert_eq!(undecidable, [Some(Undecidable::Template); 4]);
    assert_eq!(found_in, [vec![], vec![]]);
    // Equal items are one.
    let equal = items(&[QUESTION; 5]);
    assert_eq!(found(&equal, &[QUESTION]).0, [None; 5]);
    // A quotation in 21 documents tells nothing, in 20 it does; an item that is everywhere is not a quotation.
    let quoting = format!("{PROMPT} {QUESTION}");
    for (documents, expected) in [(20, 1), (21, 0)] {
        let quoting = items(&[&quoting]);
        let (undecidable, found) = found(&quoting, &vec![PROMPT; documents]);
        assert_eq!(
            (undecidable, found[0].iter().map(|found| found.spans.len()).sum::<usize>()),
            (vec![None], expected)
        );
    }
    let leaked = items(&[QUESTION]);
    assert_eq!(found(&leaked, &[QUESTION; 30]).1[29][0].spans.len(), 1);
}

/// A prompt tells nothing, but a document that goes on with the item behind it has more of the item.
#[test]
fn half_of_an_item_counts_whatever_it_begins_with() {
    let asked = [0, 1, 2, 3].map(|item| {
        let own: String = (0..40).map(|word| format!(" question{item}word{word}")).collect();
        format!("{PROMPT}{own}")
    });
    let prompted = items(&asked.each_ref().map(String::as_str));
    let first = |words: usize| asked[0].split(' ').take(words).collect::<Vec<_>>().join(" ");
    let prompt = PROMPT.split(' ').count();
    assert_eq!(parts(&prompted, &first(prompt + 9)), [first(prompt + 9)], "9 of 40 words, behind a prompt");
    assert_eq!(parts(&prompted, &first(prompt + 7)), [""; 0]);
    assert_eq!(parts(&prompted, first(prompt + 9).trim_start_matches(PROMPT)), [""; 0]);
    assert_eq!(parts(&prompted, PROMPT), [""; 0]);
}

#[test]
fn a_short_item_is_found_as_a_whole() {
    let short = items(&["Which harbour keeps its lighthouse lit?"]);
    assert_eq!(
        parts(&short, "So: WHICH harbour\nkeeps its light\u{ad}house lit."),
        ["WHICH harbour\nkeeps its light\u{ad}house lit"]
    );
    for other in ["Which harbour keeps its lighthouse dark?", "Which harbour keeps its old lighthouse lit?", FILLER] {
        assert_eq!(parts(&short, other), [""; 0], "{other}");
    }
    let (undecidable, _) = found(&items(&["Why is that?", "", "what is it for"]), &[FILLER]);
    assert_eq!(undecidable, [Some(Undecidable::Short), Some(Undecidable::Short), None]);
    let many = "Which harbour keeps its lighthouse lit?";
    assert_eq!(found(&short, &[many; 21]).0, [Some(Undecidable::Common)]);
    // A corpus of 2^25 words has phrases of four words by chance.
    assert_eq!([0, 1 << 24, (1 << 24) + 1, 1 << 30].map(fewest_words), [0, 4, 5, 5]);
}

#[test]
fn all_pieces_of_a_short_item_stand_near_each_other() {
    let items = of_parts(&["Which harbour is lit?", "north", "south", "no", "no"]);
    let near = "A) no\nB) north C) south D) no. Which harbour is lit?";
    assert_eq!(parts(&items, near), ["no", "north", "south", "no", "Which harbour is lit?"]);
    assert_eq!(parts(&items, "A) no B) north C) south. Which harbour is lit?"), [""; 0], "a word serves one piece");
    let far = format!("Which harbour is lit? north south no {} no", "and so on ".repeat(70));
    assert_eq!(parts(&items, &far), [""; 0]);
}

/// An item of several parts, all of which decide.
fn of_parts(pieces: &[&str]) -> Arc<Items> {
    let mut items = Items::default();
    let pieces: Vec<Piece<'_>> = pieces.iter().map(|text| Piece { text, decides: true }).collect();
    items.push(0, &pieces);
    Arc::new(items.ready())
}

#[test]
fn what_stands_between_the_parts_of_an_item_hides_none() {
    let choices = ["the Amber", "the Little Vole", "the Sorrow", "the Upper Tamsin"];
    for question in ["Which river does the oldest mill of the valley stand beside?", "Which river drives the mill?"] {
        let items = of_parts(&[&[question], &choices[..]].concat());
        assert!(!items.is_short(0));
        let [a, b, c, d] = choices;
        let labelled =
            format!("{FILLER} Question: {question}\nA. {a}\n(B) {b}\n3. {c}\n\"D\": {d}\nAnswer: B\n{FILLER}");
        assert_eq!(parts(&items, &labelled), [&[question], &choices[..]].concat());
        let plain = format!("{question} {}", choices.join(" "));
        assert_eq!(parts(&items, &format!("{FILLER} {plain} {FILLER}")), [&*plain], "one run of words");
        for other in [labelled.replace(c, "the Meadow Brook"), labelled.replace("mill", "tower")] {
            assert_eq!(parts(&items, &other), [""; 0]);
        }
        let both = format!("{labelled} {FILLER} {plain}");
        assert_eq!(parts(&items, &both).len(), 6, "every place is found");
    }
}

#[test]
fn equal_parts_count_once() {
    let question = "Which river does the oldest mill of the valley stand beside?";
    let twice = of_parts(&[question, question]);
    assert_eq!((twice.deciding(0), parts(&twice, question)), (11, vec![question]));
    assert_eq!(of_parts(&["Is it lit?", "no", "no"]).deciding(0), 5, "two answers are two");
    let mut items = Items::default();
    items.push(0, &[false, true].map(|decides| Piece { text: question, decides }));
    assert_eq!(items.deciding(0), 11);
}

#[test]
fn pieces_that_do_not_decide_count_for_nothing() {
    let mut items = Items::default();
    items.push(0, &[Piece { text: QUESTION, decides: true }, Piece { text: PROMPT, decides: false }]);
    let items = Arc::new(items.ready());
    assert_eq!(parts(&items, PROMPT), [""; 0]);
    let both = format!("{QUESTION} {PROMPT}");
    assert_eq!(parts(&items, &both), [&*both], "they widen what is found");
}

#[test]
fn a_periodic_text_takes_no_longer() {
    let item = "one two three four five six seven eight nine ten ".repeat(20);
    let items = items(&[&item]);
    let (_, found) = found(&items, &[&item.repeat(300)]);
    assert!(!found[0].is_empty());
}

/// The question in other words.
const RETOLD: &str = "Which harbours of the northern coast keep their lighthouses lit through summer, though nights are short and \
    fishermen return before evening, as the council of the town decided years ago?";

/// The items in a document in their own words or others, with at least this probability.
fn found_in_other_words(texts: &[&str], least: f64, document: &str) -> (usize, Vec<Found>, Option<Reason>) {
    let mut items = Items::with_texts();
    for text in texts {
        items.push(0, &[Piece { text: "", decides: true }, Piece { text, decides: true }]);
    }
    let items = Arc::new(items.ready());
    let (counts, mut lookup) = (Counts::new(&items), Lookup::default());
    let telling = Telling::new(items, &counts, COVERAGE);
    let rewritten = Rewritten::new(&telling, least, 1, u64::MAX, &()).unwrap();
    let index = rewritten.index();
    let mut found = telling.find(&mut lookup, document);
    let problem = index.search().renewed().add(document, &mut found, &());
    found.retain(|found| !found.spans.is_empty());
    (rewritten.len(), found, problem)
}

#[test]
fn an_item_in_other_words_is_found_where_it_stands() {
    let prompted = format!("{PROMPT} {QUESTION}");
    // Of the second hardly a word is left, and the third is short.
    let texts =
        [&*prompted, &format!("{PROMPT} Why?"), "too short", &format!("{PROMPT} No?"), &format!("{PROMPT} But?")];
    let document = format!("{FILLER}\n\n{RETOLD}\n\n{FILLER}");
    let (searched, found, problem) = found_in_other_words(&texts, 0.2, &document);
    let [found] = &found[..] else { panic!("one item: {found:?}") };
    assert!(found.probability.is_some_and(|probability| probability >= 0.2), "{found:?}");
    assert_eq!((found.item, &document[found.spans[0].clone()]), (0, RETOLD.trim_end_matches('?')));
    assert_eq!((searched, problem), (1, None));
    assert_eq!(found_in_other_words(&texts, 0.9, &document).1, [], "too little for that");
    for other in [
        FILLER,
        "The following are questions about harbours with answers. Think step by step, and answer by one letter.",
    ] {
        assert_eq!(found_in_other_words(&texts, 0.2, other).1, []);
    }
}

#[test]
fn a_part_before_the_whole_is_found() {
    let items = items(&[QUESTION]);
    let part = QUESTION.split_whitespace().take(20).collect::<Vec<_>>().join(" ");
    for document in
        [format!("{part} {FILLER} {QUESTION}"), format!("{part} {FILLER} {part} {FILLER} {QUESTION} {FILLER} {part}")]
    {
        let places = parts(&items, &document);
        assert_eq!(places.len(), document.matches(&part).count(), "{places:?}");
        assert!(places.iter().all(|place| place.starts_with(&part)), "{places:?}");
    }
}

#[test]
fn a_document_may_have_an_item_in_its_own_words_and_in_others() {
    let document = format!("{QUESTION} {FILLER} {FILLER} {RETOLD}");
    let places = |document: &str| -> Vec<(bool, usize)> {
        let found = found_in_other_words(&[QUESTION], 0.2, document).1;
        found.iter().map(|found| (found.probability.is_some(), found.spans[0].start)).collect()
    };
    assert_eq!(places(QUESTION), [(false, 0)], "and not a second time");
    assert_eq!(places(&document), [(false, 0), (true, document.len() - RETOLD.len())]);
}

#[test]
fn equal_items_are_found_alike_in_other_words() {
    let (searched, found, _) = found_in_other_words(&[QUESTION; 9], 0.2, RETOLD);
    assert_eq!((searched, found.len()), (9, 9));
    assert!(found.iter().zip(0..).all(|(one, item)| *one == Found { item, ..found[0].clone() }), "{found:?}");
}

#[test]
fn markup_hides_no_item_in_other_words() {
    let page = |text: &str| format!("<p>{}</p>", text.replace(' ', "\\n").replace("coast", "<b>co</b>ast"));
    let document = format!("— {}", page(RETOLD));
    let plain = found_in_other_words(&[QUESTION], 0.2, RETOLD).1;
    let (_, found, _) = found_in_other_words(&[&page(QUESTION)], 0.2, &document);
    assert_eq!((found.len(), found[0].words, found[0].probability), (1, plain[0].words, plain[0].probability));
    assert!(document[found[0].spans[0].clone()].starts_with("Which\\nharbours"), "{found:?}");
    assert!(document[found[0].spans[0].clone()].ends_with("years\\nago"), "{found:?}");
}

#[test]
fn a_long_document_is_told() {
    let words = crate::align::Words::MOST;
    let document = format!("{RETOLD} {} {RETOLD}", (0..words).map(|word| format!("w{word} ")).collect::<String>());
    let (_, found, problem) = found_in_other_words(&[QUESTION], 0.2, &document);
    assert_eq!(found.len(), 1);
    assert!(matches!(problem, Some(Reason::TooManyWords { .. })), "{problem:?}");
}
