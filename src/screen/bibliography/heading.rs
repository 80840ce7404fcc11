//! The lines that head a bibliography or an appendix.
//!
//! Cost: one copy of each line that is short enough, a look-up for it and two for each conjunction in it.

use std::collections::HashSet;
use std::sync::LazyLock;

use super::headings::{APPENDICES, HEADINGS};
use super::reference::begins_with_names;
use crate::text::fold::folded;

/// Maximum length of a heading in words.
pub(super) const LONGEST_HEADING: usize = 8;

/// Maximum length of the heading of a bibliography in bytes. The longest that is known has 80, and two may be joined.
const MAX_BYTES: usize = 256;

/// Maximum length of a remark behind a heading, in characters with its brackets: `(MLA, 9th edition)`.
const LONGEST_REMARK: usize = 24;

/// Signs and conjunctions between two headings in one line, as in `Bibliographie / Sitographie`, `Literatur und Quellen` and
/// `参考文献及资料来源`.
const CONJUNCTIONS: &[&str] = &[
    "/",
    "&",
    "+",
    "・",
    " and ",
    " und ",
    " et ",
    " y ",
    " e ",
    " i ",
    " oraz ",
    " a ",
    " in ",
    " и ",
    " та ",
    " і ",
    " й ",
    " en ",
    " och ",
    " og ",
    " ja ",
    " és ",
    " ve ",
    " și ",
    " ir ",
    " un ",
    " και ",
    " và ",
    " dan ",
    " 및 ",
    " और ",
    " एवं ",
    " ও ",
    " এবং ",
    " و",
    " ו",
    "และ",
    "和",
    "与",
    "與",
    "及",
    "と",
];

/// The length of the heading of a bibliography that a line begins with: all of it, or what stands before the names of a
/// first entry, as where a form has joined all lines of a paragraph.
pub(super) fn heading(line: &str) -> Option<usize> {
    if is_heading(line) {
        return Some(line.len());
    }
    if !line.trim_start_matches(|c: char| !c.is_alphabetic()).starts_with(char::is_uppercase) {
        return None;
    }
    let ends = line.match_indices(' ').map(|(at, _)| at).take(LONGEST_HEADING);
    // Names are looked for first, as a look for a heading copies it.
    ends.filter(|&end| begins_with_names(line[end..].trim_start()) && is_heading(&line[..end])).last()
}

/// True for the heading of a bibliography, also without its accents, as capitals often are: a known one, or two with a
/// conjunction between them, also with a remark behind.
fn is_heading(line: &str) -> bool {
    if line.len() > MAX_BYTES {
        return false;
    }
    let heading = bare(without_remark(line));
    let heading = folded(&heading);
    is_known(&heading) || is_pair(&heading)
}

/// True for a known heading in lower case without accents.
fn is_known(heading: &str) -> bool {
    static FOLDED: LazyLock<HashSet<String>> =
        LazyLock::new(|| HEADINGS.iter().map(|heading| folded(heading).into_owned()).collect());
    FOLDED.contains(heading)
}

/// True for two known headings with a conjunction between them. They may share their first words, as in `List of sources and
/// references`, or the end of a compound, as in `Literatur- und Quellenverzeichnis`.
fn is_pair(heading: &str) -> bool {
    static FOLDED: LazyLock<Vec<String>> =
        LazyLock::new(|| CONJUNCTIONS.iter().map(|conjunction| folded(conjunction).into_owned()).collect());
    FOLDED.iter().filter_map(|conjunction| heading.split_once(&**conjunction)).any(|(first, second)| {
        let (first, second) = (first.trim_end_matches([' ', '-']), second.trim_start());
        let shares = |(end, _): (usize, &str)| is_known(&format!("{} {second}", &first[..end]));
        is_known(first) && (is_known(second) || first.match_indices(' ').any(shares))
    })
}

/// A line without a short remark in brackets at its end, as in `Bibliography (MLA)`.
fn without_remark(line: &str) -> &str {
    let end = line.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, ':' | '：' | '*' | '#' | '}'));
    let open = if end.ends_with([')', ']', '）', '］']) { end.rfind(['(', '[', '（', '［']) } else { None };
    let is_remark = |&open: &usize| {
        line[..open].contains(char::is_alphabetic) && line[open..end.len()].chars().count() <= LONGEST_REMARK
    };
    open.filter(is_remark).map_or(line, |open| &line[..open])
}

/// A line in lower case without the numbers, heading marks and colons around it.
fn bare(line: &str) -> String {
    let heading = line.trim_start_matches([' ', '\t', '#', '*']);
    // Such as `\section{References}`.
    let command = heading.strip_prefix('\\').and_then(|command| command.split_once('{'));
    let heading = without_number(command.map_or(heading, |(_, title)| title));
    heading.trim_matches(|c: char| !c.is_alphabetic() && !is_mark(c)).to_lowercase()
}

/// A heading without a number that is written in letters: `VII. Bibliography`, `Ⅴ. 참고문헌`, `五、参考文献`, `（五）参考文献`, but
/// not `Idea`.
fn without_number(heading: &str) -> &str {
    let of_letters = |c: char| matches!(c, 'I' | 'V' | 'X');
    let of_east = |c: char| matches!(c, 'Ⅰ'..='Ⅻ') || "一二三四五六七八九十".contains(c);
    let number = heading.trim_start_matches(['(', '（']);
    let rest = number.trim_start_matches(|c| of_letters(c) || of_east(c));
    let is_number = rest.starts_with(['.', ')', '．', '）', '、'])
        || number.starts_with(of_east) && rest.starts_with([' ', '\u{3000}']);
    if is_number { rest } else { heading }
}

/// The level of a Markdown heading; 0 for other lines.
pub(super) fn level(line: &str) -> usize {
    let marks = line.len() - line.trim_start_matches('#').len();
    if line[marks..].starts_with(' ') { marks } else { 0 }
}

/// True for the heading of an appendix, such as `Appendix A: Tables`.
pub(super) fn is_appendix(line: &str) -> bool {
    let heading = bare(line);
    let first = heading.split(|c: char| !c.is_alphabetic() && !is_mark(c)).next().unwrap_or_default();
    let is_sentence = line.trim_end().ends_with(['.', ',', ';']);
    APPENDICES.contains(&first) && heading.split_whitespace().count() <= LONGEST_HEADING && !is_sentence
}

/// Signs of Hindi and Thai that may end words and are not alphabetic.
fn is_mark(c: char) -> bool {
    matches!(c, '\u{900}'..='\u{97F}' | '\u{E00}'..='\u{E7F}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_of_many_languages() {
        for line in [
            "Quellenangaben",
            "Literaturliste:",
            "Online-Quellen",
            "Sources utilisées",
            "Liste des références",
            "Trabajos citados",
            "Использованные источники",
            "List of sources",
            "Works cited list",
            "Spis źródeł",
            "WYKAZ ŹRÓDEŁ",
            "Lista de referências",
            "Gebruikte bronnen",
            "Kullanılan kaynaklar",
            "Перелік джерел",
            "Seznam použitých zdrojů",
            "Källhänvisningar",
            "参考サイト",
        ] {
            assert_eq!(heading(line), Some(line.len()), "{line}");
        }
    }

    #[test]
    fn two_headings_may_be_joined() {
        for line in [
            "Bibliographie et sources",
            "Bibliographie / Sitographie",
            "BIBLIOGRAPHIE/SITOGRAPHIE",
            "Bibliografía y webgrafía",
            "5. Referencias y bibliografía",
            "Literatur- und Quellenverzeichnis",
            "Quellen & Literatur",
            "Список использованных источников и литературы",
            "Список использованной литературы и источников",
            "List of sources and references:",
            "Wykaz źródeł i literatury",
            "Kilder og litteratur",
            "Források és irodalom",
            "المصادر والمراجع",
            "قائمة المصادر والمراجع",
            "参考文献及资料来源",
        ] {
            assert_eq!(heading(line), Some(line.len()), "{line}");
        }
        for line in
            ["Sources and effects", "Fuentes y ríos", "Bibliography and", "Источники и люди", "Quellen- und Flusslauf"]
        {
            assert!(!is_heading(line), "{line}");
        }
    }

    #[test]
    fn numbers_and_remarks_belong_to_no_heading() {
        for line in [
            "一、参考文献",
            "五、参考文献",
            "（五）参考文献",
            "五 参考文献",
            "十二．参考文献",
            "Ⅴ. 참고문헌",
            "VII. Bibliography",
            "Bibliography (MLA)",
            "References [APA, 7th ed.]:",
            "(References)",
            "\\section{References (APA)}",
        ] {
            assert_eq!(heading(line), Some(line.len()), "{line}");
        }
        for line in
            ["Sources (1999) say so", "Sources (of which there are very many in this town)", "一参考文献", "Isources"]
        {
            assert!(!is_heading(line), "{line}");
        }
    }
}
