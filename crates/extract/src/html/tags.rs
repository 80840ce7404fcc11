//! Reads a page tag by tag: texts and tags, in their order.
//!
//! `html5gum` finds them by the rules of the HTML standard, section 13.2.5 (tokenization). Its buffers are
//! reused here, so that a tag costs no allocation. Cost: linear in the page.

use std::convert::Infallible;
use std::ops::Range;

use html5gum::{Emitter, Error, State, Tokenizer};

/// The attributes that a page's shape and its date are read from; others are passed over.
const READ: [&str; 16] = [
    "background",
    "bgcolor",
    "class",
    "color",
    "content",
    "hidden",
    "href",
    "http-equiv",
    "id",
    "itemprop",
    "name",
    "property",
    "rel",
    "role",
    "shadowrootmode",
    "style",
];

/// A tag.
#[derive(Debug, Default)]
pub(super) struct Tag {
    /// Its name, in lower case.
    pub(super) name: String,
    pub(super) is_end: bool,
    pub(super) closes_itself: bool,
    /// The attributes of [`READ`] that a start tag has: place there, and value in `values`.
    attributes: Vec<(usize, Range<usize>)>,
    values: String,
}

impl Tag {
    /// The value of an attribute of [`READ`]; of several with this name the first.
    pub(super) fn value(&self, attribute: &str) -> Option<&str> {
        let found = self.attributes.iter().find(|(name, _)| READ[*name] == attribute)?;
        Some(&self.values[found.1.clone()])
    }
}

/// The declarations of a `style` attribute: property and value.
pub(super) fn declarations(style: &str) -> impl Iterator<Item = (&str, &str)> {
    let declarations = style.split(';').filter_map(|declaration| declaration.split_once(':'));
    declarations.map(|(property, value)| (property.trim(), value.trim()))
}

/// The kind of text after a start tag, up to the end tag of its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Raw {
    /// Text with character references.
    Escaped,
    /// Text as it is.
    Plain,
    /// A script.
    Script,
}

/// A consumer of texts and tags.
pub(super) trait Page {
    /// Receives the text up to the next tag; a comment does not divide it.
    fn text(&mut self, text: &str);
    /// Receives a tag. Returns the kind of the text in it if that has no tags.
    fn tag(&mut self, tag: &Tag) -> Option<Raw>;
}

/// The place of an attribute in [`READ`].
fn place_of(attribute: &[u8]) -> Option<usize> {
    READ.iter().position(|name| name.as_bytes() == attribute)
}

/// A piece of a page's source as text; its ends are those of characters.
fn utf8(bytes: &[u8]) -> &str {
    simdutf8::basic::from_utf8(bytes).expect("pieces of a text between ASCII characters")
}

/// Reads a page's source.
pub(super) fn read(html: &str, page: &mut impl Page) {
    // A byte order mark is no text.
    let html = html.strip_prefix('\u{feff}').unwrap_or(html);
    let Ok(()) = Tokenizer::new_with_emitter(html, Reader::new(page)).finish();
}

struct Reader<'a, P> {
    page: &'a mut P,
    tag: Tag,
    /// The name of the last start tag.
    last_start: String,
    /// All in UTF-8: the text since the last tag, and what has been read of a tag's name and of an attribute.
    text: Vec<u8>,
    name: Vec<u8>,
    attribute: Vec<u8>,
    value: Vec<u8>,
}

impl<'a, P: Page> Reader<'a, P> {
    fn new(page: &'a mut P) -> Self {
        let (last_start, text, name, attribute, value) = Default::default();
        Self { page, tag: Tag::default(), last_start, text, name, attribute, value }
    }

    fn end_text(&mut self) {
        // The standard leaves zero bytes out of a page's text.
        if memchr::memchr(0, &self.text).is_some() {
            self.text.retain(|&byte| byte != 0);
        }
        if !self.text.is_empty() {
            self.page.text(utf8(&self.text));
            self.text.clear();
        }
    }

    fn end_attribute(&mut self) {
        if let Some(place) = place_of(&self.attribute) {
            let start = self.tag.values.len();
            self.tag.values.push_str(utf8(&self.value));
            self.tag.attributes.push((place, start..self.tag.values.len()));
        }
        self.attribute.clear();
        self.value.clear();
    }

    fn begin_tag(&mut self, is_end: bool) {
        self.name.clear();
        self.attribute.clear();
        self.value.clear();
        self.tag.name.clear();
        self.tag.attributes.clear();
        self.tag.values.clear();
        self.tag.is_end = is_end;
        self.tag.closes_itself = false;
    }
}

impl<P: Page> Emitter for Reader<'_, P> {
    /// Nothing is yielded: the page receives all.
    type Token = Infallible;

    fn set_last_start_tag(&mut self, name: Option<&[u8]>) {
        utf8(name.unwrap_or_default()).clone_into(&mut self.last_start);
    }

    fn emit_eof(&mut self) {
        self.end_text();
    }

    fn emit_error(&mut self, _: Error) {}

    #[inline]
    fn should_emit_errors(&mut self) -> bool {
        false
    }

    #[inline]
    fn pop_token(&mut self) -> Option<Self::Token> {
        None
    }

    fn emit_string(&mut self, text: &[u8]) {
        self.text.extend_from_slice(text);
    }

    fn init_start_tag(&mut self) {
        self.begin_tag(false);
    }

    fn init_end_tag(&mut self) {
        self.begin_tag(true);
    }

    fn emit_current_tag(&mut self) -> Option<State> {
        self.end_text();
        self.end_attribute();
        self.tag.name.push_str(utf8(&self.name));
        if !self.tag.is_end {
            self.last_start.clone_from(&self.tag.name);
        }
        Some(match self.page.tag(&self.tag)? {
            Raw::Escaped => State::RcData,
            Raw::Plain => State::RawText,
            Raw::Script => State::ScriptData,
        })
    }

    fn set_self_closing(&mut self) {
        self.tag.closes_itself = true;
    }

    fn push_tag_name(&mut self, name: &[u8]) {
        self.name.extend_from_slice(name);
    }

    fn init_attribute(&mut self) {
        self.end_attribute();
    }

    fn push_attribute_name(&mut self, name: &[u8]) {
        self.attribute.extend_from_slice(name);
    }

    fn push_attribute_value(&mut self, value: &[u8]) {
        self.value.extend_from_slice(value);
    }

    fn current_is_appropriate_end_tag_token(&mut self) -> bool {
        self.tag.is_end && !self.last_start.is_empty() && self.name == self.last_start.as_bytes()
    }

    // Comments and the document type are no text.
    fn init_comment(&mut self) {}
    fn push_comment(&mut self, _: &[u8]) {}
    fn emit_current_comment(&mut self) {}
    fn init_doctype(&mut self) {}
    fn push_doctype_name(&mut self, _: &[u8]) {}
    fn set_force_quirks(&mut self) {}
    fn set_doctype_public_identifier(&mut self, _: &[u8]) {}
    fn set_doctype_system_identifier(&mut self, _: &[u8]) {}
    fn push_doctype_public_identifier(&mut self, _: &[u8]) {}
    fn push_doctype_system_identifier(&mut self, _: &[u8]) {}
    fn emit_current_doctype(&mut self) {}
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use html5ever::tendril::StrTendril;
    use html5ever::tokenizer::states::RawKind;
    use html5ever::tokenizer::{BufferQueue, TagKind, Token, TokenSink, TokenSinkResult, TokenizerOpts};
    use proptest::prelude::*;

    use super::*;

    /// All that a page received, a text or tag each.
    #[derive(Default)]
    struct Seen {
        seen: Vec<String>,
        was_text: bool,
    }

    impl Page for Seen {
        fn text(&mut self, text: &str) {
            match self.seen.last_mut().filter(|_| self.was_text) {
                Some(last) => last.push_str(text),
                None => self.seen.push(text.to_owned()),
            }
            self.was_text = true;
        }

        fn tag(&mut self, tag: &Tag) -> Option<Raw> {
            self.was_text = false;
            // An end tag has no attributes that count.
            let values = READ.iter().map(|name| tag.value(name).filter(|_| !tag.is_end)).collect::<Vec<_>>();
            let closes_itself = tag.closes_itself && !tag.is_end;
            self.seen.push(format!("{} {} {closes_itself} {values:?}", tag.name, tag.is_end));
            match &*tag.name {
                _ if tag.is_end => None,
                "script" => Some(Raw::Script),
                "style" => Some(Raw::Plain),
                "title" => Some(Raw::Escaped),
                _ => None,
            }
        }
    }

    /// The plain twin: the tokenizer of `html5ever`.
    struct Twin(RefCell<Seen>);

    impl TokenSink for Twin {
        type Handle = ();

        fn process_token(&self, token: Token, _line: u64) -> TokenSinkResult<()> {
            let mut seen = self.0.borrow_mut();
            match token {
                Token::CharacterTokens(text) => seen.text(&text),
                Token::TagToken(tag) => {
                    let mut values = String::new();
                    let mut attributes = Vec::new();
                    for attribute in &tag.attrs {
                        if let Some(place) = READ.iter().position(|name| *name == &*attribute.name.local) {
                            let start = values.len();
                            values.push_str(&attribute.value);
                            attributes.push((place, start..values.len()));
                        }
                    }
                    let (name, closes_itself) = (tag.name.to_string(), tag.self_closing);
                    let is_end = tag.kind == TagKind::EndTag;
                    return match seen.tag(&Tag { name, is_end, closes_itself, attributes, values }) {
                        Some(Raw::Script) => TokenSinkResult::RawData(RawKind::ScriptData),
                        Some(Raw::Plain) => TokenSinkResult::RawData(RawKind::Rawtext),
                        Some(Raw::Escaped) => TokenSinkResult::RawData(RawKind::Rcdata),
                        None => TokenSinkResult::Continue,
                    };
                }
                _ => {}
            }
            TokenSinkResult::Continue
        }
    }

    fn both(html: &str) -> [Vec<String>; 2] {
        let mut page = Seen::default();
        read(html, &mut page);
        let input = BufferQueue::default();
        input.push_back(StrTendril::from_slice(html));
        let twin = html5ever::tokenizer::Tokenizer::new(Twin(RefCell::default()), TokenizerOpts::default());
        while !input.is_empty() {
            let _ = twin.feed(&input);
        }
        twin.end();
        [page.seen, twin.sink.0.into_inner().seen]
    }

    proptest! {
        #[test]
        fn texts_and_tags_are_those_of_html5ever(parts in prop::collection::vec(prop_oneof![
            "</?(div|P|a|svg|script|STYLE|title|é|x\0y)( ?/?(id|CLASS|hidden|style|href|é)( ?= ?('[a-z &;]{0,9}'|\"[^\"]{0,6}\"?|[a-z/&]{0,5}))?){0,3}/?>?",
            "[a-z ,.<>é\u{3042}]{0,20}",
            "(&(amp|lt|notit|copy|#[0-9]{0,4}|#x[0-9a-f]{0,6}|[a-z]{0,4});?|<!--|--!?>|<!-->|<!\\[CDATA\\[|\\]\\]>|<!doctype [a-z\"'>]{0,6}|<\\?|</ |\0|\r\n?|\u{feff})",
        ], 0..30)) {
            let [ours, twin] = both(&parts.concat());
            prop_assert_eq!(ours, twin);
        }
    }

    #[test]
    fn pages_of_the_project_read_alike() {
        for page in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/web")).unwrap() {
            let page = page.unwrap().path();
            let [ours, twin] = both(&std::fs::read_to_string(&page).unwrap());
            assert!(ours == twin && ours.len() > 100, "{}", page.display());
        }
    }
}
