//! Fields of a word processor that show what their instruction says: formulas, symbols, boxes and lists of forms.
//!
//! Most fields have a result, which is read as other text is. Of those without one the content is made here.
//!
//! Cost: linear in the instructions.
//!
//! Source: ECMA-376, part 1, 17.16 (fields); Rich Text Format Specification 1.9.1 (form fields).

use crate::symbols::symbol;

/// Maximum number of fields that are open at once; those within are read as text only.
pub(crate) const MAX_OPEN: usize = 1000;

/// A field that is being read.
#[derive(Debug, Default)]
pub(crate) struct Field {
    pub(crate) instruction: String,
    pub(crate) form: Form,
    /// True once it has a result.
    pub(crate) has_result: bool,
}

/// What a form asks for: a box to be ticked, or a list from which one entry is chosen.
#[derive(Debug, Default)]
pub(crate) struct Form {
    pub(crate) entries: Vec<String>,
    /// The number of the entry, or 1 for a box that is ticked: what was chosen stands before the default.
    pub(crate) chosen: Option<usize>,
    pub(crate) default: usize,
}

impl Form {
    fn value(&self) -> usize {
        self.chosen.unwrap_or(self.default)
    }

    /// The box.
    pub(crate) fn tick(&self) -> &'static str {
        if self.value() == 0 { "☐" } else { "☑" }
    }

    /// The entry that is chosen.
    pub(crate) fn entry(&self) -> &str {
        self.entries.get(self.value()).map_or("", String::as_str)
    }
}

impl Field {
    /// What it shows without a result; empty if that is unknown.
    pub(crate) fn content(&self) -> String {
        if self.has_result {
            return String::new();
        }
        let instruction = self.instruction.trim();
        let (name, rest) = instruction.split_once(char::is_whitespace).unwrap_or((instruction, ""));
        match &*name.to_ascii_uppercase() {
            // A formula in a language of its own: `\f(1,2)`.
            "EQ" => format!(" {} ", rest.trim()),
            "SYMBOL" => symbol_of(rest).map(String::from).unwrap_or_default(),
            "FORMCHECKBOX" => self.form.tick().to_owned(),
            "FORMDROPDOWN" => self.form.entry().to_owned(),
            _ => String::new(),
        }
    }
}

/// The character of `163 \f "Symbol"`.
fn symbol_of(instruction: &str) -> Option<char> {
    let mut words = instruction.split_whitespace();
    let code = words.next()?;
    let code = match code.strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16).ok()?,
        None => code.parse().ok()?,
    };
    let font = words.skip_while(|word| !word.eq_ignore_ascii_case("\\f")).nth(1);
    // Without a font of symbols a code is one of Windows, which for letters is that of Unicode.
    font.map_or_else(|| char::from_u32(code), |font| symbol(font.trim_matches('"'), code))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_without_a_result_show_what_they_say() {
        for (instruction, expected) in [
            (r" EQ \f(1,2) ", r" \f(1,2) "),
            (r#"SYMBOL 163 \f "Symbol" \s 11"#, "≤"),
            (r"symbol 0xB3 \s 11 \f Symbol", "≥"),
            ("SYMBOL 65", "A"),
            ("SYMBOL x", ""),
            ("PAGE", ""),
            ("FORMCHECKBOX", "☐"),
        ] {
            let field = Field { instruction: instruction.to_owned(), ..Field::default() };
            assert_eq!(field.content(), expected);
            assert_eq!(Field { has_result: true, ..field }.content(), "");
        }
    }
}
