//! Estimates the memory that the objects of a PDF take, before they are created.
//!
//! Cost: linear in the bytes, and in the estimate where objects share bytes; both stop at
//! the limit.

use std::io::Read as _;

use flate2::read::ZlibDecoder;
use lopdf::content::Content;
use lopdf::{Dictionary, Object, Stream};

use super::super::streams;
use super::places::Places;
use super::{Left, is_white, places};

/// Memory for a number, a name, a string or the like in bytes, including the spare capacity
/// of a list. Strings and names also take their length.
const VALUE: usize = 192;

/// Memory for a list without its values, in bytes: even an empty list has room for four.
const LIST: usize = 768;
/// Memory for a dictionary without its entries, in bytes.
const DICTIONARY: usize = 256;

/// Memory for each byte of a cross-reference stream, in bytes: an entry has at least three.
const PLACE: usize = 16;

/// True if all objects of a file take at most `limit` bytes, including those in its object
/// streams, which are unpacked to at most `most_unpacked` bytes each.
pub(in super::super) fn objects(bytes: &[u8], limit: usize, most_unpacked: usize) -> bool {
    let mut left = Left::new(limit);
    let mut fits = || {
        let mut found = Places::of(bytes, &mut left)?;
        for at in places(bytes, b"obj").map(|at| at + 3) {
            let before = left.0;
            object(bytes, at, most_unpacked, &mut found, &mut left)?;
            found.costs.push((at, before.saturating_sub(left.0)));
        }
        for at in places(bytes, b"trailer").map(|at| at + 7) {
            Values::new(&bytes[at..]).one(&mut left)?;
        }
        found.take_repeated(bytes, &mut left)
    };
    fits().is_some()
}

/// Takes the cost of the object at a place in the file, and of those in it if it is an object
/// stream.
fn object(file: &[u8], at: usize, most_unpacked: usize, found: &mut Places, left: &mut Left) -> Option<()> {
    let mut values = Values::new(&file[at..]);
    values.one(left)?;
    let end = file.len() - values.rest.len();
    values.skip_blanks(left)?;
    let Some(content) = values.rest.strip_prefix(b"stream") else { return Some(()) };
    let content = content.strip_prefix(b"\r").unwrap_or(content);
    let content = content.strip_prefix(b"\n").unwrap_or(content);
    let Some(dictionary) = dictionary(&file[at..end]) else { return Some(()) };
    left.take(found.length(&dictionary, content))?;
    if !dictionary.has(b"First") && !dictionary.has(b"W") && !dictionary.has_type(b"ObjStm") {
        return Some(());
    }
    let unpacked = unpacked(dictionary, content, most_unpacked, left)?;
    let Unpacked { dictionary, bytes } = unpacked;
    if dictionary.has(b"W") {
        left.take(PLACE * bytes.len())?;
        found.packed(&dictionary, &bytes);
    }
    let first = dictionary.get(b"First").and_then(Object::as_i64).ok().and_then(|first| usize::try_from(first).ok());
    let index = first.and_then(|first| bytes.get(..first)).and_then(|index| std::str::from_utf8(index).ok());
    let (Some(first), Some(index)) = (first, index) else { return Some(()) };
    let numbers = index.split(['\r', '\n']).flat_map(|line| line.split('%').next().unwrap_or("").split_whitespace());
    for offset in numbers.skip(1).step_by(2) {
        let place = offset.parse::<u32>().ok().and_then(|offset| first.checked_add(offset as usize));
        left.take(VALUE)?;
        if let Some(rest) = place.and_then(|place| bytes.get(place..)) {
            Values::new(rest).one(left)?;
        }
    }
    Some(())
}

/// Parses a dictionary from its bytes in the file.
fn dictionary(bytes: &[u8]) -> Option<Dictionary> {
    // It is parsed as the operand of an operator `x`.
    let operation = [bytes, b" x"].concat();
    match Content::decode_iter(&operation).next()?.ok()?.operands.pop()? {
        Object::Dictionary(dictionary) => Some(dictionary),
        _ => None,
    }
}

struct Unpacked {
    dictionary: Dictionary,
    bytes: Vec<u8>,
}

/// The unpacked content of the stream that begins `rest`; `None` if the limit is exceeded, or
/// plain Deflate gives more than `most` bytes. Other content that cannot be unpacked is cut or
/// left out here, and refused elsewhere.
fn unpacked(dictionary: Dictionary, rest: &[u8], most: usize, left: &mut Left) -> Option<Unpacked> {
    let is_plain_flate = matches!(dictionary.get(b"Filter"), Ok(Object::Name(name)) if name == b"FlateDecode");
    let mut bytes = Vec::new();
    if is_plain_flate && !dictionary.has(b"DecodeParms") {
        // Such a stream marks its own end, whatever its `Length`.
        let _ = ZlibDecoder::new(rest).take(most as u64 + 1).read_to_end(&mut bytes);
        left.take(bytes.len())?;
        return (bytes.len() <= most).then_some(Unpacked { dictionary, bytes });
    }
    let said = dictionary.get(b"Length").and_then(Object::as_i64).ok().and_then(|length| usize::try_from(length).ok());
    let end = match said {
        Some(length) if length <= rest.len() => {
            let end = places(rest, b"endstream").next();
            left.take(end.unwrap_or(rest.len()))?;
            length.max(end.unwrap_or(0))
        }
        // The length is a reference, and may be anything.
        _ => rest.len(),
    };
    left.take(end)?;
    let stream = Stream::new(dictionary, rest[..end].to_vec());
    left.take(streams::between(&stream))?;
    match stream.get_plain_content_with_limit(most) {
        Ok(unpacked) => bytes = unpacked,
        // It was unpacked up to the error.
        Err(_) => left.take(streams::at_most(&stream).min(most))?,
    }
    left.take(bytes.len())?;
    Some(Unpacked { dictionary: stream.dict, bytes })
}

/// True if the operands of each operator of a drawing take at most `limit` bytes.
pub(in super::super) fn operands(content: &[u8], limit: usize) -> bool {
    // No byte costs more than a list.
    if content.len() <= limit / LIST {
        return true;
    }
    let mut values = Values::new(content);
    let mut left = Left::new(limit);
    loop {
        if values.skip_blanks(&mut left).is_none() {
            return false;
        }
        match values.token(&mut left) {
            None => return false,
            Some(Token::End) => return true,
            // The bytes of a picture follow; only the library knows where they end.
            Some(Token::Word(b"ID")) => return scattered(values.rest, limit),
            Some(Token::Word(_)) => left = Left::new(limit),
            Some(Token::Open) => {
                values.nested(&mut left, 1);
                if left.0 == 0 {
                    return false;
                }
            }
            Some(Token::Close | Token::Value) => {}
        }
    }
}

/// True if these bytes take at most `limit` bytes in total, whichever of them are strings.
fn scattered(bytes: &[u8], limit: usize) -> bool {
    let mut left = Left::new(limit);
    let mut is_in_word = false;
    bytes.iter().all(|&byte| {
        let begins = !is_regular(byte) || !is_in_word;
        is_in_word = is_regular(byte);
        let cost = match byte {
            b'[' => LIST,
            _ if begins && !is_white(byte) => VALUE,
            _ => 1,
        };
        left.take(cost).is_some()
    })
}

enum Token<'a> {
    Open,
    Close,
    /// A value without values in it.
    Value,
    /// A word that is not a value.
    Word(&'a [u8]),
    /// The end, or a malformed token.
    End,
}

struct Values<'a> {
    rest: &'a [u8],
    /// Number of consecutive numbers just before `rest`.
    numbers: usize,
}

impl<'a> Values<'a> {
    fn new(rest: &'a [u8]) -> Self {
        Self { rest, numbers: 0 }
    }

    /// Skips blanks and comments. They cost their length, as many objects may share one comment.
    fn skip_blanks(&mut self, left: &mut Left) -> Option<()> {
        let mut cursor = super::Cursor(self.rest);
        cursor.skip_blanks();
        left.take(self.rest.len() - cursor.0.len())?;
        self.rest = cursor.0;
        Some(())
    }

    /// Skips one value with everything in it, and takes its cost.
    fn one(&mut self, left: &mut Left) -> Option<()> {
        self.skip_blanks(left)?;
        match self.token(left)? {
            Token::Open => self.nested(left, 1),
            _ => Some(()),
        }
    }

    /// Skips values until `depth` lists and dictionaries are closed, or up to a word, which
    /// ends them all.
    fn nested(&mut self, left: &mut Left, mut depth: usize) -> Option<()> {
        while depth > 0 {
            let fits = self.skip_blanks(left).and_then(|()| self.token(left));
            if fits.is_none() {
                left.0 = 0;
            }
            match fits? {
                Token::Open => depth += 1,
                Token::Close => depth -= 1,
                Token::Value => {}
                Token::Word(_) | Token::End => return Some(()),
            }
        }
        Some(())
    }

    fn token(&mut self, left: &mut Left) -> Option<Token<'a>> {
        let rest = self.rest;
        let Some(first) = rest.first() else { return Some(Token::End) };
        let (length, cost, token) = match first {
            b'[' => (1, LIST, Token::Open),
            b'<' if rest.get(1) == Some(&b'<') => (2, DICTIONARY, Token::Open),
            b']' => (1, 0, Token::Close),
            b'>' if rest.get(1) == Some(&b'>') => (2, 0, Token::Close),
            b'<' => {
                let length = rest.iter().position(|&byte| byte == b'>').map_or(rest.len(), |end| end + 1);
                (length, VALUE + length, Token::Value)
            }
            b'(' => {
                let length = string(rest);
                (length, VALUE + length, Token::Value)
            }
            b'/' => {
                let length = 1 + rest[1..].iter().take_while(|&&byte| is_regular(byte)).count();
                (length, VALUE + length, Token::Value)
            }
            b'0'..=b'9' | b'+' | b'-' | b'.' => {
                // The library reads `1-2` as two numbers, and `1.2.3` too.
                let is_in_number = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'.' | b'-');
                let length = 1 + rest[1..].iter().take_while(|&byte| is_in_number(byte)).count();
                let marks = rest[1..length].iter().filter(|byte| !byte.is_ascii_digit()).count();
                (length, VALUE * marks.max(1), Token::Value)
            }
            // `12 0 R` is one value, but its numbers were counted as two.
            b'R' if self.numbers >= 2 => {
                left.0 += VALUE;
                (1, 0, Token::Value)
            }
            _ => {
                let value = [&b"true"[..], b"false", b"null"].into_iter().find(|word| rest.starts_with(word));
                let length =
                    value.map_or_else(|| rest.iter().take_while(|&&byte| is_regular(byte)).count(), <[u8]>::len);
                match value {
                    Some(_) => (length, VALUE, Token::Value),
                    None if length == 0 => return Some(Token::End),
                    None => (length, 0, Token::Word(&rest[..length])),
                }
            }
        };
        left.take(cost)?;
        self.numbers = if first.is_ascii_digit() { self.numbers + 1 } else { 0 };
        self.rest = &rest[length..];
        Some(token)
    }
}

/// The length of a string with its parentheses.
fn string(bytes: &[u8]) -> usize {
    let (mut depth, mut at) = (0usize, 0);
    while let Some(byte) = bytes.get(at) {
        at += 1;
        match byte {
            b'(' => depth += 1,
            b')' if depth <= 1 => return at,
            b')' => depth -= 1,
            b'\\' => at += 1,
            _ => {}
        }
    }
    bytes.len()
}

fn is_regular(byte: u8) -> bool {
    !is_white(byte) && !matches!(byte, b'(' | b')' | b'<' | b'>' | b'[' | b']' | b'{' | b'}' | b'/' | b'%')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_numbers_and_strings_are_counted_wherever_they_are() {
        let many = |one: &str| format!("1 0 obj [{}] endobj", one.repeat(1000));
        for (one, least, most) in [
            ("[]", 700_000, 800_000),
            ("1 ", 150_000, 250_000),
            ("1 0 R ", 150_000, 250_000),
            ("R ", 0, 3000),
            ("(])[", 900_000, 1_000_000),
            ("% [[[[\n", 0, 10_000),
            ("<<>>", 200_000, 300_000),
        ] {
            let file = many(one);
            assert!(objects(file.as_bytes(), most, 100), "{one}");
            assert!(least == 0 || !objects(file.as_bytes(), least, 100), "{one}");
        }
        // The content of a drawing is not an object.
        let drawn = format!("1 0 obj <</Length 9>> stream {} endstream endobj", "[]".repeat(1000));
        assert!(objects(drawn.as_bytes(), 10_000, 100));
    }

    #[test]
    fn objects_in_streams_are_counted_as_often_as_they_are_named() {
        let list = format!("[{}]", "1 ".repeat(1000));
        let file = |times: usize, length: &str| {
            let index = "7 0 ".repeat(times);
            let first = index.len();
            format!("1 0 obj <</First {first} /Length {length}>> stream\n{index}{list}endstream endobj")
        };
        for length in ["2200", "9 0 R", "3"] {
            assert!(objects(file(2, length).as_bytes(), 500_000, 100_000), "{length}");
            assert!(!objects(file(20, length).as_bytes(), 500_000, 100_000), "{length}");
        }
    }

    #[test]
    fn comments_lengths_and_what_swells_are_counted_as_often_as_they_are_gone_over() {
        // Many objects share one comment.
        let comment = format!("{}{}", "1 0 obj%\n".repeat(10), "%".repeat(1000));
        assert!(objects(comment.as_bytes(), 50_000, 100));
        let shared = format!("{}{}", "1 0 obj%".repeat(1000), "%".repeat(1000));
        assert!(!objects(shared.as_bytes(), 1_000_000, 100));
        // Nested streams, with direct lengths and with references.
        for length in ["4000", "9 0 R"] {
            let nested =
                format!("1 0 obj <</Length {length}>> stream\n").repeat(300) + " endstream 9 0 obj 4000 endobj";
            assert!(!objects(nested.as_bytes(), 900_000, 100), "{length}");
            assert!(objects(nested.as_bytes(), 2_000_000, 100), "{length}");
        }
        let swelling = "1 0 obj <</First 1 /Length 9 /Filter /BrotliDecode>> stream\n123456789\nendstream ";
        assert!(!objects(swelling.repeat(10).as_bytes(), 500_000, 100_000));
        assert!(objects(swelling.as_bytes(), 500_000, 100_000));
    }

    #[test]
    fn only_the_operands_of_one_operator_are_counted_together() {
        let limit = 1000 * VALUE;
        let lines = "1 2 m (a [[[ b) Tj [1 (x) 2] TJ true gs\n".repeat(1000);
        assert!(operands(lines.as_bytes(), limit));
        for one in ["1 ", "null ", "(f)", "<ab>", "/f "] {
            assert!(!operands(format!("[{}] TJ", one.repeat(1500)).as_bytes(), limit / 2), "{one}");
            assert!(!operands(format!("{lines}{}", one.repeat(1500)).as_bytes(), limit), "{one}");
        }
        assert!(!operands(format!("BI /W 1 ID ( EI [{}] TJ", "f ".repeat(2500)).as_bytes(), limit));
    }
}
