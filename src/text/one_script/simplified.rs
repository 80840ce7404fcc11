//! Traditional Chinese characters and the simplified ones in their place, by the table of `simplified.txt`.
//!
//! Cost: .1 ms to read the table, at first use; then one look-up a character.
//!
//! Source: the Unihan database of Unicode; `scripts/make-variants` makes the table.

use std::ops::RangeInclusive;
use std::sync::LazyLock;

/// The characters of the table.
const BLOCK: RangeInclusive<char> = '\u{4E00}'..='\u{9FFF}';

/// A text is traditional if one in this many of its Chinese characters is, or more. Of prose every third or fourth is.
const LEAST: usize = 50;

/// A text is Japanese if one in this many of its Chinese characters and kana is kana, or more. Of prose every other is.
const KANA: usize = 8;

/// Number of bytes of the sample that are examined for traditional characters.
const EXAMINED: usize = 600;

/// Length in bytes of each character of the block.
const BYTES: usize = 3;

/// A text is Chinese only if its Chinese characters are one in this many of its bytes, or more: one in another language
/// with some names in Chinese is read as it is.
const MAIN: usize = 8;

struct Table {
    /// The simplified character of each of the block.
    simplified: Box<[u16]>,
    /// True for each that is traditional only.
    is_traditional: Box<[bool]>,
}

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let count = (*BLOCK.end() as usize - *BLOCK.start() as usize) + 1;
    let all = (0..count).map(|place| (place + *BLOCK.start() as usize) as u16);
    let mut table = Table { simplified: all.collect(), is_traditional: vec![false; count].into() };
    let lines = include_str!("simplified.txt").lines().filter(|line| !line.starts_with('#'));
    for (line, is_traditional) in lines.zip([true, false]) {
        let mut characters = line.chars();
        while let (Some(c), Some(simplified)) = (characters.next(), characters.next()) {
            let place = c as usize - *BLOCK.start() as usize;
            table.simplified[place] = simplified as u16;
            table.is_traditional[place] = is_traditional;
        }
    }
    table
});

/// The simplified character in the place of a traditional one; any other character itself. Both have three bytes.
pub(super) fn simplified(c: char) -> char {
    let place = (c as usize).wrapping_sub(*BLOCK.start() as usize);
    TABLE.simplified.get(place).and_then(|&code| char::from_u32(code.into())).unwrap_or(c)
}

/// True for the sample of a Chinese text in traditional characters.
pub(super) fn is_traditional(sample: &str) -> bool {
    let (chinese, kana) = counts(sample.as_bytes());
    if kana * KANA >= chinese + kana || chinese * BYTES * MAIN < sample.len() {
        return false;
    }
    let table = &*TABLE;
    let bytes = &sample.as_bytes()[..sample.len().min(EXAMINED)];
    let (mut count, mut traditional) = (0, 0);
    // Without branches, which texts with Latin words between Chinese ones would make the processor mispredict.
    for bytes in bytes.windows(BYTES) {
        let code = bytes.iter().fold(0, |code, byte| code << 6 | usize::from(byte & 0x3F)) & 0xFFFF;
        let is_chinese = is_first(bytes[0]);
        let place = if is_chinese { code.wrapping_sub(*BLOCK.start() as usize) } else { 0 };
        let is_it = table.is_traditional[place.min(table.is_traditional.len() - 1)];
        count += usize::from(is_chinese);
        traditional += usize::from(is_chinese & is_it);
    }
    traditional * LEAST >= count && traditional > 0
}

/// True for the first byte of a Chinese character.
fn is_first(byte: u8) -> bool {
    byte.wrapping_sub(0xE4) < 6
}

/// The numbers of Chinese characters and of kana, by the first bytes of the ones and the first two of the others; in
/// blocks whose sums fit a byte, which compilers make vectors of.
fn counts(text: &[u8]) -> (usize, usize) {
    let followed = text.get(1..).unwrap_or_default();
    let blocks = text[..followed.len()].chunks(128).zip(followed.chunks(128));
    blocks.fold((0, 0), |(chinese, kana), (bytes, next)| {
        let (mut in_block, mut kana_in_block) = (0, 0);
        for (byte, next) in bytes.iter().zip(next) {
            in_block += u8::from(is_first(*byte));
            kana_in_block += u8::from(*byte == 0xE3) & u8::from(next.wrapping_sub(0x81) < 3);
        }
        (chinese + usize::from(in_block), kana + usize::from(kana_in_block))
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// True for a traditional text, by its characters.
    fn plain(sample: &str) -> bool {
        let count = |text: &str, is_counted: &dyn Fn(char) -> bool| text.chars().filter(|&c| is_counted(c)).count();
        let is_chinese = |c: char| ('\u{4000}'..='\u{9FFF}').contains(&c);
        let is_only_traditional = |c: char| BLOCK.contains(&c) && TABLE.is_traditional[c as usize - 0x4E00];
        let (chinese, kana) = (count(sample, &is_chinese), count(sample, &|c| ('\u{3040}'..='\u{30FF}').contains(&c)));
        let examined = &sample[..sample.floor_char_boundary(EXAMINED)];
        let traditional = count(examined, &is_only_traditional);
        kana * KANA < chinese + kana
            && chinese * BYTES * MAIN >= sample.len()
            && traditional * LEAST >= count(examined, &is_chinese)
            && traditional > 0
    }

    proptest! {
        #[test]
        fn bytes_tell_what_characters_do(text in "([一-鿿]{0,40}|[漲落兩次海水每天]{1,3}|[ぁ-ヿ、。]{0,4}|[a-zé가€😀㐀䷀]{0,9}){0,9}", times in 1_usize..30) {
            for text in [&text, &text.repeat(times)] {
                prop_assert_eq!(is_traditional(text), plain(text), "{}", text);
            }
        }
    }

    #[test]
    fn a_simplified_character_stays_and_has_as_many_bytes() {
        let changed = BLOCK.filter(|&c| simplified(c) != c).count();
        assert!(changed > 3000, "{changed}");
        for c in '\0'..=char::MAX {
            let read = simplified(c);
            assert_eq!((simplified(read), read.len_utf8()), (read, c.len_utf8()), "{c}");
            assert!(read == c || BLOCK.contains(&c));
        }
    }

    #[test]
    fn characters_are_counted_by_their_bytes() {
        for text in ["", "a", "漢", "漢字かなカナ、。「ー」가é", &"漢かa".repeat(100)] {
            let of = |range: RangeInclusive<char>| text.chars().filter(|c| range.contains(c)).count();
            // The bytes tell up to U+9FFF and U+30FF.
            assert_eq!(counts(text.as_bytes()), (of('\u{4000}'..='\u{9FFF}'), of('\u{3040}'..='\u{30FF}')), "{text}");
        }
    }

    #[test]
    fn the_table_has_what_texts_of_taiwan_and_hong_kong_write() {
        for (traditional, read) in [
            ("發髮", "发发"),
            ("乾幹榦", "干干榦"),
            ("說説", "说说"),
            ("裡裏", "里里"),
            ("為爲", "为为"),
            ("臺颱檯", "台台台"),
            ("佈占佔", "布占占"),
            ("著着", "着着"),
            ("線綫", "线线"),
            ("群羣峰峯", "群群峰峰"),
        ] {
            assert_eq!(traditional.chars().map(simplified).collect::<String>(), read);
        }
    }
}
