//! Text that many documents share: noticed by itself, and left out if asked.

use serde_json::{Value, json};

use super::{QUIET, document, number, pairs, passages};
use crate::folder::Folder;

/// Forty-five words.
const TASK: &str = "Discuss why the lighthouse keepers of the northern islands gave up their posts within one decade. Use at \
    least two sources, name them at the end, and explain how the new lamps changed the work. Write two pages and hand \
    them in before the holidays.";

/// Words that no other number has, in sentences.
fn own(number: usize, words: usize) -> String {
    let letters = |mut value: usize| {
        let mut word = String::new();
        for _ in 0..4 {
            word.push(char::from(b"bdfgklmnprstvz"[value % 14]));
            value /= 14;
            word.push(char::from(b"aeiou"[value % 5]));
            value /= 5;
        }
        word
    };
    let words: Vec<String> =
        (0..words).map(|word| letters((number * 1000 + word).wrapping_mul(2_654_435_761))).collect();
    words.chunks(12).map(|sentence| sentence.join(" ") + ". ").collect()
}

/// Essays of words of their own, of which the first `many` contain `common` too.
fn essays(all: usize, many: usize, common: &str) -> Folder {
    (0..all).fold(Folder::new(), |folder, essay| {
        let common = if essay < many { common } else { "" };
        let text = format!("{}\n\n{common}\n\n{}", own(2 * essay, 90), own(2 * essay + 1, 60));
        folder.file(&format!("in/{essay:03}.txt"), text)
    })
}

fn common(folder: &Folder, line: &str) -> Vec<Value> {
    folder.dedup(&format!("{QUIET} --list common --format jsonl {line}")).jsonl()
}

/// The data of the page.
fn page(folder: &Folder, options: &str) -> Value {
    folder.dedup(&format!("screen -q in --language eng --html page.html --force {options}"));
    let page = folder.read_text("page.html");
    let json = page.split_once("id=\"data\"").and_then(|(_, rest)| rest.split_once('>')).unwrap().1;
    serde_json::from_str(json.split_once("</script>").unwrap().0).unwrap()
}

#[test]
fn a_task_in_many_essays_is_noticed_and_makes_no_pair() {
    let folder = essays(39, 14, TASK);
    let answer = folder.dedup("screen in --language eng --list documents --format jsonl");
    let expected = "45 words, all or most of them in 14 of 39 documents and sources: “Discuss why the lighthouse keepers of the northern islands";
    assert!(answer.stderr.contains(expected), "{answer:?}");
    assert!(answer.stderr.contains("makes no passage by itself; --no-common also leaves it out of shares"));
    assert_eq!(pairs(&folder, "in"), []);
    let few = essays(39, 9, TASK);
    assert_eq!(pairs(&few, "in").len(), 9 * 8 / 2, "nine may have copied from each other");
    let listed = common(&folder, "in");
    let offset = own(0, 90).len() + 2;
    let item = json!({
        "words": 45, "documents": 14, "documents_read": 39, "id": "in/000.txt", "offset": offset, "offset_bytes": offset,
        "length": TASK.len() - 1, "length_bytes": TASK.len() - 1, "text": TASK.trim_end_matches('.'),
    });
    assert_eq!(listed, [item]);
    let table = folder.dedup("screen -q in --language eng --list common --format csv").stdout;
    assert!(
        table.starts_with("words,documents,documents_read,id,offset,length,offset_bytes,length_bytes,text\n45,14,39,")
    );
    let words = |id| number(&document(&folder, "in", id), "words_common");
    assert_eq!((words("in/013.txt"), words("in/014.txt")), (45, 0));
}

/// Whoever copied from the only source that has a text is shown with it, however many did; not what two sources have.
#[test]
fn a_source_that_alone_has_a_text_is_told() {
    let source = format!("{} {TASK} {}", own(900, 30), own(901, 30));
    let folder = essays(39, 14, TASK).file("old/a.txt", &source);
    let found = pairs(&folder, "in --against old --with-each-other");
    assert_eq!(found.len(), 14, "{found:?}");
    assert!(found.iter().all(|(_, source)| source == "old/a.txt"), "{found:?}");
    let told = folder.dedup("screen in --language eng --against old").stderr;
    assert!(told.contains("makes no passage by itself, except with a source that alone has it;"), "{told}");
    // The task in two essays of last year is nobody's, and by one author it is still that author's.
    let folder = folder.file("old/b.txt", format!("{} {TASK} {}", own(902, 60), own(903, 20)));
    assert_eq!(pairs(&folder, "in --against old"), []);
    let by_one = folder.file("one/anna/a.txt", &source).file("one/anna/b.txt", format!("{} {TASK}", own(902, 90)));
    assert_eq!(pairs(&by_one, "in --against one --author-pattern ^([^/]+)/").len(), 14);
}

#[test]
fn what_many_share_can_be_left_out() {
    let folder = essays(39, 14, TASK);
    assert_eq!(pairs(&folder, "in --no-common"), []);
    let essay = document(&folder, "in --no-common", "in/000.txt");
    assert_eq!((number(&essay, "words"), number(&essay, "words_counted")), (195, 150));
    let told = folder.dedup("screen in --language eng --no-common").stderr;
    let left = 14 * 45;
    assert!(
        told.contains(&format!("left out {left} of ")) && told.contains("(text that many documents share)"),
        "{told}"
    );
    // What an essay shares beside the task counts alone, and is a passage without the task.
    let shared = own(999, 40);
    let folder = folder.file("in/000.txt", format!("{} {TASK} {shared}", own(0, 90)));
    let folder = folder.file("in/001.txt", format!("{} {TASK} {shared}", own(2, 90)));
    let found = passages(&folder, "in --no-common");
    assert_eq!((found.len(), passages(&folder, "in").len()), (1, 1));
    let essay = document(&folder, "in", "in/000.txt");
    assert_eq!(number(&essay, "words_in_passages"), 40, "{found:?}");
    let essay = document(&folder, "in --no-common", "in/000.txt");
    assert_eq!(number(&essay, "words_in_passages"), 40, "{found:?}");
}

#[test]
fn what_many_share_beside_a_task_is_listed_too() {
    let shared = own(999, 40);
    let folder = (0..39).fold(Folder::new(), |folder, essay| {
        let ring = if essay < 12 { &*shared } else { "" };
        let own = [own(2 * essay, 90), own(2 * essay + 1, 60)];
        folder.file(&format!("in/{essay:03}.txt"), format!("{}{TASK}\n\n{ring}\n\n{}", own[0], own[1]))
    });
    let listed = common(&folder, "in");
    let sizes = |item: &Value| [number(item, "words"), number(item, "documents")];
    assert_eq!(listed.iter().map(sizes).collect::<Vec<_>>(), [[45, 39], [40, 12]]);
}

#[test]
fn short_questions_of_a_sheet_make_no_pair() {
    let sheets = |with_questions: usize| {
        (0..39).fold(Folder::new(), |folder, sheet| {
            let questions = if sheet < with_questions { TASK } else { "" };
            let answered: String = questions
                .split_inclusive(". ")
                .zip(0..)
                .map(|(question, at)| format!("{question} {}", own(3 * sheet + at, 30)))
                .collect();
            folder.file(&format!("in/{sheet:03}.txt"), format!("{answered}\n\n{}", own(200 + sheet, 60)))
        })
    };
    let of_one_task = sheets(10);
    assert_eq!(pairs(&of_one_task, "in"), []);
    let sizes = |item: &Value| [number(item, "words"), number(item, "documents")];
    assert_eq!(common(&of_one_task, "in").iter().map(sizes).collect::<Vec<_>>(), [[19, 10], [16, 10], [10, 10]]);
    assert_eq!(pairs(&sheets(9), "in").len(), 9 * 8 / 2, "so few may have copied from each other");
}

#[test]
fn the_task_of_a_few_is_shown_but_counts() {
    let said = |folder: &Folder, options: &str| folder.dedup(&format!("screen in --language eng {options}")).stderr;
    let few = essays(8, 5, TASK);
    let hint = "too few for common text";
    let told = said(&few, "");
    assert!(told.contains("in 5 of 8 documents and sources: “") && told.contains(hint), "{told}");
    assert!(said(&few, "--list common").contains("no text of 7 words or more stands in enough documents"));
    assert_eq!(pairs(&few, "in").len(), 5 * 4 / 2);
    let few = few.file("task.txt", TASK);
    assert!(!said(&few, "--ignore task.txt").contains(hint), "its advice is followed");
    assert!(!said(&essays(8, 4, TASK), "").contains(hint), "half of them");
    assert!(!said(&essays(2, 2, TASK), "").contains(hint), "two may have copied from each other");
    assert!(!said(&essays(39, 10, TASK), "").contains(hint), "common text is listed as such");
    let versions = (0..4).fold(Folder::new(), |folder, copy| {
        folder.file(&format!("in/{copy}.txt"), format!("{} word{copy} {}", own(0, 45), own(1, 45)))
    });
    assert!(!said(&versions, "").contains(hint), "versions of one text have no task");
}

#[test]
fn documents_that_share_passages_with_most_others_may_have_one_task() {
    let hint = "share passages with at least half of the others: if all were given one text, such as an assignment or a worksheet";
    let said = |folder: &Folder, options: &str| folder.dedup(&format!("screen in --language eng {options}")).stderr;
    let sheets = |all: usize, with_sheet: usize| {
        let sheet = own(900, 60);
        (0..all).fold(Folder::new().file("task.txt", &sheet), |folder, number| {
            let given = if number < with_sheet { &sheet } else { "" };
            folder.file(&format!("in/{number:02}.txt"), format!("{given}\n\n{}", own(number, 40)))
        })
    };
    for (all, with_sheet, expected) in [(12, 12, true), (6, 4, true), (3, 3, true), (6, 3, false), (3, 2, false)] {
        let folder = sheets(all, with_sheet);
        let told = said(&folder, "");
        assert_eq!(told.contains(&format!("{with_sheet} of {all} documents {hint}")), expected, "{told}");
        assert_eq!(told.contains(hint), expected, "{told}");
        assert!(!said(&folder, "--ignore task.txt").contains(hint), "its advice is followed");
    }
    let folder = sheets(6, 4);
    assert_eq!(page(&folder, "")["sharing"], 4);
    assert_eq!(page(&sheets(6, 3), "")["sharing"], 0);
    assert_eq!(page(&folder, "--ignore task.txt")["sharing"], 0);
}

#[test]
fn few_documents_or_authors_make_nothing_common() {
    assert_eq!(common(&essays(39, 9, TASK), "in"), [] as [Value; 0], "fewer than ten");
    assert_eq!(common(&essays(39, 10, TASK), "in").len(), 1);
    assert_eq!(common(&essays(60, 11, TASK), "in"), [] as [Value; 0], "less than a fifth");
    assert_eq!(common(&essays(4, 4, TASK), "in"), [] as [Value; 0], "all of a few");
    let short = |words| TASK.split_inclusive(' ').take(words).collect::<String>();
    assert_eq!(common(&essays(39, 14, &short(6)), "in"), [] as [Value; 0], "fewer than 7 words");
    assert_eq!(common(&essays(39, 14, &short(7)), "in").len(), 1);
    let by = |authors: usize| {
        let essay = |folder: Folder, essay: usize| {
            let text = format!("{} {TASK}", own(essay, 90));
            folder.file(&format!("in/author {}/{essay}.txt", essay % authors), text)
        };
        common(&(0..10).fold(Folder::new(), essay), "in --authors").len()
    };
    assert_eq!((by(9), by(10)), (0, 1));
}

/// Words of an essay, each behind a stop word of its language.
fn essay_in(stop_words: &str, essay: usize) -> String {
    let words = own(essay, 90);
    let mixed = words.split_whitespace().zip(stop_words.split(' ').cycle()).map(|(x, y)| format!("{y} {x}"));
    mixed.collect::<Vec<String>>().join(" ")
}

const GERMAN: &str = "und die der das nicht mit einer auch auf sich ist war wurde aber noch nach bei aus wenn";

const ENGLISH: &str = "and the that this with from were have been which their they would about there when because";

/// The assignment of a few German essays among many English ones.
#[test]
fn documents_of_the_same_language_are_counted() {
    let task = "Erörtern Sie, warum die Leuchtturmwärter der nördlichen Inseln ihre Posten in einem einzigen Jahrzehnt \
        aufgegeben haben. Nennen Sie mindestens zwei Quellen am Ende und erklären Sie, wie die neuen Lampen die Arbeit \
        verändert haben. Schreiben Sie zwei Seiten und geben Sie diese vor den Ferien ab.";
    let folder = (0..60).fold(Folder::new(), |folder, essay| {
        let (words, task) = if essay < 12 { (GERMAN, task) } else { (ENGLISH, "") };
        folder.file(&format!("in/{essay:03}.txt"), format!("{} {task}", essay_in(words, essay)))
    });
    let listed = folder.dedup("screen -q --list common --format jsonl in").jsonl();
    assert_eq!(listed.iter().map(|text| text["documents"].clone()).collect::<Vec<_>>(), [json!(12)]);
}

/// What is suppressed is listed, and nothing else is suppressed: of essays in two languages, either enough in one have a
/// text, or it is a passage of each pair.
#[test]
fn text_in_two_languages_is_common_if_it_is_in_one() {
    for (german, english, expected) in [(6, 6, None), (9, 9, None), (1, 9, None), (3, 10, Some(13))] {
        let languages = [(GERMAN, german), (ENGLISH, english)].map(|(words, count)| vec![words; count]).concat();
        let folder = languages.iter().enumerate().fold(Folder::new(), |folder, (essay, words)| {
            folder.file(&format!("in/{essay:03}.txt"), format!("{} {TASK}", essay_in(words, essay)))
        });
        let listed = folder.dedup("screen -q --list common --format jsonl in").jsonl();
        let documents: Vec<usize> = listed.iter().map(|text| number(text, "documents")).collect();
        assert_eq!(documents, Vec::from_iter(expected), "{german} {english}");
        let all = german + english;
        let found = folder.dedup("screen -q --format jsonl in").jsonl().len();
        assert_eq!(found, if expected.is_some() { 0 } else { all * (all - 1) / 2 }, "{german} {english}");
    }
}

/// An essay handed in by thirty is no form: its copies are reported, whatever is left out.
#[test]
fn copies_of_a_whole_essay_are_found_however_many_there_are() {
    let essay = own(77, 300);
    for copies in [30, 70] {
        let folder = (0..90).fold(Folder::new(), |folder, number| {
            let text =
                if number < copies { format!("{essay} {}", own(100 + number, 20)) } else { own(200 + number, 300) };
            folder.file(&format!("in/{number:03}.txt"), text)
        });
        let pairs_of_copies = copies * (copies - 1) / 2;
        assert_eq!(pairs(&folder, "in").len(), pairs_of_copies);
        assert_eq!(pairs(&folder, "in --no-common").len(), pairs_of_copies);
        let told = folder.dedup("screen in --language eng --no-common").stderr;
        assert!(told.contains(&format!("{copies} documents consist mostly of such text")), "{told}");
        assert_eq!(common(&folder, "in")[0]["documents"], json!(copies));
    }
}

/// A notice in very many documents is told once, instead of for every pair.
#[test]
fn a_notice_in_a_crowd_is_not_compared_pair_by_pair() {
    let folder = essays(80, 80, TASK);
    // At the ends of the notice, two or three texts may share a run that no other text keeps.
    let found = pairs(&folder, "in").len();
    assert!(found < 80, "{found} of {} pairs", 80 * 79 / 2);
    assert_eq!(common(&folder, "in")[0]["documents"], json!(80));
    let shared = own(999, 25);
    let folder = folder.file("in/003.txt", format!("{} {TASK} {}", own(6, 90), shared));
    let folder = folder.file("in/055.txt", format!("{} {} {TASK}", shared, own(110, 90)));
    let both = ["in/003.txt", "in/055.txt"];
    let of_both =
        pairs(&folder, "in").into_iter().filter(|(a, b)| both.contains(&a.as_str()) && both.contains(&b.as_str()));
    assert_eq!(of_both.count(), 1, "the shared sentence");
    folder.dedup("screen -q in --language eng --save all.dsi").quietly(0);
    let against = |sources: &str| passages(&folder, &format!("in/003.txt --against {sources}"));
    let (read, archived) = (against("in"), against("all.dsi"));
    // What many archived documents share is not counted, so the task is a passage there.
    let is_shared = |found: &&Value| number(found, "words") == 25;
    assert!(read.len() == 1 && read.iter().find(is_shared) == archived.iter().find(is_shared), "{read:?} {archived:?}");
}

/// A notice with other names and numbers in each document: no run of five words is the same.
fn census(number: usize) -> String {
    let names = own(5000 + number, 14);
    let mut names = names.split([' ', '.']).filter(|name| !name.is_empty());
    let fixed = [
        "Census return parish",
        "households males",
        "females lodgers",
        "domestic servants",
        "houses inhabited",
        "acreage",
        "enumerator signed",
        "landlord agent",
        "shillings rent",
        "arrears witness",
        "clerk registered",
        "county town",
        "postage paid",
        "duplicate kept",
    ];
    fixed.iter().flat_map(|&fixed| [fixed, names.next().unwrap()]).collect::<Vec<&str>>().join(" ") + "."
}

/// Essays with such a notice, and two with a passage of which every third word differs.
fn with_notices(all: usize) -> Folder {
    (0..all).fold(Folder::new(), |folder, essay| {
        let copy = own(4000, 60);
        let replaced = own(4000 + essay, 60);
        let words = copy.split(' ').zip(replaced.split(' ')).enumerate();
        let rewritten: Vec<&str> = words.map(|(at, (word, other))| if at % 3 == 2 { other } else { word }).collect();
        let middle = if essay == 3 || essay == 33 { rewritten.join(" ") } else { String::new() };
        let text = format!("{}\n\n{middle}\n\n{}\n\n{}", own(2 * essay, 90), census(essay), own(2 * essay + 1, 60));
        folder.file(&format!("in/{essay:03}.txt"), text)
    })
}

#[test]
fn a_notice_with_other_names_is_no_evidence_if_many_have_it() {
    assert_eq!(pairs(&with_notices(50), "in").len(), 50 * 49 / 2, "in fewer than 64 it is a passage");
    let folder = with_notices(90);
    // Which is named first depends on their lengths.
    let copy = [("in/033.txt".to_owned(), "in/003.txt".to_owned())];
    assert_eq!(pairs(&folder, "in"), copy, "a rewritten passage remains one");
    let found = passages(&folder, "in/003.txt in/004.txt --against in");
    assert_eq!(found.len(), 1);
    folder.dedup("screen -q in --language eng --save all.dsi").quietly(0);
    folder.dedup("index create all.dfi --passages --language eng").quietly(0);
    folder.dedup("index add all.dfi in").code_is(0);
    for sources in ["all.dsi", "all.dfi", "in --threads 1"] {
        assert_eq!(passages(&folder, &format!("in/003.txt in/004.txt --against {sources}")), found, "{sources}");
    }
}

#[test]
fn the_page_has_what_many_share() {
    let folder = essays(39, 14, TASK);
    let data = page(&folder, "");
    let beginning = "Discuss why the lighthouse keepers of the northern islands gave up their posts within one …";
    assert_eq!(data["common"], json!([{"words": 45, "left_out": 0, "documents": 14, "beginning": beginning}]));
    assert_eq!((&data["read"], &data["texts"][0]["common"]), (&json!(39), &json!([90, 135])));
    assert_eq!((&data["texts"][0]["left_out"], &data["as_screened"]["common"]), (&json!([]), &json!(false)));
    let data = page(&folder, "--no-common");
    assert_eq!((&data["texts"][0]["left_out"], &data["as_screened"]["common"]), (&json!([90, 135]), &json!(true)));
}
