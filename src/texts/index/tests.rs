//! Tests of an index through the library.

mod forged;

use super::*;
use crate::similarity::Removal;
use crate::text::{NgramRange, StopList, StopWords};

const FERRY: &str = "The ferry leaves at nine from the old pier, and nobody on the island has ever seen it come back \
    before the lamps are lit along the harbour wall.";
const AGAIN: &str = "The ferry leaves at nine from the old pier; nobody on the island has ever seen it come back \
    before the lamps are lit along the harbour wall!";
const COAL: &str =
    "Quite another letter, about the price of coal and the hard winter that everybody expects this year.";

fn index(options: &Options, kept: Contents) -> (tempfile::TempDir, Index) {
    let folder = tempfile::tempdir().unwrap();
    let index = Index::create(&folder.path().join("index"), options, kept).unwrap();
    (folder, index)
}

fn similar(index: &mut Index, text: &str) -> Vec<String> {
    index.find_similar(text).unwrap().into_iter().map(|similar| similar.id).collect()
}

#[test]
fn what_is_added_is_found_until_it_is_removed() {
    let (folder, mut index) = index(&Options::default(), Contents::default());
    index.extend([("ferry", FERRY), ("coal", COAL)]).unwrap();
    assert_eq!(similar(&mut index, AGAIN), ["ferry"]);
    let claims: Vec<_> = [FERRY, AGAIN].map(|text| index.find_similar(text).unwrap()[0].removal).into();
    assert_eq!(claims[0], Some(crate::similarity::Removal::Same));
    assert_ne!(claims[1], claims[0]);
    let refused = index.add("ferry", COAL).unwrap_err().to_string();
    assert!(refused.contains("has a document 'ferry' already; nothing was added"), "{refused}");
    let mut other = Index::open(&folder.path().join("index")).unwrap();
    assert_eq!((other.len(), other.contains("coal")), (2, true));
    assert!(index.remove("ferry").unwrap() && !index.remove("ferry").unwrap());
    assert!(similar(&mut index, AGAIN).is_empty());
    assert_eq!(similar(&mut other, AGAIN), ["ferry"], "as it was when it was opened");
    index.compact(&()).unwrap();
    index.clear().unwrap();
    assert!(index.is_empty() && !index.contains("coal"));
}

/// The options are stored in the index.
#[test]
fn an_index_knows_how_its_texts_become_fingerprints() {
    let mut options = Options::default();
    options.text.language = Some("German".parse().unwrap());
    options.text.stem = false;
    options.text.stop_words = StopWords::List(std::sync::Arc::new(StopList::parse("der die das\nferry")));
    options.ngrams = NgramRange::new(1, 2).unwrap();
    options.sketches = 64;
    let (_folder, index) = index(&options, Contents::default());
    let again = super::options(&Segments::open(&index.folder).unwrap()).unwrap();
    assert_eq!(Fingerprinter::new(again).unwrap().recipe(), Fingerprinter::new(options).unwrap().recipe());
}

/// The options by which near-duplicates are left out, by the rules of listing.
fn unique() -> Unique {
    let effort = crate::search::effort::Effort { threads: 2, max_memory: 1 << 20 };
    Unique { claim: Removal::Edited, rules: Rules::default(), recall: RECALL, effort }
}

/// One call for many documents does the same as many calls, with the passages of texts if they are kept.
#[test]
fn documents_of_memory_are_added_searched_and_removed() {
    for passages in [false, true] {
        let (_folder, mut index) = index(&Options::default(), Contents { passages, ..Contents::default() });
        let unique = unique();
        let documents = [("ferry", FERRY), ("coal", COAL), ("again", AGAIN)];
        let mut rejected = Vec::new();
        let mut reject = |near: &Rejected<'_>| rejected.push((near.document, near.resembles.to_owned()));
        let how = (Known::Refuse, Some(unique));
        let added = index.add_documents(documents.into_iter(), how.clone(), 2, &(), &mut reject).unwrap();
        assert_eq!((added.takes, index.len()), (vec![true, true, false], 2));
        let refused = index.add_documents([("coal", FERRY)].into_iter(), how, 2, &(), &mut reject).unwrap_err();
        assert!(refused.to_string().contains("has a document 'coal' already"), "{refused}");
        assert_eq!(rejected, [(2, "ferry".to_owned())]);
        let mut found = Vec::new();
        let near = |document, id: &str, _: &Found| found.push((document, id.to_owned()));
        let texts = ["Nothing.", AGAIN, COAL].into_iter();
        assert_eq!(index.query_documents(texts, (Rules::default(), 1), 2, &(), near).unwrap(), 3);
        assert_eq!(found, [(1, "ferry".to_owned()), (2, "coal".to_owned())]);
        assert_eq!(index.remove_all(["coal", "nobody", "coal"]).unwrap(), [true, false, true]);
        assert_eq!((index.len(), index.contains("ferry")), (1, true));
    }
}

#[test]
fn texts_are_kept_if_passages_are_asked_for() {
    let (_folder, mut index) = index(&Options::default(), Contents { passages: true, ..Contents::default() });
    for (id, text) in [("a", FERRY), ("b", COAL), ("empty", ""), ("c", AGAIN), ("d", "One.")] {
        index.add(id, text).unwrap();
    }
    index.remove("b").unwrap();
    index.compact(&()).unwrap();
    let [segment] = index.segments().segments() else { panic!("one segment") };
    segment.file().verify().unwrap();
    let texts: Vec<&str> = (0..segment.file().len()).filter_map(|i| segment.file().text(i)).collect();
    assert_eq!(texts, [FERRY, "", AGAIN, "One."]);
    // The passage keys are the same as if the texts had been added at once.
    let (_folder, mut at_once) =
        super::tests::index(&Options::default(), Contents { passages: true, ..Contents::default() });
    at_once.extend([("a", FERRY), ("empty", ""), ("c", AGAIN), ("d", "One.")]).unwrap();
    assert_eq!(at_once.segments().segments()[0].file().passages(), segment.file().passages());
}

#[test]
fn fingerprints_alone_answer_the_hamming_rule_alone() {
    let (_folder, mut index) = index(&Options::default(), Contents { shingles: false, ..Contents::default() });
    index.add("ferry", FERRY).unwrap();
    assert!(index.find_similar(FERRY).unwrap_err().to_string().contains("index"));
    index.set_rules(Rules::of(Some(3), None));
    assert_eq!(similar(&mut index, FERRY), ["ferry"]);
}

/// The result is the same as adding one by one each text that nothing in the index is near to.
#[test]
fn unique_documents_are_those_that_nothing_before_is_near_to() {
    let texts = [FERRY, COAL, AGAIN, FERRY, COAL, "", "", "Nothing like it was ever said before in any letter."];
    let (_one, mut one_by_one) = index(&Options::default(), Contents::default());
    one_by_one.add("there", COAL).unwrap();
    for (id, text) in texts.iter().enumerate() {
        if one_by_one.find_similar(text).unwrap().is_empty() {
            one_by_one.add(&id.to_string(), text).unwrap();
        }
    }
    let (_other, mut at_once) = index(&Options::default(), Contents::default());
    at_once.add("there", COAL).unwrap();
    let mut rejected = Vec::new();
    let documents = texts.iter().zip(0..).map(|(text, number)| (number.to_string(), text));
    let added = at_once
        .add_documents(documents, (Known::Refuse, Some(unique())), 2, &(), &mut |document| {
            rejected.push((document.id.to_owned(), document.resembles.to_owned()));
        })
        .unwrap();
    let expected = [("1", "there"), ("2", "0"), ("3", "0"), ("4", "there"), ("6", "5")];
    assert_eq!(rejected, expected.map(|(id, other)| (id.to_owned(), other.to_owned())));
    assert_eq!((added.added, added.rejected, added.all), (3, 5, 4));
    let ids = |index: &Index| {
        let segments = Segments::open(&index.folder).unwrap();
        let mut ids: Vec<String> = segments.documents().map(|place| segments.id(place).to_owned()).collect();
        ids.sort_unstable();
        ids
    };
    assert_eq!(ids(&at_once), ids(&one_by_one));
}
