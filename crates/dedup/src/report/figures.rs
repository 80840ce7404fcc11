//! Figures for people: grouped thousands, shares in percent, sizes in units.

use nearcopy::search::hot_keys::MOST;
use nearcopy::text::Language;

/// `1,234,567`.
pub fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `1 file`, `1,234 files`, `2 matches`.
pub fn counted(count: u64, noun: &str) -> String {
    format!("{} {}", grouped(count), self::noun(count, noun))
}

/// A number of parts of a document that may hold text: `1 picture or other part`.
pub(in crate::report) fn unread_parts(count: usize) -> String {
    match count {
        1 => "1 picture or other part".into(),
        count => format!("{} pictures or other parts", grouped(count as u64)),
    }
}

/// The noun, in the plural unless the count is 1.
pub(in crate::report) fn noun(count: u64, noun: &str) -> String {
    match noun.strip_suffix('y') {
        _ if count == 1 => noun.to_owned(),
        Some(stem) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{stem}ies"),
        _ if noun.ends_with("ch") => format!("{noun}es"),
        _ => format!("{noun}s"),
    }
}

/// A note on documents that stay but are not found by some crowded key.
pub fn crowded_in_words(count: u64) -> String {
    let documents = counted(count, "document");
    format!(
        "{documents} that stay share a key of their sketches with more than {MOST} others that stay; a document that \
         shares only such keys with one of them was not compared with it"
    )
}

/// A part of a whole in percent, rounded down to two digits; a part above 0 is never shown as 0.
pub(in crate::report) fn share(part: u64, whole: u64) -> String {
    match (part, whole) {
        (_, 0) => "–".into(),
        (1.., _) if part as f64 / (whole as f64) < 1e-4 => "< 0.01 %".into(),
        _ => percent(Some(part as f64 / whole as f64)),
    }
}

/// `512 bytes`, `3.42 GB`: units of 1000, rounded down to about three digits.
pub fn bytes(count: u64) -> String {
    if count < 1000 {
        return counted(count, "byte");
    }
    let (mut value, mut unit) = (count as f64, "bytes");
    for next in ["kB", "MB", "GB", "TB", "PB", "EB"] {
        if value < 1000.0 {
            break;
        }
        (value, unit) = (value / 1000.0, next);
    }
    let digits = if value < 10.0 { 100.0 } else { 10.0 };
    format!("{} {unit}", (value * digits + 1e-9).floor() / digits)
}

/// `Catalan (cat)`; an unknown code unchanged.
pub(in crate::report) fn language(code: &str) -> String {
    known(code).map_or(code.into(), |language| language.to_string())
}

/// The HTML `lang` attribute of a language: its shortest code, or empty if it is not
/// known.
pub(in crate::report) fn tag(code: &str) -> &'static str {
    let shortest = |language: Language| [language.short_code(), language.code()].into_iter().find(|it| !it.is_empty());
    known(code).and_then(shortest).unwrap_or_default()
}

/// The language of a code, which may come from a file of another version.
fn known(code: &str) -> Option<Language> {
    code.parse().ok()
}

/// A share in percent, rounded down to two digits, so that only the whole is 100 %.
pub(in crate::report) fn percent(share: Option<f64>) -> String {
    share.map_or("none".into(), |share| format!("{:.2} %", (1e4 * share + 1e-9).floor() / 100.0))
}

/// A threshold in percent, with every digit that the user gave.
pub(in crate::report) fn threshold(share: f64) -> String {
    let digits = format!("{:.10}", 100.0 * share);
    digits.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_stand_apart() {
        for (count, text) in [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567")] {
            assert_eq!(grouped(count), text);
        }
        assert_eq!(grouped(u64::MAX), "18,446,744,073,709,551,615");
        assert_eq!(
            [counted(1, "file"), counted(0, "file"), counted(2000, "file")],
            ["1 file", "0 files", "2,000 files"]
        );
    }

    #[test]
    fn shares_are_honest_at_both_ends() {
        assert_eq!([share(0, 0), share(0, 7), share(7, 7)], ["–", "0.00 %", "100.00 %"]);
        assert_eq!([share(1, 1_000_000), share(999_999, 1_000_000)], ["< 0.01 %", "99.99 %"]);
    }

    #[test]
    fn bytes_have_three_digits() {
        let texts = [999, 1000, 1234, 12_345, 999_999, 3_420_000_000, u64::MAX].map(bytes);
        assert_eq!(texts, ["999 bytes", "1 kB", "1.23 kB", "12.3 kB", "999.9 kB", "3.42 GB", "18.4 EB"]);
    }

    #[test]
    fn languages_by_name_and_tag() {
        assert_eq!([language("cat"), language("und"), language("<x>")], ["Catalan (cat)", "undetermined (und)", "<x>"]);
        assert_eq!([tag("cmn"), tag("und"), tag("\" onclick")], ["zh", "und", ""]);
    }
}
