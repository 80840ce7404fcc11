//! The tokens of a Rich Text Format document, and the meaning of its control words.

/// A brace, a control word or symbol, or the text between them.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    Open,
    Close,
    /// A control word and its number.
    Word(&'a str, Option<i32>),
    /// A backslash and a character other than a letter.
    Symbol(u8),
    /// A byte as two hex digits, `\'e9`.
    Hex(u8),
    /// Bytes without braces, backslashes and line breaks.
    Text(&'a [u8]),
}

/// Splits a document into tokens.
pub(super) struct Tokens<'a> {
    rest: &'a [u8],
}

impl<'a> Tokens<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    fn take(&mut self, length: usize) -> &'a [u8] {
        let (taken, rest) = self.rest.split_at(length.min(self.rest.len()));
        self.rest = rest;
        taken
    }

    fn take_while(&mut self, is: impl Fn(&u8) -> bool) -> &'a [u8] {
        let length = self.rest.iter().position(|byte| !is(byte)).unwrap_or(self.rest.len());
        self.take(length)
    }

    /// The token after a backslash.
    fn control(&mut self) -> Option<Token<'a>> {
        let word = self.take_while(u8::is_ascii_alphabetic);
        if word.is_empty() {
            return Some(match self.take(1).first()? {
                b'\'' => {
                    let digits = std::str::from_utf8(self.rest.get(..2)?).ok();
                    let byte = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
                    byte.map_or(Token::Symbol(b'\''), |byte| {
                        self.take(2);
                        Token::Hex(byte)
                    })
                }
                &symbol => Token::Symbol(symbol),
            });
        }
        let is_negative = self.rest.first() == Some(&b'-') && self.rest.get(1).is_some_and(u8::is_ascii_digit);
        self.take(usize::from(is_negative));
        let digits = std::str::from_utf8(self.take_while(u8::is_ascii_digit)).unwrap_or_default();
        let number = digits.parse::<i32>().ok().map(|number| if is_negative { -number } else { number });
        // One space after the word belongs to it.
        let has_space = self.rest.first() == Some(&b' ');
        self.take(usize::from(has_space));
        let word = std::str::from_utf8(word).unwrap_or_default();
        if word == "bin" {
            // The number is the length of a picture's raw bytes, which follow.
            self.take(number.and_then(|number| usize::try_from(number).ok()).unwrap_or(0));
        }
        Some(Token::Word(word, number))
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        loop {
            return Some(match self.rest.first()? {
                b'{' => {
                    self.take(1);
                    Token::Open
                }
                b'}' => {
                    self.take(1);
                    Token::Close
                }
                b'\\' => {
                    self.take(1);
                    return self.control();
                }
                b'\r' | b'\n' | 0 => {
                    self.take(1);
                    continue;
                }
                _ => Token::Text(self.take_while(|byte| !matches!(byte, b'{' | b'}' | b'\\' | b'\r' | b'\n' | 0))),
            });
        }
    }
}

/// The kind of content that a group has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Destination {
    #[default]
    Text,
    Note,
    Box,
    /// No text.
    Skipped,
    /// A drawing: no text, but it may contain text boxes.
    Drawing,
    /// The font table, which gives the code page of each font.
    Fonts,
    /// The colour table.
    Colours,
    /// What a field shows, in a language of its own.
    Instruction,
    /// What a field of a form asks for.
    Form,
    /// An entry of its list.
    Entry,
    /// Two groups of the same content, the first for old readers.
    EitherOr,
    /// The second of these groups.
    Unicode,
}

impl Destination {
    /// The destination that a group's first word names; `None` if the word names none.
    /// `is_optional`: readers that do not know the word must skip the group.
    pub(super) fn of(word: &str, is_optional: bool) -> Option<Self> {
        Some(match word {
            "fonttbl" => Self::Fonts,
            "colortbl" => Self::Colours,
            "upr" => Self::EitherOr,
            "ud" => Self::Unicode,
            "fldinst" => Self::Instruction,
            "formfield" => Self::Form,
            "ffl" => Self::Entry,
            "footnote" => Self::Note,
            "shptxt" | "dptxbxtext" => Self::Box,
            // `do` is a drawing of Word 6 and 95; later versions repeat theirs so, in `shprslt`, which is skipped.
            "shp" | "shpinst" | "shpgrp" | "do" => Self::Drawing,
            "stylesheet" | "info" | "pict" | "nonshppict" | "objdata" | "header" | "headerl" | "headerr"
            | "headerf" | "footer" | "footerl" | "footerr" | "footerf" | "listtext" | "pntext" | "mmath"
            | "annotation" | "atnid" | "atnauthor" | "atnref" | "xe" | "tc" | "tcn" | "rxe" | "bkmkstart"
            | "bkmkend" | "shprslt" | "sp" | "nonesttables" | "listtable" | "listoverridetable" | "revtbl"
            | "rsidtbl" | "generator" | "filetbl" | "ftnsep" | "ftnsepc" | "ftncn" | "aftnsep" | "aftnsepc"
            | "aftncn" | "template" | "themedata" | "datastore" | "latentstyles" | "falt" | "panose" | "private"
            | "txe" => Self::Skipped,
            _ if is_optional => Self::Skipped,
            _ => return None,
        })
    }
}

/// The character that a control word stands for; empty if none.
pub(super) fn character(word: &str) -> &'static str {
    match word {
        "emdash" => "—",
        "endash" => "–",
        "bullet" => "•",
        "lquote" => "‘",
        "rquote" => "’",
        "ldblquote" => "“",
        "rdblquote" => "”",
        "emspace" | "enspace" | "qmspace" => " ",
        "zwj" => "\u{200d}",
        "zwnj" => "\u{200c}",
        _ => "",
    }
}
