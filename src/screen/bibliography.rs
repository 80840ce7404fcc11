//! Where the bibliography of a text begins and ends.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::LazyLock;

use crate::text::fold::folded;

/// The span of a bibliography, without its heading, if it begins in the last two thirds of the text.
pub(super) fn bibliography(text: &str) -> Option<Range<usize>> {
    let (mut at, mut found) = (0, None);
    for line in text.split_inclusive('\n') {
        let (start, is_late) = (at, at >= text.len() / 3);
        at += line.len();
        match found {
            None if is_late && is_heading(line) => found = Some((at, level(line))),
            Some((from, of_heading)) if is_appendix(line) || (1..=of_heading).contains(&level(line)) => {
                return Some(from..start);
            }
            _ => {}
        }
    }
    found.map(|(from, _)| from..text.len())
}

/// True for the heading of a bibliography, also without its accents, as capitals often are.
fn is_heading(line: &str) -> bool {
    static FOLDED: LazyLock<HashSet<String>> =
        LazyLock::new(|| HEADINGS.iter().map(|heading| folded(heading).into_owned()).collect());
    FOLDED.contains(&*folded(&bare(line)))
}

/// A line in lower case without the numbers, heading marks and colons around it.
fn bare(line: &str) -> String {
    let heading = line.trim_start_matches([' ', '\t', '#', '*']);
    let number = heading.trim_start_matches(['I', 'V', 'X']);
    // Such as `VII. Bibliography`, and not `Idea`.
    let heading = if number.starts_with(['.', ')']) { number } else { heading };
    heading.trim_matches(|c: char| !c.is_alphabetic() && !is_mark(c)).to_lowercase()
}

/// The level of a Markdown heading; 0 for other lines.
fn level(line: &str) -> usize {
    let marks = line.len() - line.trim_start_matches('#').len();
    if line[marks..].starts_with(' ') { marks } else { 0 }
}

/// Maximum length of the heading of an appendix, in words.
const LONGEST_HEADING: usize = 8;

/// True for the heading of an appendix, such as `Appendix A: Tables`.
fn is_appendix(line: &str) -> bool {
    let heading = bare(line);
    let first = heading.split(|c: char| !c.is_alphabetic() && !is_mark(c)).next().unwrap_or_default();
    let is_sentence = line.trim_end().ends_with(['.', ',', ';']);
    APPENDICES.contains(&first) && heading.split_whitespace().count() <= LONGEST_HEADING && !is_sentence
}

/// Signs of Hindi and Thai that may end words and are not alphabetic.
fn is_mark(c: char) -> bool {
    matches!(c, '\u{900}'..='\u{97F}' | '\u{E00}'..='\u{E7F}')
}

const HEADINGS: &[&str] = &[
    "references",
    "reference list",
    "list of references",
    "references and notes",
    "bibliography",
    "works cited",
    "works consulted",
    "further reading",
    "sources",
    "literature",
    "literature cited",
    "literatur",
    "literaturverzeichnis",
    "literaturangaben",
    "literatur- und quellenverzeichnis",
    "quellen- und literaturverzeichnis",
    "verwendete literatur",
    "internetquellen",
    "quellen",
    "quellenverzeichnis",
    "bibliographie",
    "références",
    "références bibliographiques",
    "bibliografía",
    "referencias",
    "referencias bibliográficas",
    "bibliografia",
    "referències",
    "referências",
    "referências bibliográficas",
    "riferimenti",
    "riferimenti bibliografici",
    "literatuur",
    "literatuurlijst",
    "bronnen",
    "referenties",
    "geraadpleegde literatuur",
    "литература",
    "список литературы",
    "список использованной литературы",
    "библиография",
    "література",
    "список літератури",
    "список використаних джерел",
    "список використаної літератури",
    "використана література",
    "джерела",
    "библиографија",
    "списак литературе",
    "извори",
    "bibliografija",
    "spisak literature",
    "popis literature",
    "izvori",
    "литература и источници",
    "bibliografi",
    "litteratur",
    "litteraturliste",
    "litteraturförteckning",
    "referenser",
    "källor",
    "kilder",
    "lähteet",
    "lähdeluettelo",
    "kirjallisuus",
    "viitteet",
    "kaynakça",
    "kaynaklar",
    "referanslar",
    "βιβλιογραφία",
    "βιβλιογραφικές αναφορές",
    "αναφορές",
    "πηγές",
    "المراجع",
    "مراجع",
    "المصادر",
    "قائمة المراجع",
    "المصادر والمراجع",
    "قائمة المصادر والمراجع",
    "منابع",
    "منابع و مآخذ",
    "فهرست منابع",
    "کتاب‌نامه",
    "ביבליוגרפיה",
    "מקורות",
    "संदर्भ",
    "संदर्भ सूची",
    "सन्दर्भ",
    "सन्दर्भ सूची",
    "ग्रंथ सूची",
    "参考文献",
    "參考文獻",
    "参考书目",
    "參考書目",
    "参考资料",
    "參考資料",
    "参考資料",
    "引用文献",
    "참고문헌",
    "참고자료",
    "인용문헌",
    "참고 문헌",
    "บรรณานุกรม",
    "เอกสารอ้างอิง",
    "รายการอ้างอิง",
    "อ้างอิง",
    "tài liệu tham khảo",
    "nguồn tham khảo",
    "daftar pustaka",
    "literatura",
    "bibliografie",
    "použitá literatura",
    "piśmiennictwo",
    "irodalom",
    "irodalomjegyzék",
    "felhasznált irodalom",
    "források",
    "hivatkozások",
    "literatūra",
    "kirjandus",
    "viited",
];

/// First words of the heading of an appendix.
const APPENDICES: &[&str] = &[
    "appendix",
    "appendices",
    "annex",
    "anhang",
    "annexe",
    "annexes",
    "anexo",
    "anexos",
    "apéndice",
    "apêndice",
    "appendice",
    "allegato",
    "bijlage",
    "bijlagen",
    "bilaga",
    "bilagor",
    "bilag",
    "vedlegg",
    "liite",
    "liitteet",
    "приложение",
    "приложения",
    "додаток",
    "příloha",
    "załącznik",
    "melléklet",
    "függelék",
    "anexa",
    "lisa",
    "παράρτημα",
    "ek",
    "ملحق",
    "الملحق",
    "ملاحق",
    "پیوست",
    "נספח",
    "परिशिष्ट",
    "附录",
    "附錄",
    "付録",
    "부록",
    "ภาคผนวก",
    "lampiran",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bibliography_reaches_from_its_heading_to_the_end() {
        for heading in [
            "References",
            "VII. Works consulted",
            "7. Literaturverzeichnis:",
            "## Список литературы",
            "参考文献",
            "참고 문헌",
            "ΒΙΒΛΙΟΓΡΑΦΙΑ",
            "संदर्भ",
        ] {
            let text = format!("{}\n{heading}\nSmith 1999", "A long text. ".repeat(20));
            assert_eq!(bibliography(&text).map(|span| &text[span]), Some("Smith 1999"), "{heading}");
        }
        assert_eq!(bibliography("References\nare what this text is about, at length and in depth"), None);
        assert_eq!(bibliography("Two thirds and more of a text, then\nreferences are given\n"), None);
    }

    #[test]
    fn it_ends_with_an_appendix_or_the_next_heading() {
        let found = |after: &str| {
            let text = format!("{}\n## References\nSmith 1999\n{after}", "A long text. ".repeat(20));
            bibliography(&text).map(|span| text[span].to_owned())
        };
        for heading in ["Appendix", "APPENDIX A: Tables", "## 8 Anhang", "# Discussion", "Приложение 1", "附录"]
        {
            assert_eq!(found(&format!("{heading}\nmore text")).as_deref(), Some("Smith 1999\n"), "{heading}");
        }
        for entry in [
            "### Books",
            "Appendix to the history of the sea, in nine volumes, 1901",
            "#1 Jones 2001",
            "Annex to the treaty, 1994.",
        ] {
            assert_eq!(found(entry), Some(format!("Smith 1999\n{entry}")), "{entry}");
        }
    }
}
