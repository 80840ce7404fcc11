//! Code pages of a Rich Text Format document, and decoding of bytes in them.

use encoding_rs::{
    BIG5, EUC_KR, Encoding, GBK, MACINTOSH, SHIFT_JIS, UTF_8, WINDOWS_874, WINDOWS_1250, WINDOWS_1251, WINDOWS_1252,
    WINDOWS_1253, WINDOWS_1254, WINDOWS_1255, WINDOWS_1256, WINDOWS_1257, WINDOWS_1258, X_MAC_CYRILLIC,
};

/// A code page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Charset(&'static Encoding);

/// The `\fcharset` of a font of symbols, whose bytes are not letters.
pub(super) const SYMBOLS: i32 = 2;

/// The encoding of a code page; `None` if it is unknown.
pub(crate) fn encoding(page: i32) -> Option<&'static Encoding> {
    Some(Charset::of_page(page)?.0)
}

impl Default for Charset {
    fn default() -> Self {
        Self(WINDOWS_1252)
    }
}

impl Charset {
    pub(super) const MAC: Self = Self(MACINTOSH);

    /// The code page with this number; `None` if it is unknown.
    pub(super) fn of_page(number: i32) -> Option<Self> {
        let encoding = match number {
            1252 => WINDOWS_1252,
            1250 => WINDOWS_1250,
            1251 => WINDOWS_1251,
            1253 => WINDOWS_1253,
            1254 => WINDOWS_1254,
            1255 => WINDOWS_1255,
            1256 => WINDOWS_1256,
            1257 => WINDOWS_1257,
            1258 => WINDOWS_1258,
            874 => WINDOWS_874,
            866 => encoding_rs::IBM866,
            932 => SHIFT_JIS,
            936 => GBK,
            949 => EUC_KR,
            950 => BIG5,
            10000 => MACINTOSH,
            10007 => X_MAC_CYRILLIC,
            65001 => UTF_8,
            _ => return None,
        };
        Some(Self(encoding))
    }

    /// The code page of a font's `\fcharset`; `None` for the document's.
    pub(super) fn of_font(number: i32) -> Option<Self> {
        let page = match number {
            0 => 1252,
            77 => 10000,
            128 => 932,
            129 => 949,
            134 => 936,
            136 => 950,
            161 => 1253,
            162 => 1254,
            163 => 1258,
            177 => 1255,
            178..=180 => 1256,
            186 => 1257,
            204 => 1251,
            222 => 874,
            238 => 1250,
            _ => return None,
        };
        Self::of_page(page)
    }

    fn is_wide(self) -> bool {
        [SHIFT_JIS, GBK, EUC_KR, BIG5].contains(&self.0)
    }
}

/// Collects bytes and decodes them: the bytes of one character may come in several tokens.
#[derive(Default)]
pub(super) struct Bytes {
    waiting: Vec<u8>,
    /// True if the last byte waiting is the first half of a wide character.
    is_halfway: bool,
    charset: Charset,
    text: String,
    replaced: usize,
}

impl Bytes {
    /// Adds a byte in a code page. (ASCII is decoded at once, as it is the same in all code
    /// pages.)
    pub(super) fn push(&mut self, byte: u8, charset: Charset) {
        if charset != self.charset {
            self.decode();
            self.charset = charset;
        }
        // The second byte of a wide character may look like a letter.
        if byte < 0x80 && !(charset.is_wide() && self.is_halfway) {
            self.decode();
            self.text.push(char::from(byte));
        } else {
            // Half-width Japanese letters are single bytes.
            let is_single = byte < 0x81 || charset.0 == SHIFT_JIS && (0xa1..0xe0).contains(&byte);
            self.is_halfway = !self.is_halfway && !is_single;
            self.waiting.push(byte);
        }
    }

    fn decode(&mut self) {
        if !self.waiting.is_empty() {
            let (text, is_malformed) = self.charset.0.decode_without_bom_handling(&self.waiting);
            if is_malformed {
                self.replaced += text.matches(char::REPLACEMENT_CHARACTER).count();
            }
            self.text.push_str(&text);
        }
        self.waiting.clear();
        self.is_halfway = false;
    }

    /// Takes the characters decoded so far.
    pub(super) fn take(&mut self) -> String {
        self.decode();
        std::mem::take(&mut self.text)
    }

    /// Number of malformed sequences so far.
    pub(super) fn replaced(&self) -> usize {
        self.replaced
    }
}
