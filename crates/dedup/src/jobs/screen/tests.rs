//! Screening of documents in files.

use std::fs;
use std::path::Path;

use nearcopy::align::{Options, Passage};
use nearcopy::error::Problem;
use nearcopy::screen::{Disguises, Exclude, Faithfulness, Match, Share};

use super::*;

pub(crate) const TIDES: &str = "The tide comes in twice a day because the moon pulls the water of the sea towards it. On the side of \
    the earth that is turned away the water is left behind, so there is a second bulge. Sailors have known the hours \
    of high water since long before anybody could explain them, and the harbour masters wrote them into tables.";

pub(crate) const BEES: &str = "A hive in winter is a ball of bees around their queen. They shiver to keep warm and take turns at \
    the outside, where it is coldest. Towards spring the queen lays her first eggs, and by the time the willows bloom \
    the old bees have raised the brood that will gather the nectar of the year.";

pub(crate) fn job(folder: &Path, suspicious: &str, sources: &str) -> Job {
    let inputs = |name: &str| if name.is_empty() { Vec::new() } else { vec![folder.join(name)] };
    Job {
        suspicious: inputs(suspicious),
        sources: inputs(sources),
        templates: Vec::new(),
        selection: Selection::default(),
        reading: Reading::default(),
        authors: Authors::Unknown,
        settings: Settings {
            language: Some("eng".parse().unwrap()),
            options: Options::default(),
            exclude: Exclude::default(),
            translation: nearcopy::screen::Translation::default(),
            with_each_other: false,
            strict: false,
            threads: 2,
            max_memory: u64::MAX,
        },
    }
}

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

/// Matches: both names without the folder, the number of words covered, and the texts of the passages.
fn found(folder: &tempfile::TempDir, job: &Job) -> Vec<(String, String, usize, Vec<String>)> {
    let screening = screen(job, &()).unwrap();
    let name = |text: u32| {
        let id = &screening.texts[text as usize].id;
        id.strip_prefix(&format!("{}/", folder.path().display())).unwrap().to_owned()
    };
    let of = |found: &Match| {
        let text = &screening.texts[found.suspicious as usize];
        let shown = |passage: &Passage| text.text[text.words.bytes(passage.a.clone())].to_owned();
        let passages = found.passages.iter().map(shown).collect();
        (name(found.suspicious), name(found.source), found.share.covered, passages)
    };
    screening.matches.iter().map(of).collect()
}

#[test]
fn a_passage_is_found_in_its_source() {
    let essay = format!("I begin with words of my own about bees and such things. {TIDES} So I end with my own words.");
    let folder = folder(&[("in/essay.txt", &essay), ("src/tides.txt", TIDES), ("src/bees.txt", BEES)]);
    let all = TIDES.split_whitespace().count();
    let expected = ("in/essay.txt".into(), "src/tides.txt".into(), all, vec![TIDES.trim_end_matches('.').to_owned()]);
    assert_eq!(found(&folder, &job(folder.path(), "in", "src")), [expected]);
}

#[test]
fn a_text_and_its_copy_share_everything() {
    let folder = folder(&[("a.txt", TIDES), ("b.txt", TIDES), ("c.txt", BEES)]);
    let screening = screen(&job(folder.path(), "", ""), &()).unwrap();
    assert!(screening.matches.is_empty(), "nothing is screened");
    let mut job = job(folder.path(), "", "");
    job.suspicious = vec![folder.path().to_owned()];
    let screening = screen(&job, &()).unwrap();
    assert_eq!(screening.matches.len(), 1, "each pair once, none with itself");
    let all = screening.texts[0].words.len();
    assert_eq!((screening.matches[0].share.covered, screening.matches[0].source_share.covered), (all, all));
    let shares = screening.shares();
    let whole = Share { counted: all, covered: all, matched: all, translated: 0, verbatim: all };
    assert_eq!((shares[0], shares[1], shares[2].covered), (whole, whole, 0));
    let kept = screening.kept(&screening.matches[0], &screening.matches[0].passages[0]);
    assert_eq!(kept, Faithfulness { verbatim: all, exact: all, stemmed: 0, folded: 0, replaced: 0, missing: 0 });
}

#[test]
fn of_two_documents_the_one_that_is_in_the_other_is_suspicious() {
    let long = format!("{BEES} {BEES} And then: {TIDES}").replace("hive", "skep");
    let folder = folder(&[("a.txt", &long), ("b.txt", TIDES)]);
    let mut job = job(folder.path(), "", "");
    job.suspicious = vec![folder.path().to_owned()];
    let found = found(&folder, &job);
    assert_eq!((found[0].0.as_str(), found[0].1.as_str()), ("b.txt", "a.txt"));
}

#[test]
fn a_document_among_the_sources_is_not_compared_with_itself() {
    let folder = folder(&[("all/a.txt", TIDES), ("all/b.txt", TIDES)]);
    let job = job(folder.path(), "all/a.txt", "all");
    let pairs: Vec<_> = found(&folder, &job).into_iter().map(|found| (found.0, found.1)).collect();
    assert_eq!(pairs, [("all/a.txt".to_owned(), "all/b.txt".to_owned())]);
}

#[test]
fn an_author_is_not_compared_with_himself() {
    let folder = folder(&[("in/ann/1.txt", TIDES), ("in/ann/2.txt", TIDES), ("in/bob/1.txt", TIDES)]);
    let mut job = job(folder.path(), "in", "");
    assert_eq!(found(&folder, &job).len(), 3);
    job.authors = Authors::Folders;
    let pairs: Vec<_> = found(&folder, &job).into_iter().map(|found| (found.0, found.1)).collect();
    let expected = [("in/ann/1.txt", "in/bob/1.txt"), ("in/ann/2.txt", "in/bob/1.txt")];
    assert_eq!(pairs, expected.map(|(a, b)| (a.to_owned(), b.to_owned())));
}

#[test]
fn what_is_left_out_does_not_count() {
    let quoting = format!("As the book has it: “{TIDES}” – that is all that I want to say about it.");
    let folder = folder(&[("in/a.txt", &quoting), ("src/tides.txt", TIDES), ("task.txt", TIDES)]);
    let mut job = job(folder.path(), "in", "src");
    assert_eq!(found(&folder, &job).len(), 1);
    job.settings.exclude.quotations = true;
    assert_eq!(found(&folder, &job), []);
    job.settings.exclude.quotations = false;
    job.templates = vec![folder.path().join("task.txt")];
    assert_eq!(found(&folder, &job), []);
    assert_eq!(screen(&job, &()).unwrap().shares()[0], Share { counted: 15, ..Share::default() });
}

#[test]
fn disguises_are_seen_through_and_told() {
    let masked = TIDES.replace("water", "wаter").replace("moon", "mo\u{200b}on");
    let folder = folder(&[("in/a.txt", &format!("{masked}\u{202e}")), ("src/tides.txt", TIDES)]);
    let screening = screen(&job(folder.path(), "in", "src"), &()).unwrap();
    assert_eq!(
        screening.texts[0].disguises,
        Disguises { lookalikes: 3, invisible: 1, turned: 1, ..Disguises::default() }
    );
    let hidden: Vec<&str> =
        screening.texts[0].disguised.iter().map(|span| &screening.texts[0].text[span.clone()]).collect();
    assert_eq!(hidden, ["mo\u{200b}on", "wаter", "wаter", "wаter", "\u{202e}"]);
    assert!(!screening.texts[1].disguises.any() && screening.texts[1].disguised.is_empty());
    assert_eq!(screening.matches[0].share.covered, screening.texts[0].words.len());
}

#[test]
fn words_wholly_of_look_alikes_are_seen_through() {
    let [plain, masked] = [["cocoa", "peace", "pope"], ["сосоа", "реасе", "роре"]]
        .map(|[drink, time, man]| format!("{TIDES} They drank {drink} in {time} with the {man}."));
    let read = |name: &'static str, text: &str| {
        let folder = folder(&[("in/a.txt", text), ("src/tides.txt", &plain)]);
        let screening = screen(&job(folder.path(), "in", "src"), &()).unwrap();
        let matched = screening.matches[0].share.matched;
        (name, screening.texts[0].disguises.lookalikes, screening.texts[0].words.len() - matched)
    };
    assert_eq!(read("disguised", &masked), ("disguised", 3, 0));
    let russian = "They said «его горе» and «хорошо» – хорошо, she said, in «Война и мир», the СССР and the вор.";
    assert_eq!(read("honest", &format!("{plain} {russian}")).1, 0);
}

#[test]
fn lines_and_strokes_hide_no_language() {
    let turkish = "Deniz günde iki kez yükselir ve alçalır, çünkü ay suyu kendine doğru çeker. Balıkçılar gelgit \
        saatlerini bilir ve teknelerini ona göre bağlarlar. Çocuklar kıyıda suyun çekilmesini bekler, sonra taşların \
        arasında küçük yengeçler ararlar.";
    for mark in ['\u{332}', '\u{305}', '\u{336}', '\u{335}'] {
        let marked: String =
            turkish.chars().flat_map(|c| [Some(c), c.is_alphabetic().then_some(mark)]).flatten().collect();
        let folder = folder(&[("in/a.txt", &marked), ("src/deniz.txt", turkish)]);
        let mut job = job(folder.path(), "in", "src");
        job.settings.language = None;
        let screening = screen(&job, &()).unwrap();
        let [read, plain] = &screening.texts[..] else { panic!("two texts") };
        assert_eq!((read.language.code(), read.words.len()), ("tur", plain.words.len()), "{mark:?}");
        assert!(4 * read.disguises.marked > 3 * read.words.len(), "{mark:?}: {:?}", read.disguises);
        assert_eq!(screening.matches[0].share.matched, read.words.len(), "{mark:?}");
    }
}

#[test]
fn threads_make_no_difference() {
    // Fewer than ten, so that nothing is common text.
    let texts: Vec<(String, String)> = (0..9)
        .map(|i| (format!("in/{i}.txt"), format!("{} {} {i}", [TIDES, BEES][i % 2], [BEES, ""][i % 3 % 2])))
        .collect();
    let files: Vec<(&str, &str)> = texts.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let folder = folder(&files);
    let with = |threads| {
        let mut job = job(folder.path(), "in", "");
        job.settings.threads = threads;
        found(&folder, &job)
    };
    assert!(with(1).len() > 30);
    assert_eq!(with(1), with(5));
}

#[test]
fn what_cannot_be_read_is_counted_or_ends_the_run() {
    let folder = folder(&[("in/a.jsonl", "{\"text\":\"one\"}\n{broken\n"), ("src/tides.txt", TIDES)]);
    let mut job = job(folder.path(), "in", "src");
    assert_eq!(screen(&job, &()).unwrap().skipped, 1);
    job.settings.strict = true;
    assert!(screen(&job, &()).unwrap_err().to_string().contains("a.jsonl, line 2"));
}

#[test]
fn a_document_that_makes_the_program_panic_does_not_end_the_run() {
    let folder = folder(&[
        ("in/a.txt", TIDES),
        ("in/b while-reading.txt", TIDES),
        ("in/c.txt", TIDES),
        ("src/tides.txt", TIDES),
        ("src/while-aligning.txt", TIDES),
    ]);
    let mut job = job(folder.path(), "in", "src");
    let screening = screen(&job, &()).unwrap();
    assert_eq!((screening.skipped, screening.suspicious), (3, 2), "one not read, two pairs not compared");
    let pairs: Vec<_> = found(&folder, &job).into_iter().map(|found| (found.0, found.1)).collect();
    let expected = ["in/a.txt", "in/c.txt"].map(|name| (name.to_owned(), "src/tides.txt".to_owned()));
    assert_eq!(pairs, expected, "other pairs of the same documents are compared");
    job.settings.strict = true;
    assert!(screen(&job, &()).unwrap_err().to_string().contains("b while-reading.txt"));
}

#[test]
fn a_text_of_too_many_words_is_compared_in_part_and_that_is_told() {
    struct Told(std::sync::Mutex<Vec<String>>);
    impl Observer for Told {
        fn report(&self, problem: &Problem) {
            self.0.lock().unwrap().push(problem.to_string());
        }
    }
    let most = nearcopy::align::Words::MOST;
    let tides = TIDES.split_whitespace().count();
    let first = format!("{TIDES} {}", "的".repeat(most - tides));
    let long = format!("{first} {BEES}");
    let folder =
        folder(&[("in/long.txt", &long), ("in/bees.txt", BEES), ("src/tides.txt", TIDES), ("src/whole.txt", &first)]);
    let mut job = job(folder.path(), "in", "src");
    job.sources.push(folder.path().join("in/bees.txt"));
    let told = Told(std::sync::Mutex::default());
    let screening = screen(&job, &told).unwrap();
    assert_eq!((screening.in_part, screening.skipped), (1, 0));
    let text = &screening.texts[1];
    assert_eq!((text.words.len(), text.compared, text.counted()), (most, first.len(), most));
    let name = folder.path().join("in/long.txt");
    let expected = format!(
        "{}: has more than {most} words: only its first {} of {} bytes are compared; divide it into several documents to \
         compare all of it",
        name.display(),
        first.len(),
        long.len()
    );
    assert_eq!(told.0.into_inner().unwrap(), [expected]);
    let pairs: Vec<_> = screening.matches.iter().map(|found| (found.suspicious, found.source)).collect();
    assert!(pairs.contains(&(1, 2)) && pairs.contains(&(1, 3)) && pairs.len() == 2, "{pairs:?}");
    job.settings.strict = true;
    assert!(screen(&job, &()).unwrap_err().to_string().contains("has more than"));
}
