//! Serbian and Macedonian Cyrillic in Latin letters.
//!
//! Both languages are recognised by `ј`, which other languages with Cyrillic letters hardly have, against letters that
//! these two lack.
//!
//! Source: the two alphabets of Serbian (Gaj's and Vuk Karadžić's); for Macedonian the romanisation of ISO 9 R:1968.

use memchr::memmem;

/// The letters in lower and upper case, each with the Latin ones in its place. Capital digraphs are lowered later.
#[rustfmt::skip]
const LETTERS: [(char, char, &str, &str); 34] = [
    ('а', 'А', "a", "A"), ('б', 'Б', "b", "B"), ('в', 'В', "v", "V"), ('г', 'Г', "g", "G"), ('д', 'Д', "d", "D"),
    ('ђ', 'Ђ', "đ", "Đ"), ('ѓ', 'Ѓ', "ǵ", "Ǵ"), ('е', 'Е', "e", "E"), ('ж', 'Ж', "ž", "Ž"), ('з', 'З', "z", "Z"),
    ('ѕ', 'Ѕ', "dz", "Dz"), ('и', 'И', "i", "I"), ('ј', 'Ј', "j", "J"), ('к', 'К', "k", "K"), ('л', 'Л', "l", "L"),
    ('љ', 'Љ', "lj", "Lj"), ('м', 'М', "m", "M"), ('н', 'Н', "n", "N"), ('њ', 'Њ', "nj", "Nj"), ('о', 'О', "o", "O"),
    ('п', 'П', "p", "P"), ('р', 'Р', "r", "R"), ('с', 'С', "s", "S"), ('т', 'Т', "t", "T"), ('ћ', 'Ћ', "ć", "Ć"),
    ('ќ', 'Ќ', "ḱ", "Ḱ"), ('у', 'У', "u", "U"), ('ф', 'Ф', "f", "F"), ('х', 'Х', "h", "H"), ('ц', 'Ц', "c", "C"),
    ('ч', 'Ч', "č", "Č"), ('џ', 'Џ', "dž", "Dž"), ('ш', 'Ш', "š", "Š"), ('ѐ', 'Ѐ', "è", "È"),
];

/// The block of the letters.
const FIRST: u32 = 0x400;
const COUNT: usize = 0x60;

/// The Latin letters of a Cyrillic one; `None` for other characters.
pub(super) fn latin(c: char) -> Option<&'static str> {
    const TABLE: [Option<&str>; COUNT] = {
        let mut table = [None; COUNT];
        let mut place = 0;
        while place < LETTERS.len() {
            let (small, capital, latin, in_capitals) = LETTERS[place];
            table[(small as u32 - FIRST) as usize] = Some(latin);
            table[(capital as u32 - FIRST) as usize] = Some(in_capitals);
            place += 1;
        }
        table
    };
    TABLE.get((c as usize).wrapping_sub(FIRST as usize)).copied().flatten()
}

/// True for the sample of a text in Serbian or Macedonian Cyrillic.
pub(super) fn is_serbian(sample: &str) -> bool {
    if ["ј", "Ј"].iter().all(|letter| memmem::find(sample.as_bytes(), letter.as_bytes()).is_none()) {
        return false;
    }
    let (mut own, mut others) = (0, 0);
    for c in sample.chars().filter(|c| !c.is_ascii()).flat_map(char::to_lowercase) {
        own += usize::from(matches!(c, 'ј' | 'љ' | 'њ' | 'ћ' | 'ђ' | 'џ' | 'ѓ' | 'ќ' | 'ѕ'));
        others += usize::from(matches!(c, 'й' | 'ы' | 'э' | 'ю' | 'я' | 'ъ' | 'ь' | 'щ' | 'ё' | 'і' | 'ї' | 'є' | 'ә'));
    }
    own > 2 * others
}
