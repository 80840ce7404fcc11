//! Passages of which one text is in another language and translates the other.

use std::io::{self, Write};

use nearcopy::align::{Correspondence, Passage};
use nearcopy::screen::{Match, Screening};
use serde::Serialize;

use super::{SharedPassage, one_line};
use crate::report::figures::counted;
use crate::report::listing::Item;
use crate::report::table::Cell;

/// The columns that a list has beside those of shared passages if texts of different languages were compared.
const COLUMNS: [&str; 8] =
    ["class", "suspicious_language", "source_language", "lexicon", "cognates", "numbers", "names", "stop_words"];

/// A passage of a screening in which texts of different languages were compared.
#[derive(Debug, Clone, Serialize)]
pub struct PassageAcross<'a> {
    #[serde(flatten)]
    passage: SharedPassage<'a>,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    translated: Option<Translated>,
}

/// The words of a translated passage, by what they have in common with their counterparts.
#[derive(Debug, Clone, Serialize)]
struct Translated {
    class: &'static str,
    suspicious_language: &'static str,
    source_language: &'static str,
    lexicon: usize,
    cognates: usize,
    numbers: usize,
    names: usize,
    /// Stop words, and words left out.
    stop_words: usize,
}

impl Translated {
    /// The counts of a passage; `None` if it is not translated.
    fn new(screening: &Screening, found: &Match, passage: &Passage) -> Option<Self> {
        let language = |text: u32, words| screening.texts[text as usize].language_of(words).code();
        let text = &screening.texts[found.suspicious as usize];
        let count = |class| passage.correspondences.iter().filter(|&&known| known == class).count();
        passage.is_translated().then(|| Self {
            class: "translated",
            suspicious_language: language(found.suspicious, &passage.a),
            source_language: language(found.source, &passage.b),
            lexicon: count(Correspondence::Lexicon),
            cognates: count(Correspondence::Cognate),
            numbers: count(Correspondence::Number),
            names: count(Correspondence::Name),
            stop_words: passage.a.clone().filter(|&word| text.tells_nothing(word)).count(),
        })
    }
}

impl<'a> PassageAcross<'a> {
    /// A passage of a match.
    pub fn new(screening: &'a Screening, found: &Match, passage: &Passage) -> Self {
        let translated = Translated::new(screening, found, passage);
        Self { passage: SharedPassage::new(screening, found, passage), translated }
    }
}

impl Item for PassageAcross<'_> {
    const COLUMNS: &'static [&'static str] = &joined();

    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        let Some(translated) = &self.translated else { return self.passage.write_text(out) };
        let SharedPassage { source_words, missing, probability, weak, .. } = self.passage;
        let Translated { suspicious_language, source_language, lexicon, cognates, numbers, names, stop_words, .. } =
            translated;
        let kinds = [(*cognates, "cognate"), (*numbers, "number"), (*names, "name")];
        let kinds = kinds.into_iter().filter(|(count, _)| *count > 0);
        let kinds: String = kinds.map(|(count, kind)| format!("{}, ", counted(count as u64, kind))).collect();
        writeln!(
            out,
            "      {} translated ({suspicious_language}), {source_words} in the source ({source_language}): {lexicon} by \
             lexicon, {kinds}{missing} without counterpart, {}; probability {probability:.3}{}; at character {} and {}",
            self.passage.length(),
            counted(*stop_words as u64, "stop word"),
            if weak { ", weak evidence" } else { "" },
            self.passage.suspicious_offset,
            self.passage.source_offset,
        )?;
        writeln!(out, "        {}", one_line(&self.passage.suspicious_text))?;
        writeln!(out, "        {}", one_line(&self.passage.source_text))
    }

    fn rows(&self) -> Vec<Vec<Cell>> {
        let mut cells = self.passage.cells();
        match &self.translated {
            Some(translated) => {
                let Translated {
                    class,
                    suspicious_language,
                    source_language,
                    lexicon,
                    cognates,
                    numbers,
                    names,
                    stop_words,
                } = translated;
                cells.extend([class, suspicious_language, source_language].map(Cell::figure));
                cells.extend([lexicon, cognates, numbers, names, stop_words].map(Cell::figure));
            }
            None => cells.extend(COLUMNS.map(|_| Cell::figure(""))),
        }
        vec![cells]
    }
}

/// The columns of shared passages, and those of translated ones.
const fn joined() -> [&'static str; SharedPassage::FIELDS.len() + COLUMNS.len()] {
    let mut all = [""; SharedPassage::FIELDS.len() + COLUMNS.len()];
    let mut at = 0;
    while at < all.len() {
        let own = SharedPassage::FIELDS.len();
        all[at] = if at < own { SharedPassage::FIELDS[at] } else { COLUMNS[at - own] };
        at += 1;
    }
    all
}
