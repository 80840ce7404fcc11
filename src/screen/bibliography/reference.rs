//! How a reference in a bibliography looks: it begins with names or a quoted title, and states a year apart from its words.
//!
//! ```text
//!  Ellis, Markman. The Coffee House: A Cultural History. Weidenfeld and Nicolson, 2004.
//!  └─── names ──┘                                                                └ year
//!  Hattox, R. (1996). Kahve ve Kahvehaneler. Tarih Vakfı Yurt Yayınları.
//!  臼井隆一郎『コーヒーが廻り世界史が廻る』中央公論社、1992年。
//! ```
//!
//! Prose has years too, but within its sentences (`in 1652`, `1652年に`) or with a name in brackets (`(Lee 2004, 12)`).

use crate::text::characters::digit;

/// Maximum length in words; few references are longer that do not have a sign for most of their words.
pub(super) const MOST_WORDS: usize = 50;

/// Maximum number of words of a name, such as that of a ministry.
const NAME: usize = 5;

/// Maximum length of a word that may be written small in a name, in characters: `de`, `von`, `and`.
const PARTICLE: usize = 3;

/// Maximum number of characters behind a year that ends a reference, such as `. Print.` or `, s. 12–34`.
const BEHIND: usize = 20;

/// Years of any calendar: Persian ones begin with 13, those of Thailand with 25.
const YEARS: std::ops::Range<u32> = 1300..2600;

/// True if a line, or a few lines, look like a reference of a list. At most [`MOST_WORDS`] words are expected.
pub(super) fn is_reference(lines: &str) -> bool {
    let text = lines.trim_start_matches(|c: char| !c.is_alphabetic() && !is_opening(c));
    // A number, a bullet, or dashes in place of the name above.
    let marks = &lines[..lines.len() - text.len()];
    let repeats_names = ["——", "---", "___"].iter().any(|dashes| marks.contains(dashes));
    let text = text.trim_end();
    (repeats_names || text.starts_with(is_opening) || begins_with_names(text)) && states_a_year(text)
}

/// True for a mark that opens a title.
fn is_opening(c: char) -> bool {
    matches!(c, '"' | '“' | '„' | '«' | '‘' | '《' | '〈' | '「' | '『')
}

/// True if a text begins with a name of several words, or with a surname and then other names, as signs divide them.
pub(super) fn begins_with_names(text: &str) -> bool {
    let mut parts = text.split(is_sign).map(str::trim).filter(|part| !part.is_empty());
    let first = parts.next().unwrap_or_default();
    is_name(first) && (first.contains(char::is_whitespace) || parts.next().is_some_and(is_name))
}

/// True for up to [`NAME`] words that are not written small, particles aside; scripts without capitals have only the length.
fn is_name(part: &str) -> bool {
    let is_small = |word: &str| !word.contains(char::is_uppercase) && word.starts_with(char::is_lowercase);
    part.split_whitespace().count() <= NAME
        && part.split_whitespace().all(|word| !is_small(word) || word.chars().count() <= PARTICLE)
}

/// True if a text has a year that stands apart from its words.
fn states_a_year(text: &str) -> bool {
    let mut at = 0;
    text.split_inclusive(|c: char| !c.is_numeric()).any(|piece| {
        let start = at;
        at += piece.len();
        let number = piece.trim_end_matches(|c: char| !c.is_numeric());
        is_year(number) && stands_apart(&text[..start], &text[start + number.len()..])
    })
}

fn is_year(number: &str) -> bool {
    number.chars().count() == 4
        && number.chars().filter_map(digit).collect::<String>().parse().is_ok_and(|year| YEARS.contains(&year))
}

/// True if a year between these stands in brackets of its own, or near the end behind a sign or a place.
fn stands_apart(before: &str, behind: &str) -> bool {
    let before = before.trim_end();
    // Such as 2004a; in Chinese and Japanese the word for a year.
    let behind = behind.trim_start_matches(|c: char| c.is_ascii_lowercase() || c == '年');
    let begins = |text: &str| text.trim_start().chars().next();
    if before.ends_with(['(', '[', '（']) {
        let within = behind.char_indices().nth(BEHIND).map_or(behind, |(end, _)| &behind[..end]);
        let Some(end) = within.find([')', ']', '）']) else { return false };
        let rest = behind[end..].trim_start_matches([')', ']', '）']);
        return begins(rest).is_none_or(|c| is_sign(c) || c.is_uppercase() || is_opening(c));
    }
    if behind.chars().nth(BEHIND).is_some() {
        return false;
    }
    // A citation in prose has its name within the brackets; those of a reference have the publisher after a colon.
    let open = before.rfind(['(', '（']).filter(|&open| !before[open..].contains([')', '）', ':', '：']));
    let last = before.rsplit(char::is_whitespace).next().unwrap_or_default();
    open.is_none()
        && begins(behind).is_none_or(is_sign)
        && (before.ends_with(is_sign) || last.starts_with(char::is_uppercase))
}

/// True for the signs that references are full of.
pub(super) fn is_sign(c: char) -> bool {
    matches!(
        c,
        '.' | ','
            | ':'
            | ';'
            | '('
            | ')'
            | '['
            | ']'
            | '/'
            | '&'
            | '–'
            | '—'
            | '"'
            | '“'
            | '”'
            | '„'
            | '«'
            | '»'
            | '。'
            | '、'
            | '，'
            | '．'
            | '：'
            | '；'
            | '（'
            | '）'
            | '《'
            | '》'
            | '「'
            | '」'
            | '『'
            | '』'
            | '،'
            | '؛'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_of_many_styles_and_languages() {
        for reference in [
            "Ellis, Markman. The Coffee House: A Cultural History. Weidenfeld and Nicolson, 2004.",
            "Weinberg, Bennett Alan, and Bonnie K. Bealer. The World of Caffeine. Routledge, 2001. Print.",
            "Hattox, Ralph. Coffee and Coffeehouses: The Origins of a Social Beverage in the Medieval Near East. \
             University of Washington Press, 1985.",
            "Brian Cowan, The Social Life of Coffee (New Haven: Yale University Press, 2005).",
            "Cowan, B. (2005). The social life of coffee and of the houses in which it was drunk. Yale University Press.",
            "———. Another history of the same drink in the same city. Harper Perennial, 2005.",
            "3. World Health Organization. What is known of coffee and what is not. Geneva 2016.",
            "“The Penny Universities and those who went there to read the news.” Sea Journal, 1999, pp. 12–34.",
            "Wolfgang Schivelbusch: Das Paradies, der Geschmack und die Vernunft. München 1980.",
            "de Lemps, A. H. (1999). Boissons et civilisations en Afrique et dans le monde du café. Bordeaux.",
            "Hattox, Ralph. Kahve ve Kahvehaneler: Bir Toplumsal İçeceğin Yakındoğu'daki Kökenleri. Tarih Vakfı, 1996.",
            "Schivelbusch W., Raj, smak i rozsądek. Historia używek, Warszawa 2000.",
            "حتوكس، رالف، القهوة والمقاهي: أصول مشروب اجتماعي في الشرق الأدنى في العصور الوسطى، سياتل، 1985.",
            "احمدی، رضا. تاریخ قهوه در ایران و قهوه‌خانه‌های آن. تهران: نشر نی، ۱۳۹۵.",
            "臼井隆一郎『コーヒーが廻り世界史が廻る』中央公論社、1992年。",
            "张三:《咖啡的历史》,商务印书馆,2005年。",
        ] {
            assert!(is_reference(reference), "{reference}");
        }
    }

    #[test]
    fn prose_with_years_is_none() {
        for prose in [
            "In 1652, Pasqua Rosée, a Greek servant of Daniel Edwards, opened the first coffeehouse in London.",
            "Pasqua Rosée, a Greek servant of Daniel Edwards, opened the first coffeehouse of the city in 1652.",
            "However, London had more than three hundred such houses at that time (Ellis, 2004).",
            "Smith, Jones and Lee (1999) say that nobody knew who had brewed the first cup.",
            "Ellis (2004) found three hundred of them, most behind the Royal Exchange.",
            "The essay has shown, I hope, that gossip mattered more than caffeine between 1650 and 1700.",
            "Im Jahr 1652 eröffnete Pasqua Rosée, ein Diener, in London das erste Haus dieser Art.",
            "В 1652 году в Лондоне открылась первая кофейня, и вскоре их стало больше трёхсот.",
            "في عام 1652 افتتح أول مقهى في لندن، ثم صار في المدينة أكثر من ثلاثمئة مقهى.",
            "1652年、ロンドンで最初のコーヒー・ハウスが開かれ、やがてその数は三百を超えた。",
            "夏目漱石『こころ』は1914年に新聞で連載された。",
        ] {
            assert!(!is_reference(prose), "{prose}");
        }
    }
}
