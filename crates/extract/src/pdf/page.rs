//! Turns a page's drawing into glyphs and their places.
//!
//! Only operators that move or show text are followed: the matrices, the text state, forms
//! (drawings that a page calls by name), and marked content, which gives the true text of a
//! run of glyphs (`ActualText`) or marks it as no content (`Artifact`).
//!
//! Source: ISO 32000-1, 8.3, 8.4, 8.10, 9.3, 9.4, 14.6.

use std::collections::HashMap;
use std::rc::Rc;

use lopdf::content::{Content, Operation};
use lopdf::{Dictionary, Document, Object};

use super::entries::Entries;
use super::fonts::{Font, Glyphs};
use super::layout::{GlyphBox, Layout};
use super::unseen::{Ink, Paper};
use super::{
    Allowance, FORM, MAX_OPERANDS, NODE, OPERATION, Resources, dictionary, entry, name, number, opening_cost, stream,
};
use crate::Refusal;
use crate::hidden::{Hidden, visible_characters};

/// Maximum depth of forms in forms: word processors make one or two levels.
const MAX_FORMS: usize = 12;

/// Maximum depth of saved graphics states; the standard requires 28.
const MAX_STATES: usize = 1000;

/// The fonts read so far, by the addresses of their dictionaries, and the entries still allowed.
pub(super) struct Fonts {
    known: HashMap<*const Dictionary, Rc<Font>>,
    glyphs: Glyphs,
    entries: Entries,
}

impl Fonts {
    /// The fonts of a file of this many bytes, none of which is read yet.
    pub(super) fn of(bytes: usize) -> Self {
        Self { known: HashMap::new(), glyphs: Glyphs::default(), entries: Entries::of(bytes) }
    }
}

/// Reads a page into a layout.
pub(super) fn read(
    document: &Document,
    page: &super::Page<'_>,
    fonts: &mut Fonts,
    allowance: &mut Allowance,
    layout: &mut Layout,
    hidden: &mut Hidden,
) -> Result<(), Refusal> {
    let mut content = Vec::new();
    let parts = document.get_page_contents(page.id);
    // Pages may share their parts.
    allowance.take(NODE.saturating_mul(parts.len()))?;
    for part in parts {
        if let Some(Object::Stream(stream)) = document.objects.get(&part) {
            // A stream that cannot be unpacked costs its page only.
            content.extend(allowance.unpack(stream, usize::MAX)?.unwrap_or_default());
            content.push(b'\n');
        }
    }
    let text = TextState { scale: 1.0, ..TextState::default() };
    let state = State { ctm: UNIT, text, ink: Ink::default() };
    let mut reader = Reader {
        document,
        fonts,
        allowance,
        layout,
        state,
        saved: Vec::new(),
        line: UNIT,
        matrix: UNIT,
        marks: Vec::new(),
        artifacts: 0,
        actual: None,
        forms: Vec::new(),
        paper: Paper::of(page.area),
        hidden,
    };
    reader.run(&content, page.resources)
}

/// A transformation `[a b c d e f]` of the plane.
type Matrix = [f32; 6];

const UNIT: Matrix = [1.0, 0.0, 0.0, 1.0, 0.0, 0.0];

/// First `a`, then `b`.
fn then(a: &Matrix, b: &Matrix) -> Matrix {
    [
        a[0] * b[0] + a[1] * b[2],
        a[0] * b[1] + a[1] * b[3],
        a[2] * b[0] + a[3] * b[2],
        a[2] * b[1] + a[3] * b[3],
        a[4] * b[0] + a[5] * b[2] + b[4],
        a[4] * b[1] + a[5] * b[3] + b[5],
    ]
}

#[derive(Clone)]
struct State {
    /// From the current coordinates to those of the page.
    ctm: Matrix,
    text: TextState,
    ink: Ink,
}

#[derive(Clone, Default)]
struct TextState {
    font: Option<Rc<Font>>,
    size: f32,
    character_spacing: f32,
    word_spacing: f32,
    scale: f32,
    leading: f32,
    rise: f32,
}

/// The kind of a run of marked content.
enum Mark {
    Artifact,
    /// It has the `ActualText` in use.
    Actual,
    Other,
}

/// A text that replaces glyphs, and their place.
struct Actual {
    text: String,
    place: Option<GlyphBox>,
}

struct Reader<'a, 'b> {
    document: &'a Document,
    fonts: &'b mut Fonts,
    allowance: &'b mut Allowance,
    layout: &'b mut Layout,
    state: State,
    saved: Vec<State>,
    /// The text line matrix, and the text matrix, which places the next glyph.
    line: Matrix,
    matrix: Matrix,
    marks: Vec<Mark>,
    artifacts: usize,
    actual: Option<Actual>,
    /// The forms being drawn, by the addresses of their dictionaries.
    forms: Vec<*const Dictionary>,
    paper: Paper,
    hidden: &'b mut Hidden,
}

impl<'a> Reader<'a, '_> {
    fn run(&mut self, content: &[u8], resources: Resources<'a>) -> Result<(), Refusal> {
        if !opening_cost::operands(content, MAX_OPERANDS) {
            return Err(Refusal::TooLarge);
        }
        // A parse error ends the content; the operations before it count.
        for operation in Content::decode_iter(content).map_while(Result::ok) {
            self.allowance.take(OPERATION)?;
            self.operation(&operation, resources)?;
        }
        Ok(())
    }

    fn operation(&mut self, operation: &Operation, resources: Resources<'a>) -> Result<(), Refusal> {
        let operands = &operation.operands;
        let numbers = || -> Vec<f32> { operands.iter().map(|object| object.as_float().unwrap_or(0.0)).collect() };
        let first = || operands.first().and_then(|object| object.as_float().ok()).unwrap_or(0.0);
        match operation.operator.as_str() {
            "q" if self.saved.len() < MAX_STATES => self.saved.push(self.state.clone()),
            "Q" => self.state = self.saved.pop().unwrap_or_else(|| self.state.clone()),
            "cm" => {
                if let Ok(matrix) = <Matrix>::try_from(numbers()) {
                    self.state.ctm = then(&matrix, &self.state.ctm);
                }
            }
            "l" | "c" | "v" | "y" => self.layout.stroke(),
            "BI" => self.picture(),
            "BT" => (self.line, self.matrix) = (UNIT, UNIT),
            "Tc" => self.state.text.character_spacing = first(),
            "Tw" => self.state.text.word_spacing = first(),
            "Tz" => self.state.text.scale = first() / 100.0,
            "TL" => self.state.text.leading = first(),
            "Ts" => self.state.text.rise = first(),
            "Tf" => self.set_font(operands, resources)?,
            "Td" | "TD" => {
                if let [x, y] = numbers()[..] {
                    if operation.operator == "TD" {
                        self.state.text.leading = -y;
                    }
                    self.move_line(x, y);
                }
            }
            "Tm" => {
                if let Ok(matrix) = <Matrix>::try_from(numbers()) {
                    (self.line, self.matrix) = (matrix, matrix);
                }
            }
            "T*" => self.next_line(),
            "Tj" => self.show_all(operands)?,
            "'" => {
                self.next_line();
                self.show_all(operands)?;
            }
            "\"" => {
                if let [word, character, ..] = numbers()[..] {
                    self.state.text.word_spacing = word;
                    self.state.text.character_spacing = character;
                }
                self.next_line();
                self.show_all(operands.get(2..).unwrap_or_default())?;
            }
            "TJ" => {
                if let Some(Object::Array(parts)) = operands.first() {
                    self.show_all(parts)?;
                }
            }
            "BMC" | "BDC" => self.begin_mark(operands, resources)?,
            "EMC" => self.end_mark()?,
            "Do" => self.form(operands, resources)?,
            operator @ ("g" | "rg" | "k" | "cs" | "sc" | "scn" | "Tr" | "gs" | "re" | "f" | "F" | "f*" | "B" | "B*"
            | "b" | "b*" | "S" | "s" | "n") => self.look(operator, &numbers(), operands, resources),
            _ => {}
        }
        Ok(())
    }

    /// Follows an operator that decides whether text is seen.
    fn look(&mut self, operator: &str, numbers: &[f32], operands: &[Object], resources: Resources<'a>) {
        let ctm = self.state.ctm;
        let corner = |x: f32, y: f32| [x * ctm[0] + y * ctm[2] + ctm[4], x * ctm[1] + y * ctm[3] + ctm[5]];
        match (operator, numbers) {
            ("g" | "rg" | "k" | "cs" | "sc" | "scn", _) => self.state.ink.colour(operator, numbers),
            ("Tr", [mode]) => self.state.ink.mode(*mode),
            ("re", &[x, y, width, height]) => self.paper.rectangle([x, y, width, height], corner),
            ("re" | "Tr", _) => {}
            ("S" | "s" | "n", _) => self.paper.end_path(false, self.state.ink),
            ("gs", _) => {
                let states = resources.and_then(|resources| dictionary(self.document, resources, b"ExtGState"));
                let called = operands.first().and_then(|name| name.as_name().ok());
                let state = states.zip(called).and_then(|(states, name)| dictionary(self.document, states, name));
                let opacity = state.and_then(|state| entry(self.document, state, b"ca"));
                if let Some(opacity) = opacity.and_then(|opacity| opacity.as_float().ok()) {
                    self.state.ink.opacity(opacity);
                }
            }
            _ => self.paper.end_path(true, self.state.ink),
        }
    }

    fn set_font(&mut self, operands: &[Object], resources: Resources<'a>) -> Result<(), Refusal> {
        let [Object::Name(name), size] = operands else { return Ok(()) };
        self.state.text.size = size.as_float().unwrap_or(1.0);
        let font = resources
            .and_then(|resources| dictionary(self.document, dictionary(self.document, resources, b"Font")?, name));
        let Some(font) = font else {
            self.state.text.font = None;
            return Ok(());
        };
        let fonts = &mut *self.fonts;
        let known = if let Some(known) = fonts.known.get(&std::ptr::from_ref(font)) {
            Rc::clone(known)
        } else {
            let (glyphs, entries) = (&mut fonts.glyphs, &mut fonts.entries);
            let read = Rc::new(Font::read(self.document, font, self.allowance, glyphs, entries)?);
            fonts.known.insert(font, Rc::clone(&read));
            read
        };
        self.state.text.font = Some(known);
        if self.fonts.entries.are_used_up() { Err(Refusal::TooLarge) } else { Ok(()) }
    }

    fn move_line(&mut self, x: f32, y: f32) {
        self.line = then(&[1.0, 0.0, 0.0, 1.0, x, y], &self.line);
        self.matrix = self.line;
    }

    fn next_line(&mut self) {
        self.move_line(0.0, -self.state.text.leading);
    }

    /// Shows strings; numbers among them move the text that follows.
    fn show_all(&mut self, parts: &[Object]) -> Result<(), Refusal> {
        for part in parts {
            match part {
                Object::String(text, _) => self.show(text)?,
                other => {
                    let text = &self.state.text;
                    let back = other.as_float().unwrap_or(0.0) / 1000.0 * text.size * text.scale;
                    self.matrix = then(&[1.0, 0.0, 0.0, 1.0, -back, 0.0], &self.matrix);
                }
            }
        }
        Ok(())
    }

    fn show(&mut self, bytes: &[u8]) -> Result<(), Refusal> {
        let text = self.state.text.clone();
        let Some(font) = &text.font else { return Ok(()) };
        self.allowance.take(font.cost_of(bytes.len()))?;
        let mut outcome = Ok(());
        font.signs(bytes, |sign| {
            let spacing = text.character_spacing + if sign.is_space { text.word_spacing } else { 0.0 };
            let advance = (sign.width / 1000.0 * text.size + spacing) * text.scale;
            let scaled = [text.size * text.scale, 0.0, 0.0, text.size, 0.0, text.rise];
            let to_page = then(&then(&scaled, &self.matrix), &self.state.ctm);
            let place = GlyphBox::new(&to_page, sign.width / 1000.0);
            self.matrix = then(&[1.0, 0.0, 0.0, 1.0, advance, 0.0], &self.matrix);
            if outcome.is_err() || self.artifacts > 0 {
                return;
            }
            if place.is_some() {
                let characters = sign.text.as_deref().map_or(0, visible_characters);
                self.paper.count(&to_page, self.state.ink, characters, self.hidden);
            }
            match (&mut self.actual, place) {
                (_, None) => {}
                (Some(actual), Some(place)) => {
                    actual.place = Some(actual.place.map_or(place, |all| all.with(&place)));
                }
                (None, Some(place)) => {
                    // One code may stand for a whole line of text.
                    outcome = self.allowance.take(sign.text.as_deref().map_or(0, str::len));
                    outcome = outcome.clone().and_then(|()| self.layout.sign(sign.text.as_deref(), place));
                }
            }
        });
        outcome
    }

    fn begin_mark(&mut self, operands: &[Object], resources: Resources<'a>) -> Result<(), Refusal> {
        let tag = operands.first().and_then(|tag| tag.as_name().ok()).unwrap_or_default();
        let properties = match operands.get(1) {
            Some(Object::Dictionary(properties)) => Some(properties),
            Some(Object::Name(name)) => resources
                .and_then(|resources| dictionary(self.document, resources, b"Properties"))
                .and_then(|properties| dictionary(self.document, properties, name)),
            _ => None,
        };
        let actual = properties.and_then(|properties| entry(self.document, properties, b"ActualText"));
        // Only the outermost `ActualText` is used.
        let actual = actual.filter(|_| self.actual.is_none());
        self.allowance.take(actual.and_then(|text| text.as_str().ok()).map_or(0, <[u8]>::len))?;
        let actual = actual.and_then(|text| lopdf::decode_text_string(text).ok());
        self.marks.push(match actual {
            _ if tag == b"Artifact" => {
                self.artifacts += 1;
                Mark::Artifact
            }
            Some(text) => {
                self.actual = Some(Actual { text, place: None });
                Mark::Actual
            }
            None => Mark::Other,
        });
        Ok(())
    }

    fn end_mark(&mut self) -> Result<(), Refusal> {
        match self.marks.pop() {
            Some(Mark::Artifact) => self.artifacts -= 1,
            Some(Mark::Actual) => {
                if let Some(Actual { text, place: Some(place) }) = self.actual.take() {
                    self.layout.sign(Some(&text), place)?;
                }
            }
            Some(Mark::Other) | None => {}
        }
        Ok(())
    }

    fn picture(&mut self) {
        let ctm = self.state.ctm;
        let corner = |x, y| [x * ctm[0] + y * ctm[2] + ctm[4], x * ctm[1] + y * ctm[3] + ctm[5]];
        self.layout.picture(self.paper.picture(corner));
    }

    /// Draws a form, which is a page within the page.
    fn form(&mut self, operands: &[Object], resources: Resources<'a>) -> Result<(), Refusal> {
        let [Object::Name(called)] = operands else { return Ok(()) };
        let forms = resources.and_then(|resources| dictionary(self.document, resources, b"XObject"));
        let form = forms.and_then(|forms| stream(self.document, forms, called));
        if form.is_some_and(|form| name(self.document, &form.dict, b"Subtype") == b"Image") {
            self.picture();
            return Ok(());
        }
        let Some(form) = form.filter(|form| name(self.document, &form.dict, b"Subtype") == b"Form") else {
            return Ok(());
        };
        if self.forms.len() >= MAX_FORMS || self.forms.contains(&std::ptr::from_ref(&form.dict)) {
            return Ok(());
        }
        // A form counts each time it is drawn; even an empty one has a cost.
        self.allowance.take(FORM)?;
        let content = self.allowance.unpack(form, usize::MAX)?.unwrap_or_default();
        let outer = (self.state.clone(), std::mem::take(&mut self.saved), self.line, self.matrix);
        let matrix = super::array(self.document, &form.dict, b"Matrix")
            .filter(|matrix| matrix.len() == UNIT.len())
            .map(|matrix| matrix.iter().map(|object| number(self.document, object).unwrap_or(0.0)).collect::<Vec<_>>());
        if let Some(Ok(matrix)) = matrix.map(<Matrix>::try_from) {
            self.state.ctm = then(&matrix, &self.state.ctm);
        }
        self.forms.push(&raw const form.dict);
        let own = dictionary(self.document, &form.dict, b"Resources").or(resources);
        let marks = self.marks.len();
        let outcome = self.run(&content, own);
        while self.marks.len() > marks {
            self.end_mark()?;
        }
        self.forms.pop();
        (self.state, self.saved, self.line, self.matrix) = outer;
        outcome
    }
}
