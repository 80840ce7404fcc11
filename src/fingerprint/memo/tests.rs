use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;
use crate::text::chunks::chunks;
use crate::text::one_script::OneScript;
use crate::text::{Language, Options, Token};

/// The hashes of words and of terms.
#[derive(Debug, Default, PartialEq)]
struct Hashes {
    words: Vec<(u64, Form)>,
    terms: Vec<u64>,
    /// The number of words before each sentence's end, and before each line's.
    sentences: BTreeSet<usize>,
    lines: BTreeSet<usize>,
    signs: Vec<(usize, u64)>,
    /// As written, of a text that is read in another script.
    written: Vec<(u64, Form)>,
}

impl Sink for Hashes {
    fn word(&mut self, hash: u64, form: Form) {
        self.converted(hash, hash, form);
    }

    fn converted(&mut self, hash: u64, written: u64, form: Form) {
        self.words.push((hash, form));
        self.written.push((written, form));
    }

    fn ends(&mut self, found: End) {
        let ended = [(found.sentence, &mut self.sentences), (found.line, &mut self.lines)];
        if found.signs != 0 {
            self.signs.push((self.words.len(), found.signs));
        }
        // Nothing ends before the first word.
        for (_, places) in ended.into_iter().filter(|(is_there, _)| *is_there && !self.words.is_empty()) {
            places.insert(self.words.len());
        }
    }

    fn term(&mut self, hash: u64) {
        self.terms.push(hash);
    }
}

fn plain(analyser: Option<&Analyser>, text: &str) -> Hashes {
    plain_as(analyser, text, text)
}

/// The hashes of a text that was written in another script.
fn plain_as(analyser: Option<&Analyser>, text: &str, written: &str) -> Hashes {
    let reader = WordReader::default();
    let mut as_written = String::new();
    let rabin = Rabin::portable();
    let mut hashes = Hashes::default();
    let mut end = 0;
    WordReader::default().forms(text, |word, form| {
        if !form.is_empty() {
            let start = word.span.start.max(end);
            hashes.ends(Ends::default().between(text, end..start));
            end = word.span.end;
            reader.form(&written[word.span.clone()], &mut as_written);
            let [read, written] = [form, &as_written].map(|form| rabin.word(form.as_bytes()));
            hashes.converted(read, written, Form::of(&as_written));
            match ambiguity(&text[word.span]) {
                0 => {}
                ambiguity => hashes.ends(End::of_number(ambiguity)),
            }
        }
    });
    hashes.ends(Ends::default().between(text, end..text.len()));
    let tokens = analyser.map_or(Vec::new(), |analyser| analyser.tokens(text));
    // Layout has no words, and so no terms.
    let layout: Vec<Range<usize>> = chunks(text).filter(|chunk| reader.is_layout(text, chunk)).collect();
    let in_layout = |token: &&Token| layout.iter().any(|chunk| chunk.contains(&token.span.start));
    let terms = tokens.iter().filter(|token| !in_layout(token)).filter_map(|token| token.term.as_ref());
    hashes.terms.extend(terms.map(|term| rabin.word(term.as_bytes())));
    hashes
}

/// Texts of few different words, so that they recur, joined in many ways.
fn texts() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        prop::sample::select(vec![
            "tide",
            "Tides,",
            "the",
            "(the)",
            "state-of-the-art",
            "l'aigua",
            "—",
            "море",
            "Моря",
            "我们研究海洋",
            "ภาษาไทย",
            "このデータ",
            "研究所",
            "，",
            "年。",
            "2019年3月",
            "コンピュータ",
            "あー",
            "USB，",
            "「海」",
            "3，000",
            "。％",
            "海\u{301}",
            "がゔ々",
            "不可分離的研究海洋生物学者",
            "a-very-long-chunk-of-many-words",
            "\u{3164}",
            "co\u{200b}py",
            "don’t",
            "и",
            "3.14",
            "\u{a0}",
            "C++",
            "C#.",
            "(-1)",
            "--1",
            "-+1",
            "+",
            "!=",
            ">",
            ">>quoted",
            "5%",
            "%s",
            "−2",
            "＋１",
            "a+b",
            "====",
            "ⓐ+",
            "10⁶",
            "½",
            "(℃)",
            "№",
            "№ 5",
            "㈱/",
            "2¹⁰",
            "21⁰",
            "log₂8",
            "海²",
            "L’été",
            "Straße",
            "ΟΔΟΣ",
            "ıİſ",
            "a\u{11}b",
            "abcdefghijklmnopqrstuvwx",
            "abcdefghijklmnopqrstuvwxy",
        ])
        .prop_map(String::from),
        "\\PC{0,6}",
        "[-+#<>=!%$a1'’._]{1,6}",
        "[a-zA-Z0-9ÀéßЖяΩαςاع\u{80}-\u{6ff}]{1,14}",
    ];
    let space = prop::sample::select(vec![" ", "", "\n", "\r\n  ", "\t ", "\u{3000}"]);
    prop::collection::vec((piece, space), 0..60)
        .prop_map(|pieces| pieces.into_iter().flat_map(|(piece, space)| [piece, space.to_owned()]).collect())
}

proptest! {
    #[test]
    fn remembering_changes_nothing(texts in prop::collection::vec(texts(), 1..4), log2_entries in 1u32..10) {
        let analysers = ["eng", "cat", "rus", "cmn", "und"].map(|language| {
            let language: Language = language.parse().unwrap();
            move || Some(Analyser::new(language, &Options::default()))
        });
        for analyser in analysers.iter().map(|analyser| analyser as &dyn Fn() -> _).chain([&(|| None) as _]) {
            let mut vocabulary = Vocabulary::with_memory(analyser(), Rabin::new(), log2_entries);
            for text in &texts {
                let mut hashes = Hashes::default();
                vocabulary.read(text.as_str().into(), &mut hashes);
                prop_assert_eq!(hashes, plain(analyser().as_ref(), text), "{:?}", text);
            }
        }
    }
}

proptest! {
    #[test]
    fn a_text_in_another_script_is_read_as_one_by_one(
        text in "([漲落兩次海水每天發髮乾的頭]{1,5}|[a-zA-Z0-9é,。. ]{1,4}|髮\n ?頭){0,30}",
        log2_entries in 1u32..10,
    ) {
        let read = OneScript::Simplified.read(&text);
        for analyser in [None, Some(Analyser::new("cmn".parse().unwrap(), &Options::default()))] {
            let expected = plain_as(analyser.as_ref(), &read, &text);
            let mut vocabulary = Vocabulary::with_memory(analyser, Rabin::new(), log2_entries);
            for _ in 0..2 {
                let mut hashes = Hashes::default();
                vocabulary.read(Text { read: &read, written: Some(&text) }, &mut hashes);
                prop_assert_eq!(&hashes, &expected, "{:?}", text);
            }
        }
    }
}
