//! `dedup lexicon` and `dedup screen --lexicon`: passages translated from another language.

use serde_json::Value;

use super::{FERRY, KILN, WINTER};
use crate::folder::Folder;

/// A passage in English, and its translation.
const ENGLISH: &str = "The miller listened to the wheel before he opened the gate, because the river speaks differently when \
    ice is drifting under the bridge. His daughter counted the sacks and wrote 148 into the book, while the donkey slept \
    in the shadow of the barn. In autumn the farmers brought barley and waited with their carts until the stone was \
    sharpened. Nobody paid with coins; a tenth of the flour remained in the mill.";
const GERMAN: &str = "Der Müller horchte auf das Rad, bevor er das Tor öffnete, denn der Fluss spricht anders, wenn Eis unter der \
    Brücke treibt. Seine Tochter zählte die Säcke und schrieb 148 in das Buch, während der Esel im Schatten der Scheune \
    schlief. Im Herbst brachten die Bauern Gerste und warteten mit ihren Karren, bis der Stein geschärft war. Niemand zahlte \
    mit Münzen; ein Zehntel des Mehls blieb in der Mühle.";

/// Other German text around it.
const OWN: [&str; 2] = [
    "In meiner Arbeit geht es um die Frage, wie kleine Orte früher gelebt haben. Ich habe dafür mit meinem Großvater gesprochen \
     und im Archiv der Stadt nach alten Listen gesucht, die freilich nicht vollständig sind. Manche Seiten fehlen ganz.",
    "Aus alldem ergibt sich für mich, dass man die Vergangenheit nicht einfach erklären kann. Meine Quellen widersprechen \
     einander oft, und ich musste mich entscheiden, welcher ich glaube. Das fiel mir an mehreren Stellen sehr schwer.",
];

const WORDS: &str = "# name: A few words\n# licence: CC0-1.0\nMüller\tmiller\nhorchen\tlisten, hark\nRad\twheel, bike\nTor\tgate\n\
    öffnete\topened\nFluss\triver, stream\nEis\tice\nBrücke\tbridge\ntreiben\tdrift\nTochter\tdaughter\nzählen\tcount\nSack\tsack, bag\n\
    Buch\tbook\nEsel\tdonkey\nSchatten\tshadow, shade\nScheune\tbarn\nHerbst\tautumn, fall\nBauer\tfarmer\nGerste\tbarley\n\
    warten\twait\nKarren\tcart\nStein\tstone\nschärfen\tsharpen\nMünze\tcoin\nZehntel\ttenth\nMehl\tflour\nMühle\tmill\nblieb\tremained\n";

/// A German essay with the translation of a passage of one of four English sources, and another without.
fn essays() -> Folder {
    let others = [("ferry", FERRY), ("kiln", KILN), ("winter", WINTER)];
    let folder = Folder::new()
        .file("de-en.tsv", WORDS)
        .file("in/essay.txt", format!("{}\n\n{GERMAN}\n\n{}", OWN[0], OWN[1]))
        .file("in/own.txt", OWN.join(" "))
        .file("src/mill.txt", format!("{FERRY}\n\n{ENGLISH}\n\n{WINTER}"));
    let folder = others.iter().fold(folder, |folder, (name, text)| folder.file(&format!("src/{name}.txt"), text));
    let made = folder.dedup("lexicon import de-en.tsv -o de-en.lex");
    made.code_is(0);
    assert_eq!(made.stderr, "dedup: de-en.lex: German and English, 34 pairs of words from 28 entries\n");
    folder
}

fn text_of(folder: &Folder, passage: &Value, side: &str) -> String {
    let text: Vec<char> = folder.read_text(passage[side].as_str().unwrap()).chars().collect();
    let number = |key: &str| passage[format!("{side}_{key}")].as_u64().unwrap() as usize;
    text[number("offset")..][..number("length")].iter().collect()
}

#[test]
fn a_translated_passage_is_found_by_a_lexicon() {
    let folder = essays();
    folder.dedup("screen -q in --against src").quietly(1);
    let found = folder.screened("in --against src --lexicon de-en.lex");
    let [passage] = &found[..] else { panic!("{found:?}") };
    assert_eq!((&passage["suspicious"], &passage["source"]), (&"in/essay.txt".into(), &"src/mill.txt".into()));
    for (side, expected) in [("suspicious", GERMAN), ("source", ENGLISH)] {
        assert_eq!(text_of(&folder, passage, side), expected.trim_end_matches('.'));
    }
    assert_eq!(
        (&passage["class"], &passage["suspicious_language"], &passage["source_language"]),
        (&"translated".into(), &"deu".into(), &"eng".into())
    );
    assert_eq!((&passage["numbers"], &passage["exact"], &passage["stemmed"]), (&1.into(), &0.into(), &0.into()));
    assert!(passage["lexicon"].as_u64() >= Some(20), "{passage}");
    let counts = ["lexicon", "cognates", "numbers", "names", "missing", "stop_words"];
    let sum: u64 = counts.iter().map(|key| passage[*key].as_u64().unwrap()).sum();
    assert_eq!(Some(sum), passage["words"].as_u64(), "each word is counted once: {passage}");
    assert!(passage["stop_words"].as_u64() >= Some(30), "{passage}");
    // Neither threads nor an archive change anything.
    assert_eq!(folder.screened("in --against src --lexicon de-en.lex --threads 1"), found);
    folder.dedup("screen -q src --save src.dsi").quietly(0);
    assert_eq!(folder.screened("in --against src.dsi --lexicon de-en.lex"), found);
    // The other way round.
    let turned = folder.screened("src/mill.txt --against in --lexicon de-en.lex");
    assert_eq!(turned.len(), 1, "{turned:?}");
    assert_eq!((&turned[0]["suspicious_language"], &turned[0]["source_language"]), (&"eng".into(), &"deu".into()));
}

#[test]
fn the_report_says_by_what_a_translation_was_found() {
    let folder = essays();
    let answer = folder.dedup("screen in --against src --lexicon de-en.lex --html page.html --list passages");
    answer.code_is(0);
    assert!(answer.stderr.contains("lexicon of German and English: A few words (licence: CC0-1.0)\n"), "{answer:?}");
    assert!(answer.stdout.contains(" translated (deu), "), "{answer:?}");
    assert!(answer.stdout.contains(" in the source (eng): ") && answer.stdout.contains(" by lexicon, "), "{answer:?}");
    let page = folder.read_text("page.html");
    assert!(page.contains("A few words (licence: CC0-1.0; blake3 ") && page.contains("\"translated\":["), "the page");
    let table = folder.dedup("screen -q in --against src --lexicon de-en.lex --format csv").stdout;
    let rows: Vec<&str> = table.lines().collect();
    assert!(
        rows[0].ends_with(",class,suspicious_language,source_language,lexicon,cognates,numbers,names,stop_words"),
        "{table}"
    );
    assert!(table.contains(",translated,deu,eng,"), "{table}");
}

/// Copies in one language are as before, to the byte.
#[test]
fn a_lexicon_changes_nothing_within_a_language() {
    let folder = essays().file("in/copy.txt", format!("{KILN} And some words of my own."));
    let line = |lexicon: &str| format!("screen -q in/copy.txt in/own.txt --against src {lexicon} --format jsonl");
    let plain = folder.dedup(&line("")).stdout;
    assert_eq!(plain.lines().count(), 1);
    assert_eq!(folder.dedup(&line("--lexicon de-en.lex")).stdout, plain);
}

#[test]
fn a_lexicon_tells_what_it_is() {
    let folder = essays();
    let info = folder.dedup("lexicon info --format json de-en.lex").json();
    assert_eq!((&info["pairs"], &info["entries"], &info["licence"]), (&34.into(), &28.into(), &"CC0-1.0".into()));
    assert_eq!(info["sources"][0]["file"], "de-en.tsv");
    let text = folder.dedup("lexicon info de-en.lex").quietly(0);
    assert!(text.contains("languages   German and English\npairs       34 of words, from 28 entries\n"), "{text}");
}

#[test]
fn two_lexicons_are_chained_into_one() {
    // A language whose words are the English ones, turned round.
    let turned = |word: &str| word.chars().rev().collect::<String>();
    let pairs = WORDS.lines().filter(|line| !line.starts_with('#')).flat_map(|line| line.split(['\t', ',']).skip(1));
    let table: String = pairs.map(str::trim).map(|word| format!("{word}\t{}\n", turned(word))).collect();
    let folder = essays().file("en-eu.tsv", table);
    folder.dedup("lexicon import -q en-eu.tsv -o en-eu.lex").quietly(0);
    let made = folder.dedup("lexicon chain de-en.lex en-eu.lex -o de-eu.lex");
    assert!(made.code == 0 && made.stderr.starts_with("dedup: de-eu.lex: German and Basque, "), "{made:?}");
    let info = folder.dedup("lexicon info --format json de-eu.lex").json();
    assert_eq!((&info["licence"], info["sources"].as_array().unwrap().len()), (&"CC0-1.0".into(), 2));
    assert!(info["pairs"].as_u64() >= Some(30), "{info}");

    let again = folder.dedup("lexicon chain de-en.lex en-eu.lex -o de-eu.lex");
    assert!(again.code == 2 && again.stderr.contains("already exists"), "{again:?}");
    let same = folder.dedup("lexicon chain de-en.lex de-en.lex -o same.lex");
    assert_eq!(
        (same.code, same.stderr.as_str()),
        (
            2,
            "dedup: de-en.lex: its languages are German and English, as those of de-en.lex are; a chain is of two lexicons \
             that share one language. Give both to `dedup screen --lexicon`, or import their dictionaries into one\n"
        )
    );
    let folder = folder.file("fr-es.tsv", "pain\tpan\n");
    folder.dedup("lexicon import -q fr-es.tsv -o fr-es.lex").quietly(0);
    let apart = folder.dedup("lexicon chain de-en.lex fr-es.lex -o same.lex");
    assert!(apart.code == 2 && apart.stderr.contains("they must share one"), "{apart:?}");
    let own = folder.dedup("lexicon chain de-en.lex en-eu.lex -o de-en.lex --force");
    assert!(
        own.code == 2 && !folder.names().contains(&"same.lex".to_owned()),
        "an input is never written over: {own:?}"
    );
}

#[test]
fn other_files_are_no_lexicons() {
    let folder = essays();
    let answer = folder.dedup("screen in --against src --lexicon de-en.tsv");
    assert_eq!(
        (answer.code, answer.stderr.as_str()),
        (2, "dedup: de-en.tsv: is not a lexicon; make one from a dictionary with `dedup lexicon import`\n")
    );
    let answer = folder.dedup("lexicon import de-en.tsv -o de-en.lex");
    assert!(answer.code == 2 && answer.stderr.contains("already exists"), "{answer:?}");
    let answer = folder.dedup("lexicon import in/own.txt -o new.lex");
    assert!(answer.code == 2 && answer.stderr.contains("--from"), "{answer:?}");
    let answer = folder.dedup("lexicon import de-en.lex -o new.lex");
    assert_eq!(
        (answer.code, answer.stderr.as_str()),
        (2, "dedup: de-en.lex: is a lexicon already; give it to `dedup screen --lexicon`\n")
    );
    let answer = folder.dedup("lexicon import de-en.tsv --from deu --to de -o new.lex");
    assert_eq!(
        (answer.code, answer.stderr.as_str()),
        (2, "dedup: --from is German and --to is German; a lexicon is of two different languages\n")
    );
    assert!(!folder.names().contains(&"new.lex".to_owned()), "nothing is left");
}

/// A translation has no word of its source, so all words of the passage count.
#[test]
fn the_share_has_all_words_of_a_translation() {
    let folder = essays();
    let line = "screen -q in --against src --lexicon de-en.lex --list documents";
    let documents = folder.dedup(&format!("{line} --format json")).json();
    let found = |id: &str| documents.as_array().unwrap().iter().find(|document| document["id"] == id).unwrap();
    let (essay, own) = (found("in/essay.txt"), found("in/own.txt"));
    let number = |key: &str| essay[key].as_u64().unwrap();
    let passages = folder.screened("in --against src --lexicon de-en.lex");
    assert_eq!(passages[0]["words"].as_u64(), Some(number("words_translated")));
    assert_eq!((number("words_matched"), number("words_verbatim")), (number("words_translated"), 0));
    assert_eq!(essay["share_translated"], essay["share"]);
    assert!(own["words_matched"] == 0 && own.get("words_translated").is_none(), "{own}");
    let text = folder.dedup(line).quietly(0);
    let (translated, all) = (number("words_translated"), number("words_counted"));
    let expected =
        format!("  {translated} of {all} words also stand elsewhere (0 verbatim, {translated} translated)\n");
    assert!(text.contains(&expected), "{text}");
    assert!(
        text.contains(&format!("  {translated} words (0 verbatim, {translated} translated) in 1 passage")),
        "{text}"
    );
    // A word that also stands in a source in its own language counts as that.
    let folder = folder.file("src/german.txt", format!("{GERMAN} {KILN}"));
    let documents = folder.dedup(&format!("{line} --format json")).json();
    let essay = &documents.as_array().unwrap()[0];
    assert_eq!(essay["id"], "in/essay.txt");
    assert!(essay["words_verbatim"].as_u64() > Some(50) && essay["words_translated"].as_u64() < Some(20), "{essay}");
}

#[test]
fn the_summary_says_which_languages_were_not_compared() {
    let folder = essays().file("fr-en.tsv", "moulin\tmill\n");
    let made = folder.dedup("lexicon import fr-en.tsv -o fr-en.lex");
    assert_eq!(made.stderr, "dedup: fr-en.lex: French and English, 1 pair of words from 1 entry\n");
    let not_searched = "not searched for translations: German with English (2 documents with 4 sources): no lexicon of these \
                        languages was given; --translated compares them by words that begin alike, numbers and names";
    let unused = "the lexicon of French and English was not used: no text was recognised as French";
    let told = |line: &str, code: i32| -> Vec<String> {
        let answer = folder.dedup(&format!("screen {line}"));
        answer.code_is(code);
        answer.stderr.lines().map(|line| line.trim_start_matches("dedup: ").to_owned()).collect()
    };
    let lines = told("in --against src --lexicon fr-en.lex", 1);
    assert!(lines.contains(&not_searched.to_owned()) && lines.contains(&unused.to_owned()), "{lines:#?}");
    // Without these lines "nothing was found" would say too much.
    assert_eq!(told("-q in --against src --lexicon fr-en.lex", 1), [not_searched, unused]);
    folder.dedup("screen -q in --against src --lexicon fr-en.lex --html unused.html");
    assert!(folder.read_text("unused.html").contains(r#""unused":[[["fr","French"],["en","English"]]]"#));
    // The languages of archived texts are known without reading them.
    folder.dedup("screen -q src --save src.dsi").quietly(0);
    let archived = told("in --against src.dsi --lexicon fr-en.lex", 1);
    assert!(archived.contains(&not_searched.to_owned()), "{archived:#?}");
    // Documents alone: each pair of languages once.
    let each_other = told("in src --lexicon fr-en.lex --html page.html", 0);
    let pairs: Vec<&String> = each_other.iter().filter(|line| line.starts_with("not searched")).collect();
    assert_eq!(pairs.len(), 1);
    assert!(pairs[0].contains(": German with English (2 documents with 4 documents): "), "{pairs:?}");
    let page = folder.read_text("page.html");
    assert!(page.contains(r#""across":{"none":[{"languages":[["de","German"],["en","English"]],"texts":[2,4]}]"#));

    let lines = told("in --against src --lexicon de-en.lex", 0);
    assert!(!lines.iter().any(|line| line.contains("not ")), "{lines:#?}");
    let lines = told("in --against src --translated", 1);
    let without = "searched for translations without a lexicon, by words that begin alike, numbers and names, which finds \
                   less: German with English (2 documents with 4 sources)";
    assert!(lines.contains(&without.to_owned()), "{lines:#?}");
    let lines = told("src --translated", 0);
    assert!(
        lines.iter().any(|line| line.starts_with("no two texts that were compared were recognised as")),
        "{lines:#?}"
    );
    let lines = told("in --against src --lexicon de-en.lex --language deu", 1);
    let given = "--language sets the language of all texts to German; without it, that of each is detected";
    assert!(lines.contains(&format!("the lexicon of German and English was not used: {given}")), "{lines:#?}");
    let lines = told("in --against src --translated --language deu", 1);
    assert!(lines.contains(&format!("no translation was searched for: {given}")), "{lines:#?}");
    let lines = told("in --against src", 1);
    let alone = "compared with no text in the same language: 2 documents in German; --translated searches for translations, and \
                 --lexicon FILE finds more of them";
    assert!(lines.contains(&alone.to_owned()), "{lines:#?}");
}

#[test]
fn texts_without_a_detected_language_are_counted() {
    let folder = essays().file("in/short.txt", "Qwx zrt 12 34");
    let lines = folder.dedup("screen in --against src --lexicon de-en.lex").stderr;
    let expected = "dedup: 1 text was not searched for translations: its language was not detected\n";
    assert!(lines.contains(expected), "{lines}");
}

#[test]
fn a_lexicon_that_is_given_twice_counts_once() {
    let folder = essays();
    std::fs::copy(folder.path().join("de-en.lex"), folder.path().join("copy.lex")).unwrap();
    let once = folder.dedup("screen in --against src --lexicon de-en.lex");
    let twice = folder.dedup("screen in --against src --lexicon de-en.lex --lexicon copy.lex --lexicon de-en.lex");
    assert_eq!((once.stdout, once.stderr), (twice.stdout, twice.stderr));
}

/// The summary has the beginning of a long licence; the page and `lexicon info` have all of it.
#[test]
fn a_long_licence_is_shortened_in_the_summary() {
    let licence =
        "You may copy this list of words if you leave the names of those who wrote it where they are. ".repeat(3);
    let table = WORDS.replace("CC0-1.0", licence.trim());
    let folder = essays().file("long/de-en.tsv", table);
    folder.dedup("lexicon import -q long/de-en.tsv -o long.lex").quietly(0);
    let answer = folder.dedup("screen in --against src --lexicon long.lex --html page.html");
    let line = answer.stderr.lines().find(|line| line.contains("lexicon of")).unwrap();
    assert_eq!(
        line,
        "dedup: lexicon of German and English: A few words (licence: You may copy this list of words if you leave the names of \
         those who wrote it whe …; `dedup lexicon info` has all of it)"
    );
    assert!(folder.read_text("page.html").contains(licence.trim()));
    assert!(folder.dedup("lexicon info long.lex").stdout.contains(licence.trim()));
}

#[test]
fn a_quotation_in_another_language_hides_no_translation() {
    let quotation = format!("{KILN} {WINTER} {FERRY}");
    let folder = essays().file("in/essay.txt", format!("{}\n\n{quotation}\n\n{GERMAN}", OWN[0]));
    // As a whole it is an English text; what it quotes is a copy.
    assert!(
        folder.dedup("explain in/essay.txt").stdout.contains("English"),
        "{}",
        folder.dedup("explain in/essay.txt").stdout
    );
    let found = folder.screened("in --against src --lexicon de-en.lex");
    let translated: Vec<&Value> = found.iter().filter(|passage| passage["class"] == "translated").collect();
    let [passage] = &translated[..] else { panic!("{found:?}") };
    assert_eq!(text_of(&folder, passage, "suspicious"), GERMAN.trim_end_matches('.'));
    assert_eq!((&passage["suspicious_language"], &passage["source_language"]), (&"deu".into(), &"eng".into()));
    assert_eq!(found.iter().filter(|passage| passage["source"] == "src/kiln.txt").count(), 1);
    let summary = folder.dedup("screen in --against src --lexicon de-en.lex").stderr;
    assert!(!summary.contains("not searched"), "{summary}");
    // The copies of the text around the translated part of the source stay.
    let copies = found.iter().filter(|passage| passage["class"] != "translated" && passage["source"] == "src/mill.txt");
    assert_eq!(copies.count(), 2, "{found:?}");
    // Saved texts have the same parts.
    let folder = folder.file("one/mill.txt", ENGLISH);
    folder.dedup("screen in --save in.dsi").code_is(0);
    let saved = folder.screened("one --against in.dsi --lexicon de-en.lex");
    let [passage] = &saved[..] else { panic!("{saved:?}") };
    assert_eq!((&passage["suspicious_language"], &passage["source_language"]), (&"eng".into(), &"deu".into()));
}
