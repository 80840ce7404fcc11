//! Maps embedded in fonts, from the codes of a PDF's text to characters.
//!
//! Ranges are kept as ranges, so that a few bytes that name millions of codes cost only a
//! few bytes.
//!
//! Source: Adobe Technical Note 5411 (`ToUnicode` mapping files); ISO 32000-1, 9.7.5.

use std::collections::HashMap;

use super::entries::Entries;

/// Maximum number of UTF-16 units that a code stands for; ligatures and syllables have a few.
const MAX_CHARACTERS: usize = 32;

/// A map from codes to characters.
#[derive(Debug, Default)]
pub(super) struct CMap {
    codes: HashMap<u32, String>,
    /// First code, last code, and the characters of the first, sorted by first code.
    ranges: Vec<(u32, u32, Vec<u16>)>,
    /// Code space ranges: length of the codes in bytes, first code, last code.
    spaces: Vec<(usize, u32, u32)>,
}

enum Token<'a> {
    /// The bytes of a hexadecimal string.
    Hex(Vec<u8>),
    Open,
    Close,
    Word(&'a [u8]),
}

impl CMap {
    /// Reads a map. Malformed parts are skipped, and so is everything beyond the last allowed
    /// entry.
    pub(super) fn parse(map: &[u8], entries: &mut Entries) -> Self {
        let mut found = Self::default();
        let mut tokens = Tokens(map);
        while let Some(token) = tokens.next() {
            match token {
                Token::Word(b"beginbfchar") => found.characters(&mut tokens, entries),
                Token::Word(b"beginbfrange") => found.ranges(&mut tokens, entries),
                Token::Word(b"begincodespacerange") => found.spaces(&mut tokens),
                _ => {}
            }
        }
        // Of two ranges with the same first code, the later one counts.
        found.ranges.reverse();
        found.ranges.sort_by_key(|range| range.0);
        found.ranges.dedup_by_key(|range| range.0);
        found
    }

    fn characters(&mut self, tokens: &mut Tokens, entries: &mut Entries) {
        while let (Some(Token::Hex(code)), Some(Token::Hex(target))) = (tokens.next(), tokens.next())
            && entries.take(1)
        {
            self.codes.insert(number(&code), characters(&units(&target)));
        }
    }

    fn ranges(&mut self, tokens: &mut Tokens, entries: &mut Entries) {
        while let (Some(Token::Hex(first)), Some(Token::Hex(last))) = (tokens.next(), tokens.next())
            && entries.take(1)
        {
            let (first, last) = (number(&first), number(&last));
            match tokens.next() {
                Some(Token::Hex(target)) => self.ranges.push((first, last, units(&target))),
                Some(Token::Open) => {
                    let mut code = first;
                    while let Some(Token::Hex(target)) = tokens.next()
                        && entries.take(1)
                    {
                        self.codes.insert(code, characters(&units(&target)));
                        code = code.saturating_add(1);
                    }
                }
                _ => return,
            }
        }
    }

    fn spaces(&mut self, tokens: &mut Tokens) {
        while let (Some(Token::Hex(first)), Some(Token::Hex(last))) = (tokens.next(), tokens.next()) {
            // No writing system needs more.
            if self.spaces.len() < 100 {
                self.spaces.push((first.len(), number(&first), number(&last)));
            }
        }
    }

    /// Number of code space ranges that are searched for each code.
    pub(super) fn lengths(&self) -> usize {
        self.spaces.len()
    }

    /// The characters of a code; `None` if the map does not contain it.
    pub(super) fn get(&self, code: u32) -> Option<String> {
        if let Some(found) = self.codes.get(&code) {
            return Some(found.clone());
        }
        let after = self.ranges.partition_point(|range| range.0 <= code);
        let (first, last, target) = &self.ranges[after.checked_sub(1)?];
        if code > *last {
            return None;
        }
        let mut target = target.clone();
        let unit = target.last_mut()?;
        *unit = unit.wrapping_add((code - first) as u16);
        Some(characters(&target))
    }

    /// The length of a text's first code in bytes; `None` if the map does not define it.
    pub(super) fn length(&self, text: &[u8]) -> Option<usize> {
        (1..=4.min(text.len())).find(|&length| {
            let code = number(&text[..length]);
            self.spaces.iter().any(|&(bytes, first, last)| bytes == length && (first..=last).contains(&code))
        })
    }
}

fn number(bytes: &[u8]) -> u32 {
    bytes.iter().take(4).fold(0, |number, &byte| number << 8 | u32::from(byte))
}

fn units(bytes: &[u8]) -> Vec<u16> {
    match bytes {
        [byte] => vec![u16::from(*byte)],
        bytes => bytes.as_chunks::<2>().0.iter().take(MAX_CHARACTERS).map(|&unit| u16::from_be_bytes(unit)).collect(),
    }
}

fn characters(units: &[u16]) -> String {
    String::from_utf16_lossy(units)
}

struct Tokens<'a>(&'a [u8]);

impl<'a> Tokens<'a> {
    fn next(&mut self) -> Option<Token<'a>> {
        loop {
            let (&first, rest) = self.0.split_first()?;
            return Some(match first {
                b'%' => {
                    self.0 = &rest[rest.iter().position(|byte| matches!(byte, b'\r' | b'\n')).unwrap_or(rest.len())..];
                    continue;
                }
                b'[' | b']' => {
                    self.0 = rest;
                    if first == b'[' { Token::Open } else { Token::Close }
                }
                b'<' if rest.first() != Some(&b'<') => {
                    let end = rest.iter().position(|&byte| byte == b'>').unwrap_or(rest.len());
                    self.0 = rest.get(end + 1..).unwrap_or_default();
                    Token::Hex(hex(&rest[..end]))
                }
                _ if is_delimiter(first) => {
                    self.0 = rest;
                    continue;
                }
                _ => {
                    let end = self.0.iter().position(|&byte| is_delimiter(byte)).unwrap_or(self.0.len());
                    let (word, rest) = self.0.split_at(end);
                    self.0 = rest;
                    Token::Word(word)
                }
            });
        }
    }
}

fn is_delimiter(byte: u8) -> bool {
    byte.is_ascii_whitespace()
        || matches!(byte, 0 | b'<' | b'>' | b'[' | b']' | b'(' | b')' | b'{' | b'}' | b'/' | b'%')
}

fn hex(digits: &[u8]) -> Vec<u8> {
    let digits: Vec<u8> =
        digits.iter().filter_map(|&digit| char::from(digit).to_digit(16)).map(|digit| digit as u8).collect();
    digits.chunks(2).map(|pair| pair[0] << 4 | pair.get(1).copied().unwrap_or(0)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(map: &[u8]) -> CMap {
        CMap::parse(map, &mut Entries::of(0))
    }

    #[test]
    fn characters_ranges_and_lengths() {
        let map = parse(
            b"/CIDInit /ProcSet findresource begin % a comment\n1 begincodespacerange <00> <7F> <8000> <FFFF> endcodespacerange\n\
              2 beginbfchar <01> <00660069> <8001> <D83DDE00> endbfchar\n\
              2 beginbfrange <10> <12> <0041> <20> <21> [<0061> <00620063>] endbfrange <</a (b)>>",
        );
        for (code, expected) in [(1, "fi"), (0x8001, "😀"), (0x10, "A"), (0x12, "C"), (0x20, "a"), (0x21, "bc")] {
            assert_eq!(map.get(code).as_deref(), Some(expected), "{code:x}");
        }
        assert_eq!(map.get(0x13), None);
        assert_eq!(map.get(0), None);
        assert_eq!(map.length(b"\x7fab"), Some(1));
        assert_eq!(map.length(b"\x80ab"), Some(2));
        assert_eq!(map.length(b"\x80"), None);
    }

    #[test]
    fn ranges_of_millions_cost_nothing() {
        let map = parse(b"1 beginbfrange <00000000> <FFFFFFFF> <0041> endbfrange 1 beginbfchar <41");
        assert_eq!(map.get(25).as_deref(), Some("Z"));
        assert!(map.codes.is_empty());
    }
}
