//! `dedup find`: clusters, pairs, neighbours.

use serde_json::{Value, json};

use crate::folder::{Folder, dedup, fileless};
use crate::texts::{BEES, CLOCK, EDITED, HALL, HARBOUR, MILL, Numbers, jsonl, lines_of};

/// A text, its edited form, an unrelated text, two without terms, a copy, a single word.
fn folder() -> Folder {
    let documents = [
        ("a", HARBOUR),
        ("b", EDITED),
        ("c", BEES),
        ("d", ""),
        ("e", HARBOUR),
        ("f", "word"),
        ("g", ""),
        ("h", "words and tides"),
    ];
    Folder::new().file("all.jsonl", jsonl(&documents))
}

const FIND: &str = "find -q --language eng --id-field id";

/// Members are compared with their survivors some thousand at a time.
#[test]
fn every_member_of_many_clusters_has_its_own_figures() {
    let mut numbers = Numbers(3);
    let mut texts: Vec<(String, String)> = Vec::new();
    for cluster in 0..2500 {
        let words: Vec<String> = (0..12).map(|_| format!("word{}", numbers.below(1_000_000))).collect();
        for member in 0..3 {
            let more = format!(" and {}", "more ".repeat(member));
            texts.push((format!("{cluster}-{member}"), format!("{} in all{more}", words.join(" "))));
        }
        texts.push((
            format!("alone-{cluster}"),
            format!("nothing else {} is like this one", numbers.below(1_000_000_000)),
        ));
    }
    let texts: Vec<(&str, &str)> = texts.iter().map(|(id, text)| (id.as_str(), text.as_str())).collect();
    let folder = Folder::new().file("all.jsonl", jsonl(&texts));
    let found = folder.dedup(&format!("{FIND} --distance none --all --format jsonl all.jsonl")).quietly(0);
    let mut members = 0;
    for line in found.lines() {
        let cluster: Value = serde_json::from_str(line).unwrap();
        let survivor = cluster["survivor"].as_str().unwrap();
        for member in cluster["members"].as_array().unwrap() {
            let id = member["id"].as_str().unwrap();
            assert_eq!(id.split('-').next(), survivor.split('-').next());
            let less = if id.ends_with('0') { 13.0 / 15.0 } else { 14.0 / 15.0 };
            assert!((member["jaccard"].as_f64().unwrap() - less).abs() < 1e-9, "{member}");
            members += 1;
        }
    }
    assert_eq!((found.lines().count(), members), (5000, 5000));
}

#[test]
fn clusters_in_every_form() {
    let folder = folder().dated("all.jsonl", 0);
    let bytes = folder.read("all.jsonl").len();
    let found = |form: &str| folder.dedup(&format!("{FIND} --format {form} all.jsonl")).quietly(0);
    let dated = |expected: &str| {
        let (json, csv) = (
            format!("\"file_bytes\":{bytes},\"file_modified\":\"2001-02-03T04:05:06Z\""),
            format!("{bytes},2001-02-03T04:05:06Z"),
        );
        expected.replace("\"FILE\"", &json).replace("FILE", &csv)
    };
    assert_eq!(
        found("text"),
        "\
a
   e   0 bits  Jaccard 100.00 %  by hamming, jaccard, text  removal: same
   b  11 bits  Jaccard  78.94 %  by jaccard  removal: none
d
   g  no words  by text  removal: same
"
    );
    let clusters = [
        "{\"group\":1,\"survivor\":\"a\",\"FILE\",\"members\":[\
         {\"id\":\"e\",\"distance\":0,\"jaccard_estimate\":1.0,\"jaccard\":1.0,\"containment_a\":1.0,\
         \"containment_b\":1.0,\"rules\":[\"hamming\",\"jaccard\",\"text\"],\"removal\":\"same\",\"FILE\"},\
         {\"id\":\"b\",\"distance\":11,\"jaccard_estimate\":0.8,\"jaccard\":0.7894736842105263,\
         \"containment_a\":0.8823529411764706,\"containment_b\":0.8823529411764706,\"rules\":[\"jaccard\"],\
         \"removal\":null,\"FILE\"}]}",
        "{\"group\":2,\"survivor\":\"d\",\"FILE\",\"members\":[\
         {\"id\":\"g\",\"distance\":null,\"jaccard_estimate\":null,\"jaccard\":null,\"containment_a\":null,\
         \"containment_b\":null,\"rules\":[\"text\"],\"removal\":\"same\",\"FILE\"}]}",
    ]
    .map(dated);
    assert_eq!(found("jsonl"), clusters.each_ref().map(|cluster| format!("{cluster}\n")).concat());
    assert_eq!(found("json"), format!("[\n{}\n]\n", clusters.join(",\n")));
    let head = "survivor,id,distance,jaccard_estimate,jaccard,containment_a,containment_b,rules,removal,\
                group,file_bytes,file_modified\n";
    let [first, second, third] = [
        "a,e,0,1,1,1,1,hamming jaccard text,same,1,FILE\n",
        "a,b,11,0.8,0.7894736842105263,0.8823529411764706,0.8823529411764706,jaccard,,1,FILE\n",
        "d,g,,,,,,text,same,2,FILE\n",
    ];
    assert_eq!(found("csv"), dated(&[head, first, second, third].concat()));
    // With `--all` each document has a row, even if it is in no cluster.
    let own = |id: &str, group: u32| format!("{id},{id},,,,,,,,{group},FILE\n");
    let alone: String = ["c", "h", "f"].iter().zip(3..).map(|(id, group)| own(id, group)).collect();
    let all = [head, &own("a", 1), first, second, &own("d", 2), third, &alone].concat();
    assert_eq!(found("csv --all"), dated(&all));
    assert!(found("text --all").ends_with("\nc\nh\nf\n"));
}

/// Both go for the shortest text that is the same, so the pair of the two is not kept.
#[test]
fn a_pair_that_goes_for_a_third_text_says_so() {
    let folder = Folder::new()
        .file("a.txt", "The quick brown fox jumps over the dog.")
        .file("b.txt", "The quick brown fox jumps over the dog.")
        .file("c.txt", "The quick brown fox jumps over  the  dog.");
    let found = folder.dedup("find -q --pairs a.txt b.txt c.txt").quietly(0);
    let ends: Vec<&str> = found.lines().map(|line| line.rsplit("  ").next().unwrap()).collect();
    assert!(ends.contains(&"removal: for another") && !ends.contains(&"removal: none"), "{found}");
}

#[test]
fn every_pair_in_every_form() {
    let folder = folder();
    let found = |options: &str| folder.dedup(&format!("{FIND} --pairs {options} all.jsonl")).quietly(0);
    assert_eq!(
        found(""),
        "\
a  b  11 bits  Jaccard  78.94 %  by jaccard  removal: none
a  e   0 bits  Jaccard 100.00 %  by hamming, jaccard, text  removal: same
d  g  no words  by text  removal: same
"
    );
    assert_eq!(found("--format jsonl --similarity none").lines().count(), 2);
    let pair = &folder.dedup(&format!("{FIND} --pairs --format json all.jsonl")).json()[0];
    let keys: Vec<_> = pair.as_object().unwrap().keys().collect();
    let expected =
        ["a", "b", "containment_a", "containment_b", "distance", "jaccard", "jaccard_estimate", "removal", "rules"];
    assert_eq!(keys, expected);
    assert!(
        found("--format csv")
            .starts_with("a,b,distance,jaccard_estimate,jaccard,containment_a,containment_b,rules,removal\n")
    );
    // A distance that would require comparing all with all is refused.
    folder
        .dedup(&format!("{FIND} --pairs --distance 13 all.jsonl"))
        .fails_saying("Hamming distance 13: pairs are found up to 12");
    assert!(found("--distance 12").contains("a  b  11 bits  Jaccard  78.94 %  by hamming, jaccard  removal: none\n"));
}

#[test]
fn clusters_can_have_any_distance() {
    let found = folder().dedup(&format!("{FIND} --distance 64 --similarity none --format json all.jsonl")).json();
    let members = found[0]["members"].as_array().unwrap();
    assert_eq!(members.len(), 5, "all that have a simhash: {found}");
}

#[test]
fn nearest_neighbours_of_some_or_all() {
    let folder = folder();
    let found = |options: &str| folder.dedup(&format!("{FIND} --neighbours 2 {options} all.jsonl"));
    assert_eq!(
        found("--of b").quietly(0),
        "\
b
   a  11 bits  Jaccard  78.94 %  by jaccard  removal: none
   e  11 bits  Jaccard  78.94 %  by jaccard  removal: none
"
    );
    assert_eq!(found("--of c --of d --of e --format jsonl").jsonl().len(), 3);
    assert_eq!(
        found("--format csv").quietly(0).lines().next(),
        Some("id,neighbour,distance,jaccard_estimate,jaccard,containment_a,containment_b,rules,removal")
    );
    found("--of z").fails_saying("no document has the id 'z'");
    // Neither an unrelated nor an empty text has neighbours.
    assert_eq!(found("--of c --of d").quietly(1), "c\nd\n");
}

#[test]
fn one_corpus_against_another() {
    let folder = Folder::new()
        .file("left.jsonl", jsonl(&[("l1", HARBOUR), ("l2", HARBOUR), ("l3", BEES), ("l4", "")]))
        .file("right.jsonl", jsonl(&[("r1", EDITED), ("r2", CLOCK), ("r3", HARBOUR), ("r4", HARBOUR), ("r5", "")]))
        .file("none.jsonl", jsonl(&[("n1", CLOCK), ("n2", CLOCK)]));
    let found = |against: &str| folder.dedup(&format!("{FIND} left.jsonl --against {against}"));
    // Each copy on the first side has its pairs; copies on the second side are represented by the first.
    let expected = "\
l1  r1  11 bits  Jaccard  78.94 %  by jaccard  removal: none
l1  r3   0 bits  Jaccard 100.00 %  by hamming, jaccard, text  removal: same
l2  r1  11 bits  Jaccard  78.94 %  by jaccard  removal: none
l2  r3   0 bits  Jaccard 100.00 %  by hamming, jaccard, text  removal: same
l4  r5  no words  by text  removal: same
";
    assert_eq!(found("right.jsonl").quietly(0), expected);
    assert_eq!(found("right.jsonl --pairs").quietly(0), expected);
    assert_eq!(found("none.jsonl").quietly(1), "", "pairs within one side are not asked for");
    assert_eq!(found("none.jsonl --against right.jsonl").quietly(0), expected);
    // Either side may be a fingerprint file.
    for name in ["left", "right"] {
        folder.dedup(&format!("fingerprint -q --language eng --id-field id {name}.jsonl -o {name}.fp")).quietly(0);
    }
    assert_eq!(folder.dedup("find -q left.fp --against right.fp").quietly(0), expected);
    assert_eq!(found("right.fp").quietly(0), expected);
}

#[test]
fn the_exit_status_tells_what_was_found() {
    let folder = folder().file("c.jsonl", jsonl(&[("c", BEES), ("k", CLOCK)])).file("none.jsonl", "");
    for (line, code) in [("all.jsonl", 0), ("c.jsonl", 1), ("none.jsonl", 1), ("--pairs c.jsonl", 1)] {
        folder.dedup(&format!("{FIND} {line}")).quietly(code);
    }
    for (form, expected) in [("text", ""), ("jsonl", ""), ("json", "[]\n")] {
        assert_eq!(folder.dedup(&format!("{FIND} --format {form} c.jsonl")).quietly(1), expected);
    }
    let answer = folder.dedup(&format!("{FIND} nothing all.jsonl"));
    assert_eq!(answer.stderr, "dedup: nothing: no such file; check the name and the folder; skipped\n");
    assert_eq!(answer.code, 2);
    assert_eq!(answer.stdout, folder.dedup(&format!("{FIND} all.jsonl")).stdout, "what is there is searched");
    assert_eq!(folder.dedup("find").code, 2);
    assert_eq!(folder.dedup(&format!("{FIND} --recall 1 all.jsonl")).code, 2);
}

#[test]
fn the_policy_decides_which_document_survives() {
    let dated = |id: &str, text: &str, date: &str| format!("{{\"id\":\"{id}\",\"date\":{date},\"text\":\"{text}\"}}\n");
    let folder = Folder::new()
        .file("one.jsonl", dated("a", HARBOUR, "100"))
        .file("two.jsonl", dated("b", EDITED, "20") + &dated("x", EDITED, "null"));
    for (policy, survivor) in [
        ("first", "a"),
        ("last", "x"),
        ("longest", "a"),
        ("shortest", "b"),
        ("field:date", "b"),
        ("field:date:asc", "b"),
        ("field:date:desc", "a"),
        ("source:two", "b"),
        ("source:one,two", "a"),
        ("source:three", "a"),
    ] {
        let found = folder.dedup(&format!("{FIND} --keep {policy} --format json one.jsonl two.jsonl")).json();
        assert_eq!(
            (&found[0]["survivor"], found[0]["members"].as_array().unwrap().len()),
            (&survivor.into(), 2),
            "{policy}"
        );
    }
    let wrong = folder.dedup(&format!("{FIND} --keep youngest one.jsonl"));
    assert!(wrong.code == 2 && wrong.stderr.contains("expected first, last, longest, shortest"), "{wrong:?}");
}

#[test]
fn the_result_does_not_depend_on_threads_or_order() {
    let mut documents = Numbers(7).documents(400, 120);
    let [half, rest] = [&documents[..200], &documents[200..]].map(lines_of);
    let folder = Folder::new().file("a.jsonl", half).file("b.jsonl", rest);
    let find = |line: &str| {
        fileless(&folder.dedup(&format!("find -q --id-field id --language und --format jsonl {line}")).quietly(0))
    };
    let clusters = find("--threads 1 a.jsonl b.jsonl");
    assert!(clusters.lines().count() > 50);
    assert_eq!(find("--threads 4 a.jsonl b.jsonl"), clusters);
    assert_eq!(find("b.jsonl a.jsonl"), clusters, "the other way round");
    for line in ["--pairs a.jsonl b.jsonl", "--neighbours 2 a.jsonl", "a.jsonl --against b.jsonl"] {
        assert_eq!(find(&format!("--threads 1 {line}")), find(&format!("--threads 4 {line}")), "{line}");
    }
    let mut numbers = Numbers(8);
    for end in (1..documents.len()).rev() {
        documents.swap(end, numbers.below(end + 1));
    }
    let shuffled = folder.file("shuffled.jsonl", lines_of(&documents));
    let answer = shuffled.dedup("find -q --id-field id --language und --format jsonl shuffled.jsonl");
    assert_eq!(fileless(&answer.quietly(0)), clusters);
    // The result is the same with little memory, in several rounds.
    let answer = shuffled.dedup("find -q --id-field id --language und --format jsonl --max-memory 56M shuffled.jsonl");
    assert_eq!(fileless(&answer.quietly(0)), clusters);
}

/// For each listed pair `find` says if `clean` would remove one of the two, and `clean` does so.
#[test]
fn what_find_marks_as_kept_clean_keeps() {
    let mut numbers = Numbers(17);
    let mut seen = [0, 0];
    for words in [5, 20, 21, 30, 40, 50, 80] {
        for changes in [0, 1, 2, 4] {
            let text = numbers.text(words);
            let edited = if changes == 0 { format!("{text}.") } else { numbers.edited(&text, changes) };
            let folder = Folder::new().file("two.jsonl", jsonl(&[("a", &text), ("b", &edited)]));
            let line = "find -q --pairs --similarity 0.1 --language und --id-field id";
            let pairs = folder.dedup(&format!("{line} --format jsonl two.jsonl"));
            let [pair] = &pairs.jsonl()[..] else { continue };
            let claim = pair["removal"].as_str();
            // 1 up to 20 words, .7 from 50 words on, and linear between.
            let needed = 0.7 + 0.3 * ((50.0 - words as f64) / 30.0).clamp(0.0, 1.0);
            let is_near = pair["jaccard"].as_f64().unwrap() >= needed;
            let expected = if changes == 0 { Some("same") } else { is_near.then_some("edited") };
            assert_eq!(claim, expected, "{pair}");
            let shown = folder.dedup(&format!("{line} two.jsonl")).quietly(0);
            assert!(shown.ends_with(&format!("  removal: {}\n", claim.unwrap_or("none"))), "{shown}");
            for level in ["same", "contained", "edited"] {
                folder
                    .dedup(&format!("clean -q --force --remove {level} --id-field id two.jsonl -o one.jsonl"))
                    .quietly(0);
                let left = folder.read_text("one.jsonl").lines().count();
                let goes = claim == Some("same") || claim == Some(level);
                assert_eq!(left, if goes { 1 } else { 2 }, "{words} words, {changes} changed, {level}: {pair}");
            }
            seen[usize::from(claim.is_some())] += 1;
        }
    }
    assert!(seen[0] > 5 && seen[1] > 5, "{seen:?}");
}

/// Two pages that describe two commands in the same words.
#[test]
fn a_word_replaced_throughout_keeps_both() {
    let page =
        |name: &str| format!("{name} opens the gate of a lock. {MILL} Without an argument {name} asks for one. {HALL}");
    let folder = Folder::new().file("a.txt", page("sluice")).file("b.txt", page("weir"));
    let shown = folder.dedup("find -q --pairs a.txt b.txt").quietly(0);
    assert!(shown.ends_with("  removal: none\n"), "{shown}");
    let pair = &folder.dedup("find -q --pairs --format json a.txt b.txt").json()[0];
    assert!(pair["jaccard"].as_f64() > Some(0.7), "{pair}");
    assert!(pair["removal"].is_null());
    // A word that is replaced once is an edit.
    let folder = Folder::new().file("a.txt", MILL).file("b.txt", MILL.replace("brooks", "streams"));
    assert_eq!(folder.dedup("find -q --pairs --format json a.txt b.txt").json()[0]["removal"], "edited");
}

/// A is near to B and B to C, but A is not near to C.
#[test]
fn clusters_are_not_transitive() {
    let words = "ebb flow surge swell ripple breaker current eddy spray foam billow comber whitecap".split(' ');
    let words: Vec<&str> = words.collect();
    let [a, b, c] = [0..9, 2..11, 4..13].map(|range| words[range].join(" "));
    let folder = Folder::new().file("chain.jsonl", jsonl(&[("a", &a), ("b", &b), ("c", &c)]));
    let find = |options: &str| {
        let line = "find -q --language und --min 1 --max 1 --distance none --id-field id --recall 0.9999";
        folder.dedup(&format!("{line} {options} chain.jsonl")).quietly(0)
    };
    let pairs = crate::folder::jsonl(&find("--pairs --format jsonl"));
    let ids: Vec<_> = pairs.iter().map(|pair| [&pair["a"], &pair["b"]]).collect();
    assert_eq!(ids, [["a", "b"], ["b", "c"]]);
    for pair in pairs {
        assert_eq!((&pair["jaccard"], &pair["rules"]), (&(7.0 / 11.0).into(), &json!(["jaccard"])));
    }
    assert_eq!(find("--keep first").lines().map(|line| line.split("  ").count()).collect::<Vec<_>>().len(), 2);
    let kept = |policy: &str| -> Vec<String> {
        let lines = find(&format!("--format csv --keep {policy}"));
        lines.lines().skip(1).map(|line| line.split(',').take(2).collect::<Vec<_>>().join("<")).collect()
    };
    assert_eq!(kept("first"), ["a<b"], "c is near to b only, which goes");
    assert_eq!(kept("last"), ["c<b"]);
    // With the middle document as survivor, both others are its members.
    let folder = Folder::new().file("chain.jsonl", jsonl(&[("b", &b), ("a", &a), ("c", &c)]));
    let line = "find -q --language und --min 1 --max 1 --distance none --id-field id --recall 0.9999 --keep first";
    let found = folder.dedup(&format!("{line} --format json chain.jsonl")).json();
    let ids: Vec<_> = found[0]["members"].as_array().unwrap().iter().map(|member| member["id"].clone()).collect();
    assert_eq!((found[0]["survivor"].as_str(), ids), (Some("b"), vec!["a".into(), "c".into()]));
}

#[test]
fn short_texts_match_only_if_equal() {
    let documents = [
        ("one", "tide"),
        ("same", "Tide!"),
        ("other", "ebb"),
        ("two", "tide table"),
        ("stop", "to be or not"),
        ("stops", "To be, or not!"),
        ("no", ""),
    ];
    let folder = Folder::new().file("short.jsonl", jsonl(&documents));
    let found = folder.dedup(&format!("{FIND} --format csv --distance 0 short.jsonl")).quietly(0);
    let pairs: Vec<_> = found.lines().skip(1).map(|line| line.split(',').take(2).collect::<Vec<_>>()).collect();
    assert_eq!(pairs, [["stops", "stop"], ["same", "one"]]);
    // Stop words are words, but a text of stop words alone has no simhash.
    let line = format!("{FIND} --format csv --distance 64 --similarity none short.jsonl");
    assert!(!folder.dedup(&line).quietly(0).contains("stop"));
}

#[test]
fn a_bad_record_is_skipped_or_ends_the_run() {
    let folder = Folder::new().file("all.jsonl", jsonl(&[("a", HARBOUR)]) + "{]\n" + &jsonl(&[("b", HARBOUR)]));
    let answer = folder.dedup(&format!("{FIND} all.jsonl"));
    assert_eq!(answer.code, 2);
    assert!(answer.stdout.starts_with("a\n   b"), "{answer:?}");
    assert!(answer.stderr.starts_with("dedup: all.jsonl, line 2: is not valid JSON"), "{answer:?}");
    let strict = folder.dedup(&format!("{FIND} --strict all.jsonl"));
    strict.fails_saying("all.jsonl, line 2: is not valid JSON");
    strict.fails_saying("(stopped, as --strict asks)");
}

#[test]
fn the_plan_and_the_summary_are_shown_unless_quiet() {
    let folder = folder();
    let told = folder.dedup("find --language eng --id-field id all.jsonl");
    assert_eq!(told.stdout, folder.dedup(&format!("{FIND} all.jsonl")).quietly(0));
    for part in ["dedup: Hamming rule: ", "dedup: Jaccard rule: ", "searched ", "exact duplicates ", "kept "] {
        assert!(told.stderr.contains(part), "{part}: {told:?}");
    }
    assert!(told.stderr.lines().count() < 40);
}

#[test]
fn the_page_names_the_clusters() {
    let folder = folder();
    folder.dedup(&format!("{FIND} --report page.html all.jsonl")).quietly(0);
    let told = folder.dedup("find --id-field id --report page.html --force all.jsonl").stderr;
    assert!(told.ends_with("dedup: the overview: page.html\n"), "{told}");
    let page = folder.read_text("page.html");
    assert!(page.to_lowercase().starts_with("<!doctype html>") && page.trim_end().ends_with("</html>"));
    for part in [">a<", ">b<", ">e<", ">d<", "ferry", "Jaccard"] {
        assert!(page.contains(part), "{part}: {page}");
    }
    assert!(!page.contains("http://") && !page.contains("https://") && !page.contains("src="), "it stands alone");
    // The page of one run is not a document of the next.
    let folder = Folder::new().file("in/a.txt", HARBOUR).file("in/b.txt", EDITED);
    let line = "find -q in --report in/page.html --force --problems in/problems.jsonl";
    let first = folder.dedup(line).quietly(0);
    assert_eq!(folder.dedup(line).quietly(0), first);
    assert!(folder.read_text("in/page.html").contains("2 documents</title>"));
    assert_eq!(folder.read("in/problems.jsonl"), b"");
    folder.dedup("find -q in/a.txt in/b.txt --report .").fails_saying(".: is a folder");
}

#[cfg(unix)]
#[test]
fn a_closed_output_is_a_normal_ending() {
    let documents = Numbers(3).documents(600, 30);
    let folder = Folder::new().file("all.jsonl", lines_of(&documents));
    folder.dedup("fingerprint -q all.jsonl -o all.fp").quietly(0);
    folder.dedup("index create letters").quietly(0);
    folder.dedup("index add -q letters all.jsonl").quietly(0);
    for line in [
        "find -q all.fp",
        "find -q --pairs all.fp",
        "find -q --neighbours 3 all.fp",
        "cat all.fp",
        "info all.fp",
        "index query -q letters all.jsonl",
    ] {
        assert_eq!(crate::folder::run_unread(&mut folder.command(line)), 0, "{line}");
    }
}

#[test]
fn the_texts_of_the_project_cluster_with_their_variants() {
    let answer = dedup("find -q --format jsonl data/texts");
    assert_eq!((answer.code, &*answer.stderr), (0, ""));
    let clusters = answer.jsonl();
    let name = |id: &Value| id.as_str().unwrap().replace(".edited", "");
    for cluster in &clusters {
        let members = cluster["members"].as_array().unwrap();
        assert!(members.iter().all(|member| name(&member["id"]) == name(&cluster["survivor"])), "{cluster}");
    }
    assert!(clusters.len() >= 75, "{}: every variant and its original", clusters.len());
}

/// The simhash of a text that repeats one phrase depends on the phrase alone and equals that
/// of any other such text. Thousands of texts that share a notice with it crowd the keys of
/// its sketch.
#[test]
fn a_crowd_hides_no_pair_within_the_distance() {
    let mut numbers = Numbers(5);
    let (phrase, notice) = (format!("{} ", numbers.text(3)).repeat(500), numbers.text(40));
    let mut documents = vec![("x".to_owned(), format!("{phrase}{}", numbers.text(100)))];
    documents.extend((0..3000).map(|i| (format!("{i:04}"), format!("{notice} {}", numbers.text(50)))));
    documents.push(("y".to_owned(), format!("{notice} {phrase}{}", numbers.text(60))));
    let folder = Folder::new().file("all.jsonl", lines_of(&documents));
    folder.dedup("fingerprint -q --language und --id-field id all.jsonl -o all.fp").quietly(0);
    let pair = "x,y,0,0,";
    let pairs = folder.dedup("find -q --pairs --format csv all.fp").quietly(0);
    assert_eq!(pairs.lines().filter(|line| line.starts_with(pair)).count(), 1, "{pairs}");
    let clusters = folder.dedup("find --keep first --format csv all.fp");
    assert!(clusters.stdout.contains("\nx,y,0,0,"), "{clusters:?}");
    let crowded = "that stay share a key of their sketches with more than 64 others that stay";
    assert!(clusters.stderr.contains(crowded), "{clusters:?}");
    // The plan does not know of the crowd, and the summary does.
    let [plan, summary] =
        ["Jaccard coefficient of the whole texts: 0.5: 99.56 %", "expected recall       at least 99.56 %"];
    assert!(clusters.stderr.contains(plan) && !clusters.stderr.contains(summary), "{clusters:?}");
}

#[test]
fn many_copies_give_few_pairs() {
    let texts = [HARBOUR.to_owned(), HARBOUR.replace(',', " -"), EDITED.to_owned()];
    let documents: Vec<_> = (0..30_000).map(|i| (format!("{i:05}"), texts[i % 3].clone())).collect();
    let folder = Folder::new().file("all.jsonl", lines_of(&documents));
    folder.dedup("fingerprint -q --language eng --id-field id all.jsonl -o all.fp").quietly(0);
    let clusters = folder.dedup("find -q --keep first --format csv all.fp").quietly(0);
    assert_eq!(clusters.lines().count(), 30_000, "one stays, and the heading");
    assert!(clusters.lines().skip(1).all(|line| line.starts_with("00000,")));
    // Identical texts are represented by the first, and so are texts that differ only in
    // punctuation.
    let pairs = folder.dedup("find -q --pairs --format csv all.fp").quietly(0);
    assert_eq!(pairs.lines().count(), 30_000, "29,999 of the first with others, and the heading");
    assert!(pairs.contains("00000,00001,0,1,1,1,1,hamming jaccard,\n"), "dashes for commas can matter");
    let against = folder.dedup("find -q --format csv all.fp --against all.fp").quietly(0);
    assert_eq!(against.lines().count(), 1 + 30_000 * 2 + 10_000, "{}", against.lines().count());
}

#[test]
fn a_damaged_file_is_an_error() {
    let folder = folder();
    folder.dedup("fingerprint -q --language eng --id-field id all.jsonl -o all.fp").quietly(0);
    let mut bytes = folder.read("all.fp");
    // The first shingle of the first document is made greater than those after it.
    let sections = folder.dedup("info --format json all.fp").json()["sections"].clone();
    let length = |name: &str| sections[name].as_u64().unwrap() as usize;
    // The words are the last section, and each section begins at a multiple of 64 bytes.
    let at = bytes.len()
        - length("words")
        - ["word offsets", "shingles"].map(|name| length(name).next_multiple_of(64)).iter().sum::<usize>();
    let shingle = |i: usize| u64::from_le_bytes(bytes[at + 8 * i..][..8].try_into().unwrap());
    assert!((1..17).all(|i| shingle(i - 1) < shingle(i)), "those of the harbour");
    bytes[at + 7] ^= 0x80;
    let folder = folder.file("bad.fp", bytes);
    for line in [
        "find bad.fp",
        "find --pairs bad.fp",
        "find --neighbours 1 bad.fp",
        "find --language eng --id-field id all.jsonl --against bad.fp",
        "cat bad.fp",
        #[cfg(feature = "parquet")]
        "cat bad.fp -o bad.parquet",
    ] {
        let expected = "bad.fp: section 'shingles' is damaged: its checksum does not agree";
        folder.dedup(line).fails_saying(expected);
    }
    assert!(!folder.path().join("bad.parquet").exists());
}

/// Options for texts do not apply to a fingerprint file: they were fixed when it was made.
#[test]
fn options_for_texts_are_refused_where_there_are_none() {
    let folder = folder().file("words.txt", "the");
    folder.dedup("fingerprint -q --language eng --id-field id all.jsonl -o all.fp").quietly(0);
    folder.dedup("index create letters --language eng").quietly(0);
    folder.dedup("index add -q letters all.fp").quietly(0);
    for option in [
        "--language eng",
        "--stop-words words.txt",
        "--min 3",
        "--max 4",
        "--sketches 25",
        "--no-stem",
        "--input jsonl",
        "--text-field text",
        "--id-field id",
        "--encoding utf-8",
        "--max-document 1M",
        "--glob *.txt",
        "--type txt",
        "--hidden",
        "--no-ignore",
        "--follow",
    ] {
        let name = option.split(' ').next().unwrap();
        let expected = format!(
            "all.fp: holds finished fingerprints, to which {name} does not apply; leave the option out, or make the \
             file again from its texts with it"
        );
        for line in ["find -q all.fp", "find -q --pairs all.fp all.fp", "find -q all.fp --against all.fp"] {
            folder.dedup(&format!("{line} {option}")).fails_saying(&expected);
        }
        let is_of_recipe = ["--language", "--stop-words", "--min", "--max", "--sketches", "--no-stem"];
        if !is_of_recipe.contains(&name) {
            folder.dedup(&format!("index query -q letters all.fp {option}")).fails_saying(&expected);
            folder.dedup(&format!("index add -q --skip letters all.fp {option}")).fails_saying(&expected);
        }
    }
    folder.dedup("index add -q --skip letters all.fp --authors").fails_saying("to which --authors does not apply");
    // These options apply to any input, and options for texts apply to the texts beside it.
    folder.dedup("find -q all.fp --strict --problems list --threads 1 --recall 0.9").quietly(0);
    folder.dedup("find -q all.fp words.txt --language eng --text-field text").quietly(0);
    folder.dedup("find -q words.txt --against all.fp --language eng").quietly(1);
}

#[test]
fn temporary_files_in_a_searched_folder_are_not_searched() {
    let edited = MILL.replace("brooks", "streams");
    let folder = Folder::new().file("in/a.txt", MILL).file("in/b.txt", edited).file("on/c.txt", MILL);
    let expected = folder.dedup("find -q in").quietly(0);
    assert_eq!(folder.dedup("find -q --temp in in").quietly(0), expected);
    assert_eq!(folder.dedup("find -q --temp in/ --hidden --no-ignore in").quietly(0), expected);
    let against = folder.dedup("find -q in --against on").quietly(0);
    assert_eq!(folder.dedup("find -q --temp on in --against on").quietly(0), against);
    assert_eq!(folder.dedup("find -q --temp in in --against on").quietly(0), against);
    folder.dedup("clean -q --temp in --remove edited in -o out").quietly(0);
    assert_eq!(folder.files("out").len(), 1);
    assert_eq!(folder.files("in").len(), 2, "nothing is left behind");
}

/// None of these runs reads its texts: they do not exist, and reading them would give another error.
#[test]
fn invalid_requests_are_refused_before_anything_is_read() {
    let folder = Folder::new().file("a.jsonl", jsonl(&[("a", HARBOUR)])).file("b.jsonl", jsonl(&[("b", HARBOUR)]));
    folder.dedup("fingerprint -q --id-field id a.jsonl -o a.fp").quietly(0);
    folder.dedup("fingerprint -q --id-field id --sketches 10 b.jsonl -o ten.fp").quietly(0);
    folder.dedup("fingerprint -q --id-field id --no-shingles b.jsonl -o bare.fp").quietly(0);
    for (line, expected) in [
        ("--pairs --distance 13 none", "Hamming distance 13: pairs are found up to 12"),
        ("--distance 13 none --against a.fp", "Hamming distance 13: pairs are found up to 12"),
        ("a.fp bare.fp none", "bare.fp: a fingerprint file has no shingles"),
        ("none --against bare.fp", "bare.fp: a fingerprint file has no shingles"),
        ("--keep field:date none a.fp", "a.fp: the fingerprint file has no sort keys to keep by"),
        ("none ten.fp", "ten.fp and the texts: fingerprints of different recipes"),
        ("none --against ten.fp", "(sketches: 10 and 25)"),
        ("a.fp --against ten.fp", "a.fp and ten.fp: fingerprints of different recipes"),
    ] {
        folder.dedup(&format!("find {line}")).fails_saying(expected);
    }
    // Data that the command does not need may be missing.
    for line in ["--pairs --keep field:date a.fp", "--neighbours 2 bare.fp"] {
        folder.dedup(&format!("find -q {line}")).quietly(1);
    }
    let answer = folder.dedup("find a.fp --against a.fp --report page.html");
    assert!(answer.code == 2 && answer.stderr.contains("'--against <OTHER>' cannot be used with:\n  --report <FILE>"));
}

#[test]
fn pairs_and_neighbours_have_a_plan_and_a_summary_too() {
    let folder = Folder::new().file("all.jsonl", folder().read_text("all.jsonl") + "{]\n");
    let read =
        "searched 8 documents: read 8 documents (417 bytes of text) in 1 file; 2 empty; skipped 1: 1 malformed JSON";
    for (options, plan, found) in [
        ("--pairs", "all simhashes are joined; every pair", "found 3 pairs"),
        ("--neighbours 2", "finding the neighbours of 8 among all 8 documents", "found 6 neighbours of 8 documents"),
        (
            "--neighbours 2 --of b",
            "finding the neighbours of 1 among all 8 documents",
            "found 2 neighbours of 1 document",
        ),
    ] {
        let answer = folder.dedup(&format!("find --language eng --id-field id {options} all.jsonl"));
        assert!(answer.stderr.contains(plan), "{options}: {answer:?}");
        let told = answer.stderr.lines().last().unwrap();
        assert_eq!(told, format!("dedup: {read}; {found}"), "{options}");
    }
    folder.dedup("fingerprint --language eng --id-field id all.jsonl -o all.fp").code_is(2);
    let answer = folder.dedup("find all.fp --against all.fp");
    assert_eq!(
        answer.stderr.lines().last(),
        Some("dedup: searched 16 documents: fingerprint files only; 4 empty; found 11 pairs")
    );
    let asked = folder.dedup("find -q --neighbours 4294967295 --of b all.fp");
    assert_eq!(asked.quietly(0).lines().count(), 3, "as many as there are");
}

/// A cluster of most documents deserves a check: they may share only a notice.
#[test]
fn a_cluster_that_swallows_the_corpus_is_warned_of() {
    let mut numbers = Numbers(11);
    let mut documents = numbers.documents(40, 60);
    let notice = numbers.text(80);
    documents.extend((0..20).map(|i| (format!("n{i:02}"), format!("{notice} {}", numbers.text(3)))));
    let folder = Folder::new().file("all.jsonl", lines_of(&documents)).file("few.jsonl", lines_of(&documents[20..]));
    let warned = |line: &str| {
        let answer = folder.dedup(&format!("find --language und --id-field id {line}"));
        assert_eq!(answer.code, 0);
        answer.stderr.lines().filter(|line| line.contains("one cluster holds")).map(str::to_owned).collect::<Vec<_>>()
    };
    let [warning] = &warned("all.jsonl")[..] else { panic!("one cluster") };
    let beginning: String = notice.chars().take(60).collect();
    assert!(warning.contains("one cluster holds 20 of 60 documents, 33 %"), "{warning}");
    assert!(warning.contains(beginning.trim()), "{warning}");
    assert_eq!(warned("few.jsonl"), [""; 0], "of 40 documents no share means anything");
}

#[test]
fn problems_are_listed_whatever_ends_the_run() {
    let lines = jsonl(&[("a", HARBOUR)]) + "{]\n" + &jsonl(&[("b", HARBOUR)]);
    let folder = Folder::new().file("all.jsonl", lines).file("more.jsonl", "[]\n");
    for command in ["find", "fingerprint -o all.fp"] {
        let line = format!("{command} --strict --problems list --id-field id all.jsonl more.jsonl");
        assert_eq!(folder.dedup(&line).code, 2);
        let [problem] = &crate::folder::jsonl(&folder.read_text("list"))[..] else { panic!("{command}: one problem") };
        assert_eq!((problem["file"].as_str(), problem["record"].as_u64()), (Some("all.jsonl"), Some(2)), "{command}");
    }
    // This error occurs after all inputs were read.
    folder.dedup("find -q --problems list --neighbours 1 --of z --id-field id all.jsonl more.jsonl").code_is(2);
    assert_eq!(folder.read_text("list").lines().count(), 2);
}

/// A spreadsheet evaluates formulas in cells, and ids come from strangers.
#[test]
fn no_id_is_a_formula_in_csv() {
    let ids = ["=HYPERLINK(\"http://x\")", "+1", "-2", "@SUM(A1)", "\tx", "\u{1b}[2J\u{202e}\u{9b}", "plain"];
    let documents: Vec<_> = ids.iter().map(|id| (*id, HARBOUR)).collect();
    let folder = Folder::new().file("in.jsonl", jsonl(&documents));
    let found = |form: &str| folder.dedup(&format!("find -q --id-field id --keep first in.jsonl --format {form}"));
    let column = |table: &str| -> Vec<String> {
        let mut reader = csv::Reader::from_reader(table.as_bytes());
        reader.records().map(|row| row.unwrap()[1].to_owned()).collect()
    };
    let table = found("csv").quietly(0);
    assert_eq!(column(&table), ["'+1", "'-2", "'@SUM(A1)", "'\tx", "\\u001B[2J\\u202E\\u009B", "plain"]);
    assert!(table.contains("\"'=HYPERLINK(\"\"http://x\"\")\",'+1,0,1,1,1,1,"), "{table}");
    let found = found("jsonl");
    assert!(found.stdout.contains("\\u001b[2J\\u202E\\u009B"), "{found:?}");
    let members = found.jsonl()[0]["members"].as_array().unwrap().clone();
    assert_eq!(members.iter().map(|member| member["id"].as_str().unwrap()).collect::<Vec<_>>(), ids[1..]);
}

#[test]
fn a_text_in_a_larger_one_is_found() {
    let bundle = [HARBOUR, MILL, HALL, BEES].join("\n\n");
    let folder = Folder::new()
        .file("in/bundle.txt", format!("{bundle}\n\n{}", bundle.to_uppercase().replace('E', "X")))
        .file("in/memo.txt", MILL)
        .file("in/same.txt", MILL.to_uppercase())
        .file("in/other.txt", EDITED.replace(' ', " so "));
    let listed = folder.dedup("find --contained in --format jsonl").jsonl();
    let pairs: Vec<_> = listed.iter().map(|pair| (pair["a"].as_str().unwrap(), pair["b"].as_str().unwrap())).collect();
    assert_eq!(pairs, [("in/memo.txt", "in/bundle.txt"), ("in/same.txt", "in/bundle.txt")]);
    assert!(listed.iter().all(|pair| pair["containment_a"] == 1.0 && pair["jaccard"].as_f64().unwrap() < 0.3));
    let told = folder.dedup("find --contained in");
    assert!(told.stdout.starts_with(" 100.00 %  of in/memo.txt  stands in  in/bundle.txt\n"), "{told:?}");
    assert!(told.stderr.contains("found 2 contained texts"), "{told:?}");
    folder.dedup("find --contained=1 in/memo.txt in/other.txt").code_is(1);
    assert_eq!(folder.dedup("find --contained=2 in").code, 2);
    folder.dedup("find in --contained 0.8").fails_saying("0.8: no such file; the share is given as --contained=0.8");
}

/// What a pipeline logs of a run.
#[test]
fn the_summary_is_an_object_for_programs() {
    let folder = Folder::new().file("in/a.txt", HALL).file("in/b.txt", HALL).file("in/c.txt", MILL);
    let read = |line: &str, code: i32| -> Value {
        folder.dedup(line).code_is(code);
        serde_json::from_str(&folder.read_text("run.json")).unwrap()
    };
    let found = read("find in --summary run.json", 0);
    assert_eq!((&found["version"], &found["command"]), (&json!(env!("CARGO_PKG_VERSION")), &json!("find")));
    assert_eq!(found["command_line"], "dedup find in --summary run.json");
    assert_eq!([&found["documents"], &found["kept"], &found["clusters"]], [&json!(3), &json!(2), &json!(1)]);
    assert_eq!((&found["read"]["files"], &found["inputs"]), (&json!(3), &json!(["in"])));
    let stages = found["stages"].as_array().unwrap();
    assert_eq!(stages[0]["stage"], "reading");
    let sum: f64 = stages.iter().map(|stage| stage["seconds"].as_f64().unwrap()).sum();
    assert!(sum <= found["seconds"].as_f64().unwrap() + 0.01, "{found}");
    assert!(!cfg!(target_os = "linux") || found["peak_memory"].as_u64().unwrap() > 1 << 20, "{found}");
    assert_eq!((&found["options"]["similarity"], &found["options"]["pairs"]), (&json!(0.5), &json!(false)));
    assert_eq!((&found["options"]["keep"], &found["spilled"]), (&json!("longest"), &json!(0)));
    let cleaned = read("clean in -o out --summary run.json --force -q --glob *.txt --max-memory 64M", 0);
    assert_eq!((&cleaned["command"], &cleaned["removed"]["same"]), (&json!("clean"), &json!(1)));
    let options =
        ["remove", "glob", "max_memory", "output", "quiet", "threads"].map(|option| &cleaned["options"][option]);
    assert_eq!(json!(options), json!(["contained", ["*.txt"], "64M", "out", true, null]));
    folder.dedup("find in --summary run.json").fails_saying("run.json: already exists");
    let answer = folder.dedup("find in --pairs --summary run.json");
    assert!(answer.code == 2 && answer.stderr.contains("cannot be used with"), "{answer:?}");
    // `SOURCE_DATE_EPOCH` sets the time.
    let mut dated = folder.command("find in --summary run.json --force");
    dated.env("SOURCE_DATE_EPOCH", "1767268800").output().unwrap();
    let made = serde_json::from_str::<Value>(&folder.read_text("run.json")).unwrap()["made"].clone();
    assert_eq!(made, "2026-01-01T12:00:00Z");
}
