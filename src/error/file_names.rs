//! File names as they are displayed, and the way back.

use std::path::{Path, PathBuf};

/// A file's name as displayed and used in ids: bytes that are not valid UTF-8, and characters that control a terminal, a
/// line or the direction of text, are written as `\xE9`. Different names stay different: a backslash that would read as the
/// start of such an escape is written as `\x5C`. So a name from a list leads back to its file ([`unshown`]).
pub fn shown(path: &Path) -> String {
    shown_bytes(path.as_os_str().as_encoded_bytes())
}

/// The same for the bytes of a name.
pub fn shown_bytes(path: &[u8]) -> String {
    let mut name = String::new();
    let digit = |value: u8| char::from(b"0123456789ABCDEF"[usize::from(value)]);
    let escape = |name: &mut String, bytes: &[u8]| {
        name.extend(bytes.iter().flat_map(|byte| ['\\', 'x', digit(byte >> 4), digit(byte & 15)]));
    };
    for chunk in path.utf8_chunks() {
        for (at, c) in chunk.valid().char_indices() {
            let after = &chunk.valid().as_bytes()[at + c.len_utf8()..];
            if is_commanding(c) || c == '\\' && escaped(after).is_some() {
                escape(&mut name, c.encode_utf8(&mut [0; 4]).as_bytes());
            } else {
                name.push(c);
            }
        }
        escape(&mut name, chunk.invalid());
    }
    name
}

/// True for what would act on the text around it instead of being seen: controls, directional embeddings, overrides and
/// isolates, line and paragraph separators, and non-characters. The plain marks of direction, as in names in Arabic, stay.
fn is_commanding(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{2028}' | '\u{2029}' | '\u{fdd0}'..='\u{fdef}')
        || c.is_control()
        || u32::from(c) & 0xfffe == 0xfffe
}

/// The displayed names of several files, separated by commas.
pub fn all_shown(paths: &[PathBuf]) -> String {
    paths.iter().map(|path| shown(path)).collect::<Vec<_>>().join(", ")
}

/// The bytes of a name that [`shown`] escaped.
pub fn unshown(name: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(name.len());
    let mut rest = name.as_bytes();
    while let [first, after @ ..] = rest {
        let byte = if *first == b'\\' { escaped(after) } else { None };
        bytes.push(byte.unwrap_or(*first));
        rest = if byte.is_some() { &after[3..] } else { after };
    }
    bytes
}

/// The byte that `x` and two upper-case hex digits encode; `after` follows a backslash.
fn escaped(after: &[u8]) -> Option<u8> {
    let [b'x', high, low, ..] = after else { return None };
    let digit = |digit: u8| char::from(digit).to_digit(16).filter(|_| !digit.is_ascii_lowercase());
    Some((digit(*high)? * 16 + digit(*low)?) as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn names_that_differ_are_shown_so_and_found_again() {
        use std::ffi::OsStr;
        use std::os::unix::ffi::OsStrExt;
        for (name, expected) in [
            (&b"in/a.txt"[..], "in/a.txt"),
            ("in/größe 潮.txt".as_bytes(), "in/größe 潮.txt"),
            (b"caf\xe9", "caf\\xE9"),
            (b"caf\xe8", "caf\\xE8"),
            (b"caf\\xE9", "caf\\x5CxE9"),
            (b"caf\\xe9 \\x5 \\\\", "caf\\xe9 \\x5 \\\\"),
            (b"\x1b[2J\n", "\\x1B[2J\\x0A"),
            (b"\xc2\x9b1m", "\\xC2\\x9B1m"),
            ("rtl\u{202e}\u{2067}.txt".as_bytes(), "rtl\\xE2\\x80\\xAE\\xE2\\x81\\xA7.txt"),
            ("\u{200f}\u{2028}\u{ffff}".as_bytes(), "\u{200f}\\xE2\\x80\\xA8\\xEF\\xBF\\xBF"),
            (b"\\\xff", "\\\\xFF"),
            (b"\\\\x41", "\\\\x5Cx41"),
        ] {
            assert_eq!(shown(Path::new(OsStr::from_bytes(name))), expected);
            assert_eq!(unshown(expected), name, "{expected}");
        }
    }

    #[cfg(unix)]
    proptest::proptest! {
        #[test]
        fn any_name_is_found_again(name in "(\\\\|x|[0-9A-Fa-f\u{202e}\u{2066}]|\\PC){0,12}", bytes in proptest::collection::vec(proptest::prelude::any::<u8>(), 0..8)) {
            use std::os::unix::ffi::OsStrExt;
            let name = [name.as_bytes(), &bytes, b"x41"].concat();
            let path = Path::new(std::ffi::OsStr::from_bytes(&name));
            proptest::prop_assert_eq!(unshown(&shown(path)), name);
        }
    }
}
