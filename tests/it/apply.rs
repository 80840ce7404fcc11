//! `dedup clean --apply`: a list acts only where it still holds.

use std::collections::BTreeSet;
use std::fs;

use crate::folder::{Answer, Folder, removals};
use crate::texts::{BEES, CLOCK, EDITED, HARBOUR, jsonl};

const REMOVE: &str = "clean -q --remove edited --similarity 0.5 --threshold-alone --keep first";

/// Five files, two of which resemble `a` and one `c`, and the lists of what `clean` would remove.
fn listed() -> Folder {
    let folder = Folder::new()
        .file("in/a", HARBOUR)
        .file("in/b", EDITED)
        .file("in/c", BEES)
        .file("in/d", BEES)
        .file("in/e", HARBOUR);
    folder.dedup(&format!("{REMOVE} in -o first")).quietly(0);
    folder.dedup(&format!("{REMOVE} in --list -o first.csv")).quietly(0);
    fs::rename(folder.path().join("first.csv.removed.csv"), folder.path().join("first.removed.csv")).unwrap();
    fs::remove_file(folder.path().join("first.csv")).unwrap();
    let list = removals(&folder.read_text("first.removed.jsonl"));
    let pairs: Vec<_> =
        list.iter().map(|line| [&line["id"], &line["survivor"]].map(|id| id.as_str().unwrap())).collect();
    assert_eq!(pairs, [["in/b", "in/a"], ["in/d", "in/c"], ["in/e", "in/a"]]);
    folder
}

/// Applies a list of this name and content, and returns the answer and the files that stay.
fn apply(folder: &Folder, name: &str, list: &str) -> (Answer, Vec<String>) {
    fs::write(folder.path().join(name), list).unwrap();
    let _ = fs::remove_dir_all(folder.path().join("out"));
    let answer = folder.dedup(&format!("clean in --apply {name} -o out"));
    let stay = if folder.path().join("out").exists() { folder.files("out").into_keys().collect() } else { Vec::new() };
    (answer, stay)
}

#[test]
fn a_list_removes_what_it_was_made_for() {
    let folder = listed();
    for name in ["first.removed.jsonl", "first.removed.csv"] {
        let (answer, stay) = apply(&folder, name, &folder.read_text(name));
        answer.code_is(0);
        assert!(answer.stderr.contains(&format!("{name}: removed 3 of 5 documents\n")), "{answer:?}");
        assert_eq!(stay, ["a", "c"], "{name}");
        // Its own list names survivors too, and removes the same again.
        let again = folder.read_text("out.removed.jsonl");
        assert_eq!(removals(&again)[0]["survivor"], "in/a");
        let (answer, stay) = apply(&folder, "again.jsonl", &again);
        assert_eq!((answer.code, stay), (0, vec!["a".into(), "c".into()]), "{answer:?}");
    }
}

#[test]
fn a_text_that_was_not_judged_stays() {
    let folder = listed();
    let list = folder.read_text("first.removed.jsonl");
    let folder = folder.file("in/b", CLOCK);
    let (answer, stay) = apply(&folder, "gone.jsonl", &list);
    answer.code_is(2);
    let told = "dedup: in/b: stays, because its text is not the one that was listed; compare the texts again\n";
    assert!(answer.stderr.contains(told), "{answer:?}");
    let told = "gone.jsonl: removed 2 of 5 documents; 1 stays, as its line does not hold\n";
    assert!(answer.stderr.contains(told), "{answer:?}");
    assert_eq!(stay, ["a", "b", "c"]);
    assert_eq!(folder.read_text("out/b"), CLOCK);
    let kept = folder.dedup("clean -q in --apply gone.jsonl --dry-run");
    assert_eq!((kept.code, &*kept.stdout), (2, "in/d\nin/e\n"), "{kept:?}");
}

#[test]
fn without_its_survivor_a_document_stays() {
    let folder = listed();
    let list = folder.read_text("first.removed.jsonl");
    fs::remove_file(folder.path().join("in/a")).unwrap();
    let (answer, stay) = apply(&folder, "gone.jsonl", &list);
    answer.code_is(2);
    let told = "dedup: in/e: stays, because its survivor 'in/a' is not among the inputs; name that input too, or give \
                --shard if it is in another shard\n";
    assert!(answer.stderr.contains(told), "{answer:?}");
    assert_eq!(stay, ["b", "c", "e"]);
    // A survivor that was overwritten is as good as gone, in a shard too.
    let folder = folder.file("in/a", CLOCK);
    for option in ["", " --shard"] {
        let answer = folder.dedup(&format!("clean in --apply gone.jsonl --force -o out{option}"));
        answer.code_is(2);
        let told = "in/b: stays, because the text of its survivor 'in/a' is not the one that it was compared with";
        assert!(answer.stderr.contains(told), "{answer:?}");
        assert_eq!(folder.files("out").into_keys().collect::<Vec<_>>(), ["a", "b", "c", "e"]);
    }
}

#[test]
fn two_lines_that_name_each_other_remove_nothing() {
    let folder = Folder::new().file("in/a", HARBOUR).file("in/b", HARBOUR);
    let list = |keep: &str| {
        folder.dedup(&format!("clean -q in --keep {keep} --force -o first")).quietly(0);
        folder.read_text("first.removed.jsonl")
    };
    // Each list has its closing line, so that they can be joined.
    let both = list("first") + &list("last");
    let (answer, stay) = apply(&folder, "gone.jsonl", &both);
    answer.code_is(2);
    for [id, other] in [["in/a", "in/b"], ["in/b", "in/a"]] {
        let told = format!("dedup: {id}: stays, because the list removes its survivor '{other}' too; leave out one of");
        assert!(answer.stderr.contains(&told), "{answer:?}");
    }
    assert_eq!(stay, ["a", "b"]);
    let first = both.lines().next().unwrap();
    let (answer, stay) = apply(&folder, "gone.jsonl", &both.replacen(&format!("{first}\n"), "", 1));
    assert_eq!((answer.code, stay), (0, vec!["b".into()]), "{answer:?}");
}

#[test]
fn lines_can_be_left_out() {
    let folder = listed();
    for name in ["first.removed.jsonl", "first.removed.csv"] {
        let list = folder.read_text(name);
        let lines: Vec<&str> = list.split_inclusive('\n').collect();
        let heading = usize::from(name.split('.').next_back() == Some("csv"));
        for out in 0..8 {
            let left = |at: usize| at >= heading && at - heading < 3 && (out >> (at - heading)) & 1 == 1;
            let rest: String = (0..lines.len()).filter(|&at| !left(at)).map(|at| lines[at]).collect();
            let (answer, stay) = apply(&folder, "gone.removed.jsonl", &rest);
            answer.code_is(0);
            let removed: BTreeSet<&str> =
                (0..3).filter(|bit| out >> bit & 1 == 0).map(|bit| ["b", "d", "e"][bit]).collect();
            let expected: Vec<&str> =
                ["a", "b", "c", "d", "e"].into_iter().filter(|id| !removed.contains(id)).collect();
            assert_eq!(stay, expected, "{rest}");
            let told = ["", "; 1 of its lines was left out", "; 2 of its lines were left out", "; 3 of its lines were"];
            assert!(answer.stderr.contains(told[3 - removed.len()]), "{answer:?}");
        }
    }
}

/// At every line and at many places within: nothing is removed, whatever the name of the list.
#[test]
fn a_list_that_was_cut_is_refused() {
    let folder = listed();
    for (name, cut) in [("first.removed.jsonl", "cut.removed.jsonl"), ("first.removed.csv", "cut.removed.csv")] {
        let list = folder.read_text(name);
        let ends: Vec<usize> = list.match_indices('\n').map(|(at, _)| at + 1).collect();
        let whole = list.len() - 1;
        let places: BTreeSet<usize> = (0..whole)
            .step_by(61)
            .chain(ends.iter().flat_map(|end| [end - 2, end - 1, *end]))
            .filter(|at| *at < whole)
            .collect();
        for place in places {
            fs::write(folder.path().join(cut), &list[..place]).unwrap();
            let answer = folder.dedup(&format!("clean -q in --apply {cut} -o out"));
            answer.fails_saying("nothing was removed");
            assert!(!folder.path().join("out").exists(), "{place}: {answer:?}");
        }
    }
    // Under another name too, unless so little is left that it may be an id.
    let list = folder.read_text("first.removed.jsonl");
    for place in [1, 2, 40, list.find('\n').unwrap(), list.find('\n').unwrap() + 1, list.len() - 2] {
        let folder = listed().file("gone", &list[..place]);
        folder.dedup("clean -q in --apply gone -o out").fails_saying("nothing was removed");
    }
    let heading = folder.read_text("first.removed.csv").lines().next().unwrap().to_owned();
    for (list, told) in [
        (&*heading, "gone: its closing line is missing, as if the list had been cut; leave out lines if you like"),
        (&heading[..20], "gone, line 1: names a survivor, but has no digests and check value"),
        ("id,s", "gone: has a heading and no row, as if the list had been cut"),
    ] {
        let folder = listed().file("gone", list);
        folder.dedup("clean -q in --apply gone -o out").fails_saying(told);
    }
}

#[test]
fn a_line_that_was_changed_is_refused() {
    let folder = listed();
    let was_changed = "was changed: its check value fits other ids or digests; restore the line or leave it out";
    for (name, heading) in [("first.removed.jsonl", 0), ("first.removed.csv", 1)] {
        let list = folder.read_text(name);
        let lines: Vec<&str> = list.lines().collect();
        for (at, line) in lines.iter().enumerate().skip(heading) {
            let is_end = at == lines.len() - 1;
            let digit = if is_end { "3" } else { "in/" };
            let changed = line.replacen(digit, if is_end { "2" } else { "in./" }, 1);
            assert_ne!(*line, changed);
            let list = list.replacen(line, &changed, 1);
            let (answer, stay) = apply(&folder, "gone.removed.csv", &list);
            let told = if is_end { "was changed: it closes the list" } else { was_changed };
            assert!(answer.stderr.contains(&format!("gone.removed.csv, line {}: {told}", at + 1)), "{answer:?}");
            assert_eq!((answer.code, stay.len()), (2, 0));
        }
    }
    let list = folder.read_text("first.removed.jsonl");
    let (first, rest) = list.split_once('\n').unwrap();
    for (changed, told) in [
        (first.replace("\"survivor\"", "\"surviver\""), was_changed),
        (first.replace("\"check\"", "\"chekc\""), "names a survivor, but has no digests and check value"),
        (format!("{first}\n{first}\n{first}"), "line 6: closes a list of fewer lines than stand before it"),
        ("{\"id\":\"in/a\"}".into(), "line 2: has a digest and a check value, unlike the lines before it"),
        (format!("{first}\n{{\"id\":\"in/a\"}}"), "line 2: has no digest and check value, unlike the list it is in"),
        (format!("{first}\n{{\"id\":\"in/a\""), "line 2: is not a JSON object on a line of its own"),
    ] {
        let (answer, _) = apply(&folder, "gone.removed.jsonl", &format!("{changed}\n{rest}"));
        assert!(answer.stderr.contains(told) && answer.code == 2, "{changed}: {answer:?}");
    }
    // A figure is not what a removal goes by, and other programs write numbers in other ways.
    let (answer, _) = apply(&folder, "gone.removed.jsonl", &list.replace("0.7894736842105263", "0.79"));
    answer.code_is(0);
}

/// Ids that a table must escape.
#[test]
fn ids_in_tables_are_read_as_they_were() {
    let odd = ["=b", "'=b", "\\u0041", "\u{1b}[2J", "two\nlines", "a,\"b\"", "-1", "é\u{1ffff}", "end_of_list"];
    let all: Vec<(&str, &str)> = [("first", HARBOUR)].into_iter().chain(odd.map(|id| (id, HARBOUR))).collect();
    let folder = Folder::new().file("in.jsonl", jsonl(&all));
    folder.dedup("clean -q --id-field id in.jsonl --keep first -o first.csv").quietly(0);
    folder.dedup("clean -q --id-field id in.jsonl -o out.jsonl --apply first.csv.removed.csv").quietly(0);
    assert_eq!(folder.read_text("out.jsonl"), jsonl(&all[..1]));
    // A spreadsheet of some countries writes semicolons.
    let list = folder.read_text("first.csv.removed.csv").replace("\"a,\"\"b\"\"\"", "\"a\u{1}\"\"b\"\"\"");
    let list = list.replace(',', ";").replace('\u{1}', ",");
    let folder =
        folder.file("first.removed.csv", format!("\u{feff}{}", list.replace('\n', "\r\n").replace("two\r\n", "two\n")));
    folder.dedup("clean -q --id-field id in.jsonl --force -o out.jsonl --apply first.removed.csv").quietly(0);
    assert_eq!(folder.read_text("out.jsonl"), jsonl(&all[..1]));
    // A table of another program has ids alone.
    let folder = folder.file("gone.csv", "why,id\nspam,'=b\nspam,nobody\n");
    let answer = folder.dedup("clean --id-field id in.jsonl --force -o out.jsonl --apply gone.csv");
    assert!(answer.stderr.contains("gone.csv: removed 1 of 10 documents; 1 of its ids was not found"), "{answer:?}");
    answer.code_is(0);
    assert!(!folder.read_text("out.jsonl").contains("\"=b\""));
}

#[test]
fn results_of_other_commands_are_no_lists_of_removals() {
    let folder = listed();
    for (format, told) in [
        ("jsonl", "gone, line 1: is not a JSON object with an id"),
        ("json", "gone, line 1: is not a JSON object on a line of its own"),
        ("csv", "gone, line 1: names a survivor, but has no digests and check value"),
    ] {
        let found = folder.dedup(&format!("find -q in --format {format}")).quietly(0);
        fs::write(folder.path().join("gone"), found).unwrap();
        folder.dedup("clean -q in --apply gone -o out").fails_saying(told);
        assert!(!folder.path().join("out").exists());
    }
}

/// Read as a list of ids, a corpus would remove itself.
#[test]
fn an_input_is_no_list() {
    let folder = Folder::new().file("corpus.jsonl", "{\"id\": \"a\", \"text\": \"one two three\"}\n");
    let line = "clean corpus.jsonl --id-field id --apply ./corpus.jsonl -o out.jsonl";
    folder.dedup(line).fails_saying("./corpus.jsonl: is read as an input itself");
}

/// Whoever lists ids alone has decided.
#[test]
fn plain_ids_are_removed_unchecked() {
    let folder = listed();
    let folder = folder.file("in/b", CLOCK);
    let (answer, stay) = apply(&folder, "gone.txt", "in/b\nin/a\n");
    answer.code_is(0);
    assert_eq!(stay, ["c", "d", "e"]);
    let list = removals(&folder.read_text("out.removed.jsonl"));
    assert!(
        list.iter().all(|line| line["survivor"].is_null() && line["digest"].as_str().unwrap().len() == 32),
        "{list:?}"
    );
    // Their list is bound to the texts that were removed.
    let list = folder.read_text("out.removed.jsonl");
    let folder = folder.file("in/b", EDITED);
    let (answer, stay) = apply(&folder, "gone.jsonl", &list);
    answer.code_is(2);
    assert_eq!(stay, ["b", "c", "d", "e"]);
    folder.dedup("clean in --shard -o out").code_is(2);
}

#[test]
fn a_removed_list_removes_from_an_index_too() {
    let folder = listed();
    folder.dedup("index create index").code_is(0);
    folder.dedup("index add -q index in").quietly(0);
    for name in ["first.removed.jsonl", "first.removed.csv"] {
        folder.dedup(&format!("index remove -q index --from {name}")).quietly(0);
        assert_eq!(folder.dedup("index list index").quietly(0), "in/a\nin/c\n");
        folder.dedup("index add -q --skip index in").quietly(0);
    }
    let cut = folder.read_text("first.removed.jsonl");
    let folder = folder.file("cut", &cut[..cut.rfind("{\"end").unwrap()]);
    folder.dedup("index remove -q index --from cut").fails_saying("cut: its closing line is missing");
}
