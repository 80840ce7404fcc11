//! The language of a text: the answers of the crate whatlang 0.18 in a tenth of its time, with its types.
//!
//! [`detect`], [`detect_lang`] and [`detect_script`] replace whatlang's functions of these names. Their answers are
//! whatlang's, to the last bit of the confidence, whose tables `profiles.txt` has; the tests compare the two.
//! [`detect_more`] also knows languages that whatlang lacks.
//!
//! ```
//! use nearcopy_detect::{Lang, Script, detect, detect_more};
//!
//! let info = detect("Der Hafen wird bei Niedrigwasser geschlossen.").unwrap();
//! assert_eq!((info.lang(), info.script()), (Lang::Deu, Script::Latin));
//!
//! let more = detect_more("Hautatu zein formatutan gorde nahi duzun fitxategia, eta sakatu botoia.").unwrap();
//! assert_eq!(more.code, "eus");
//! ```
//!
//! The script of most characters (`script.rs`) is the answer or names a few languages. Of these the most frequent
//! trigrams of the text (`trigrams.rs`), looked up in all their profiles at once (`profiles.rs`), and its letters
//! choose one (`scores.rs`).
//!
//! Cost: 10 to 20 µs for 2 KB, where whatlang takes 150. Some .7 ms at first use, to build the tables of a script.

use std::cell::RefCell;
use std::sync::LazyLock;

pub use whatlang::{Info, Lang, Script};

use scores::{Likeliest, Scorer};
use script::{Counts, Languages};

mod profiles;
mod scores;
mod script;
mod serbian;
mod trigrams;
#[cfg(test)]
mod twin;

/// Confidence above which a language is reliable, as whatlang has it.
const RELIABLE: f64 = 0.9;

/// Least confidence in a language that whatlang lacks. Of 9,000 single sentences in nine languages of whatlang's, near
/// relatives among them, 58 are likelier in one that it lacks, 10 of them with this confidence; of sentences in those
/// languages 1 % have less.
const LIKELIER: f64 = 0.5;

thread_local! {
    static SCORER: RefCell<Scorer> = RefCell::default();
}

/// The likeliest language of a text, among whatlang's and those that it lacks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Answer {
    /// ISO 639-3 code of the language.
    pub code: &'static str,
    /// Confidence in it, 0 to 1.
    pub confidence: f64,
}

impl Answer {
    /// The language as whatlang names it; `None` for one that whatlang lacks.
    pub fn lang(&self) -> Option<Lang> {
        Lang::from_code(self.code)
    }

    /// True if the language is reliable, by whatlang's bound on the confidence.
    pub fn is_reliable(&self) -> bool {
        self.confidence > RELIABLE
    }
}

/// The language and script of a text, as [`whatlang::detect`] tells them; `None` if no character belongs to a script.
pub fn detect(text: &str) -> Option<Info> {
    likeliest(&Counts::of(text)).map(|(script, likeliest)| Info::new(script, likeliest.lang, likeliest.confidence))
}

/// The language of a text, as [`whatlang::detect_lang`] tells it; `None` if no character belongs to a script.
pub fn detect_lang(text: &str) -> Option<Lang> {
    detect(text).map(|info| info.lang())
}

/// The script of a text, as [`whatlang::detect_script`] tells it; `None` if no character belongs to a script.
pub fn detect_script(text: &str) -> Option<Script> {
    Counts::of(text).main().map(|(script, _)| script)
}

/// The language of a text, also one that whatlang lacks; `None` if no character belongs to a script.
///
/// Such a language has profiles of its own (`others.txt`), is scored like the others, and is the answer if it leads
/// with a confidence of .5. Lao is told by its letters, and Serbian in Latin letters from Croatian by its words. Else
/// the answer is that of [`detect`].
pub fn detect_more(text: &str) -> Option<Answer> {
    let counts = Counts::of(text);
    if counts.has_lao() && is_lao(text) {
        return Some(Answer { code: "lao", confidence: 1.0 });
    }
    let (_, Likeliest { lang, confidence, other }) = likeliest(&counts)?;
    Some(match other {
        Some((code, confidence)) if confidence >= LIKELIER => Answer { code, confidence: confidence.min(1.0) },
        _ if lang == Lang::Hrv && serbian::is_serbian(text) => Answer { code: Lang::Srp.code(), confidence },
        _ => Answer { code: lang.code(), confidence },
    })
}

/// The main script of a text and its likeliest languages.
fn likeliest(counts: &Counts) -> Option<(Script, Likeliest)> {
    let (script, languages) = counts.main()?;
    let alone = |(lang, confidence)| Likeliest { lang, confidence, other: None };
    let likeliest = match languages {
        Languages::One(lang) => alone((lang, 1.0)),
        Languages::Han => alone(chinese_or_japanese(counts.kana())),
        Languages::Several(place) => SCORER.with_borrow_mut(|scorer| scorer.likeliest(place, counts.text)),
    };
    Some((script, likeliest))
}

/// True if most letters of a text are Lao.
fn is_lao(text: &str) -> bool {
    // The standard library takes 120 ns to tell whether a character of this block is a letter.
    static LETTERS: LazyLock<Vec<bool>> =
        LazyLock::new(|| ('\u{0E80}'..='\u{0EFF}').map(char::is_alphabetic).collect());
    let letters = &**LETTERS;
    let mut balance = 0_isize;
    for c in text.chars() {
        match letters.get((c as usize).wrapping_sub(0xe80)) {
            Some(is_letter) => balance += isize::from(*is_letter),
            None => balance -= isize::from(c.is_alphabetic()),
        }
    }
    balance > 0
}

/// Chinese or Japanese, by the share of kana, and the confidence.
fn chinese_or_japanese(kana: f64) -> (Lang, f64) {
    if kana > 0.2 {
        (Lang::Jpn, 1.0)
    } else if kana > 0.05 {
        (Lang::Jpn, 0.5)
    } else if kana > 0.02 {
        (Lang::Cmn, 0.5)
    } else {
        (Lang::Cmn, 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_that_whatlang_lacks_are_told() {
        for (code, text) in [
            ("lao", "ນ້ຳທະເລຂຶ້ນແລະລົງວັນລະສອງເທື່ອ"),
            ("srp", "Posle podne je lepo vreme, a ljudi su uvek na obali, gde gledaju reku."),
            ("hrv", "Poslije podne je lijepo vrijeme, a ljudi su uvijek na obali, gdje gledaju rijeku."),
            ("eus", "Hautatu zein formatutan gorde nahi duzun fitxategia, eta sakatu botoia."),
            ("eng", "Water in every sea rises and falls twice a day because of the Moon."),
        ] {
            assert_eq!(detect_more(text).unwrap().code, code, "{text}");
        }
        assert_eq!(detect_more("1 + 2 = …"), None);
    }

    #[test]
    fn a_language_is_whatlangs_where_whatlang_has_it() {
        let more = detect_more("Der Hafen wird bei Niedrigwasser geschlossen.").unwrap();
        assert_eq!((more.lang(), more.is_reliable()), (Some(Lang::Deu), true));
        assert_eq!(detect_more("ນ້ຳທະເລຂຶ້ນແລະລົງວັນລະສອງເທື່ອ").unwrap().lang(), None);
    }
}
