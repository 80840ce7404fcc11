//! Texts for the benchmarks: of any size, always the same, with the word frequencies of real text.
#![allow(dead_code, reason = "each benchmark uses a part")]
#![expect(clippy::cast_sign_loss, reason = "a rank is positive")]

use std::fmt::Write as _;
use std::fs;

use nearcopy::text::{Analyser, Language, Options};

/// The measured languages: ASCII words, longer words, two bytes a letter, no spaces.
pub(crate) const LANGUAGES: [&str; 4] = ["eng", "deu", "rus", "cmn"];

/// Number of distinct words of a text: about that of a long novel.
const VOCABULARY: usize = 20_000;

/// Random numbers by SplitMix64.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        nearcopy::sketch::minhash::mix(self.0)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.next()) * bound as u128) >> 64) as usize
    }

    /// A number between 0 and 1.
    pub(crate) fn uniform(&mut self) -> f64 {
        self.next() as f64 / u64::MAX as f64
    }

    pub(crate) fn chance(&mut self, share: f64) -> bool {
        self.uniform() < share
    }

    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }
}

/// The words of a language's sample texts, the commonest first, and new ones made of their halves.
pub(crate) fn vocabulary(language: &str, random: &mut Random) -> Vec<String> {
    let folder = format!("{}/../../data/texts/{language}", env!("CARGO_MANIFEST_DIR"));
    let mut text = String::new();
    for name in ["bees.txt", "tides.txt"] {
        text += &fs::read_to_string(format!("{folder}/{name}")).expect("data/texts has these");
    }
    let tokens = Analyser::new(Language::UNDETERMINED, &Options::default()).tokens(&text);
    let mut words: Vec<String> = tokens.into_iter().map(|token| token.form).collect();
    words.sort();
    let mut counted: Vec<(usize, String)> =
        words.chunk_by(|a, b| a == b).map(|same| (same.len(), same[0].clone())).collect();
    counted.sort_by(|a, b| b.cmp(a));
    let mut words: Vec<String> = counted.into_iter().map(|(_, word)| word).collect();
    let real = words.len();
    while words.len() < VOCABULARY {
        let [front, back] = [random.below(real), random.below(real)].map(|i| words[i].chars().collect::<Vec<_>>());
        let word = front[..front.len().div_ceil(2)].iter().chain(&back[back.len() / 2..]);
        words.push(word.collect());
    }
    words
}

/// A text of about `bytes` bytes, in sentences and lines.
pub(crate) fn text(language: &str, bytes: usize, seed: u64) -> String {
    let mut random = Random(seed);
    let words = vocabulary(language, &mut random);
    let spaced = language.parse::<Language>().expect("a known language").has_spaces();
    let mut text = String::with_capacity(bytes + 64);
    let (mut sentence, mut left) = (0, 0);
    while text.len() < bytes {
        if left == 0 {
            left = 6 + random.below(20);
            text.push_str(match (sentence % 5, spaced) {
                (0, _) => "\n",
                (_, true) => " ",
                _ => "",
            });
            sentence += 1;
        }
        // Zipf's law: the rank of a word is exponential in a uniform number.
        let rank = (words.len() as f64).powf(random.uniform()) as usize - 1;
        text.push_str(&words[rank]);
        left -= 1;
        text.push_str(match (left, random.below(9), spaced) {
            (0, _, true) => ".",
            (0, _, false) => "。",
            (_, 0, true) => ", ",
            (_, 0, false) => "，",
            (_, _, true) => " ",
            _ => "",
        });
    }
    text
}

/// A web page of about `bytes` bytes: an article between menus and teasers.
pub(crate) fn page(bytes: usize, seed: u64) -> String {
    let mut page = String::from(
        "<!DOCTYPE html><html><head><title>A page</title><style>p{margin:0}</style></head><body><nav><ul>",
    );
    for i in 0..20 {
        let _ = write!(page, "<li><a href=\"/section/{i}\" class=\"menu-item\">Section {i}</a></li>");
    }
    page.push_str("</ul></nav><main><article><h1>Heading</h1>");
    for paragraph in text("eng", bytes, seed).lines() {
        let _ = writeln!(page, "<p class=\"body-text\">{paragraph}</p>");
    }
    page.push_str("</article></main><aside>");
    for i in 0..10 {
        let _ = write!(
            page,
            "<div class=\"teaser\"><h3><a href=\"/story/{i}\">Another story {i}</a></h3><p>Read more</p></div>"
        );
    }
    page.push_str("</aside><footer>All rights reserved. <script>track('page');</script></footer></body></html>");
    page
}
