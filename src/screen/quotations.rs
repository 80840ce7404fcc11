//! Quotations: text between quotation marks of any language, and lines that begin with `>`.
//!
//! Cost: linear.

mod straight;

use std::ops::Range;

use straight::between_straight_marks;

/// Maximum length of a line that may have been wrapped, in characters; the end of a longer one is that of its paragraph.
const LONGEST_WRAPPED: usize = 120;

/// Maximum length of a quotation, in bytes; a mark that is not closed within it opens none.
pub(super) const LONGEST_QUOTATION: usize = 4000;

/// The ends of the paragraphs of a text, as ranges of bytes: blank lines, with any line ends, and the sign for one.
pub(super) fn ends_of_paragraphs(text: &str) -> impl Iterator<Item = Range<usize>> {
    text.match_indices(['\n', '\u{2029}']).filter_map(|(at, sign)| {
        let behind = at + sign.len();
        if sign == "\u{2029}" {
            return Some(at..behind);
        }
        let (line, _) = text[behind..].split_once('\n')?;
        line.trim().is_empty().then_some(at..behind + line.len())
    })
}

/// True if this character, so many from the beginning of its line, ends a paragraph before the rest of the text: a blank line
/// follows, or the line is too long to be wrapped.
pub(super) fn ends_paragraph(c: char, behind: &str, in_line: usize) -> bool {
    let is_blank = || behind.trim_start_matches([' ', '\t', '\r']).starts_with('\n');
    c == '\u{2029}' || c == '\n' && (in_line > LONGEST_WRAPPED || is_blank())
}

/// Calls `span` with the spans, in bytes, of text between quotation marks, and of lines that begin with `>`, as
/// mail and Markdown quote. A quotation between marks ends with its paragraph. One that is not closed in it goes on if the
/// next begins with its mark again, as is usual in print, unless its mark may be a stray one ([`Open::surely`]).
pub(super) fn quotations(text: &str, mut span: impl FnMut(Range<usize>)) {
    let mut at = 0;
    between_marks(text, &mut span);
    between_straight_marks(text, &mut span);
    for line in text.split_inclusive('\n') {
        if line.trim_start_matches([' ', '\t']).starts_with('>') {
            span(at..at + line.len());
        }
        at += line.len();
    }
}

/// Calls `span` with the spans of text between quotation marks.
fn between_marks(text: &str, span: &mut impl FnMut(Range<usize>)) {
    let mut open: Option<Open> = None;
    let (mut before, mut end) = (' ', 0);
    // Number of characters since the beginning of the line, and whether a paragraph has only blanks yet.
    let (mut in_line, mut at_paragraph) = (0, true);
    while let Some((c, length)) = sign(&text[end..]) {
        let (at, next) = (end, end + length);
        end = next;
        let after = text[next..].chars().next().unwrap_or(' ');
        let is_apostrophe = c == '\u{2019}'
            && (before.is_alphanumeric() && after.is_alphanumeric() || is_genitive(before, &text[next..], in_line));
        let is_long = open.as_ref().is_some_and(|open| at - open.starts[0] > LONGEST_QUOTATION);
        let ends_paragraph = ends_paragraph(c, &text[next..], in_line);
        if is_long || ends_paragraph {
            let goes_on = |open: &Open| {
                ends_paragraph
                    && open.surely
                    && sign(text[next..].trim_start()).is_some_and(|(mark, _)| mark == open.mark)
            };
            match open.take() {
                Some(open) if goes_on(&open) => span(open.starts[0]..at),
                Some(open) => open.inside.into_iter().for_each(&mut *span),
                None => {}
            }
        }
        in_line = if c == '\n' { 0 } else { in_line + 1 };
        let begins_paragraph = at_paragraph;
        at_paragraph = ends_paragraph || at_paragraph && c.is_whitespace();
        // A mark that may close a quotation, too, opens one at the beginning of a paragraph and behind a colon.
        let is_sure = |closing: &[char]| {
            begins_paragraph || !closing.contains(&c) || text[..at].trim_end_matches([' ', '\u{a0}']).ends_with(':')
        };
        // Such as the first of `"` or `»` around a word; before a quotation, none was closed.
        let is_opening = is_before_quotation(before) && !after.is_whitespace();
        match &mut open {
            Some(open_mark) if open_mark.mark == c && open_mark.closing.contains(&c) && is_opening => {
                *open_mark = Open::new(c, open_mark.closing, next, is_sure(open_mark.closing));
            }
            // Inches, or a quotation in another.
            Some(open_mark) if open_mark.mark != c && c == '"' && (is_opening || before.is_ascii_digit()) => {}
            // Two backticks on both sides mark code.
            Some(open_mark) if open_mark.mark == BACKTICKS && c == BACKTICKS && !is_opening => open = None,
            Some(open_mark) if open_mark.closing.contains(&c) && !is_apostrophe => {
                let quoted = open_mark.starts.pop().map(|start| start..at);
                if open_mark.starts.is_empty() {
                    quoted.into_iter().for_each(&mut *span);
                    open = None;
                } else {
                    open_mark.inside.extend(quoted);
                }
            }
            Some(open_mark) if open_mark.mark == c => open_mark.starts.push(next),
            // Not an opening mark: an apostrophe, a sign for inches or seconds, a closing mark without its own.
            None if !(c == '\u{2018}' && before.is_alphanumeric()
                || c == '"' && before.is_ascii_digit()
                || matches!(c, '”' | BACKTICKS | COMMAS) && !is_before_quotation(before)
                || !is_before_quotation(before) && after.is_whitespace()) =>
            {
                open = closing(c).map(|closing| Open::new(c, closing, next, is_sure(closing)));
            }
            _ => {}
        }
        before = c;
    }
    open.into_iter().flat_map(|open| open.inside).for_each(span);
}

// Two signs that are typed for a quotation mark: two backticks, commas or apostrophes. No text has these characters.
const BACKTICKS: char = '\u{FDD0}';
const COMMAS: char = '\u{FDD1}';
const APOSTROPHES: char = '\u{FDD2}';

/// The first character of a text, or what stands for two that are a quotation mark, and its length in bytes.
fn sign(text: &str) -> Option<(char, usize)> {
    let first = text.chars().next()?;
    let mark = match first {
        '`' => Some(("``", BACKTICKS)),
        ',' => Some((",,", COMMAS)),
        '\'' => Some(("''", APOSTROPHES)),
        _ => None,
    };
    let mark = mark.filter(|(typed, _)| text.starts_with(typed));
    Some(mark.map_or((first, first.len_utf8()), |(typed, mark)| (mark, typed.len())))
}

/// A quotation that is open.
struct Open {
    mark: char,
    closing: &'static [char],
    /// True if its mark surely opens it, and is no stray one.
    surely: bool,
    /// Its start, then those of quotations in it that are open too, by the same mark.
    starts: Vec<usize>,
    /// Those that were closed in it. If it never is, they are all that is quoted.
    inside: Vec<Range<usize>>,
}

impl Open {
    fn new(mark: char, closing: &'static [char], start: usize, surely: bool) -> Self {
        Self { mark, closing, surely, starts: vec![start], inside: Vec::new() }
    }
}

/// True if a `’` between these, so many characters from the beginning of its line, ends no quotation, but is the genitive of a
/// plural, as in `their fathers’ time`: a word in lower case follows, and the paragraph has another `’` that does end one.
fn is_genitive(before: char, behind: &str, mut in_line: usize) -> bool {
    let may_be = |before: char, behind: &str| {
        let word = behind.trim_start_matches([' ', '\n', '\r']);
        before == 's' && word.len() < behind.len() && word.starts_with(char::is_lowercase)
    };
    if !may_be(before, behind) {
        return false;
    }
    let mut last = ' ';
    for (at, c) in behind.char_indices().take_while(|&(at, _)| at < LONGEST_QUOTATION) {
        let rest = &behind[at + c.len_utf8()..];
        in_line += 1;
        match c {
            '\u{2018}' => return false,
            // Not such as `’tis` and `don’t`.
            '\u{2019}' if !rest.starts_with(char::is_alphanumeric) && !may_be(last, rest) => return true,
            _ if ends_paragraph(c, rest, in_line) => return false,
            '\n' => in_line = 0,
            _ => last = c,
        }
    }
    false
}

/// True if a mark after this character may open a quotation: a blank, a bracket or a dash.
pub(super) fn is_before_quotation(c: char) -> bool {
    c.is_whitespace() || matches!(c, '(' | '[' | '{' | '–' | '—' | '-' | '/')
}

/// The marks that close a quotation opened by this one, in any language.
fn closing(mark: char) -> Option<&'static [char]> {
    Some(match mark {
        '"' => &['"'],
        BACKTICKS => &[APOSTROPHES],
        COMMAS => &[APOSTROPHES, '“', '”', '"'],
        // A mark that was not closed by its own kind.
        '“' => &['”', '"'],
        '”' => &['”', '“'],
        // Keyboards without the closing mark give the straight one.
        '„' => &['“', '”', '‟', '"'],
        '‘' => &['’'],
        '‚' => &['‘', '’'],
        '«' => &['»'],
        '»' => &['«', '»'],
        '‹' => &['›'],
        '›' => &['‹', '›'],
        '「' => &['」'],
        '『' => &['』'],
        '｢' => &['｣'],
        '〝' => &['〞', '〟'],
        '﹁' => &['﹂'],
        '﹃' => &['﹄'],
        '《' => &['》'],
        '＂' => &['＂'],
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quoted(text: &str) -> Vec<&str> {
        let mut quoted = Vec::new();
        quotations(text, |span| quoted.push(&text[span]));
        quoted
    }

    #[test]
    fn a_mark_that_is_not_closed_ends_with_its_paragraph() {
        for between in ["\n\n", "\r\n\r\n", "\n \t\n", "\u{2029}"] {
            let text = format!("a 5\" pipe{between}many words of a copy{between}and \"a word\"");
            assert_eq!(quoted(&text), ["a word"], "{between:?}");
            assert!(ends_of_paragraphs(between).next().is_some(), "{between:?}");
        }
        assert!(ends_of_paragraphs("one\ntwo").chain(ends_of_paragraphs("\r\n")).next().is_none());
        let ends: Vec<_> = ends_of_paragraphs("one\n \ntwo\u{2029}three").collect();
        assert_eq!(ends, [3..5, 9..12]);
        let long = format!("a 5\" pipe {} and \"a word\"", "word ".repeat(1000));
        assert_eq!(quoted(&long).len(), 1);
    }

    #[test]
    fn quotations_of_many_languages() {
        assert_eq!(quoted("He said \"so be it\" and \"no\"."), ["so be it", "no"]);
        assert_eq!(quoted("“It’s the sailors’ hour,” she said."), ["It’s the sailors’ hour,"]);
        assert_eq!(quoted("Sie rief: „Land in Sicht!“ – »Wo?« fragte er."), ["Land in Sicht!", "Wo?"]);
        assert_eq!(quoted("Sie rief: „Land in Sicht!\" und „Wo?\", fragte er."), ["Land in Sicht!", "Wo?"]);
        assert_eq!(quoted("Il dit : « l’eau monte »."), [" l’eau monte "]);
        assert_eq!(quoted("Hon sade ”ja” och ”nej”."), ["ja", "nej"]);
        assert_eq!(quoted("قال ”نعم“ ثم ”لا“."), ["نعم", "لا"]);
        assert_eq!(quoted("He said “hello\" and left. Then ”bye”."), ["hello", "bye"]);
        assert_eq!(quoted("He said “so \"be\" it”."), ["so \"be"]);
        assert_eq!(quoted("“a thing 5\" wide, and more”"), ["a thing 5\" wide, and more"]);
        assert_eq!(quoted("Call ``open_port`` first, and pass \"fast\" to it; '' and ``x`` too."), ["fast"]);
        assert_eq!(quoted("a mark” without its own, then “so be it”"), ["so be it"]);
        assert_eq!(quoted("彼は「海は広い」と言った。"), ["海は広い"]);
        assert_eq!(quoted("他说\"海很宽\"。"), ["海很宽"]);
        assert_eq!(
            quoted("Es heißt: „siehe „Land in Sicht“, Seite 3“ (Lee 2004)."),
            ["siehe „Land in Sicht“, Seite 3"]
        );
        assert_eq!(
            quoted("Es heißt: „siehe „Land in Sicht, Seite 3“ (Lee 2004).\n\nUnd „Wo?“"),
            ["Land in Sicht, Seite 3", "Wo?"]
        );
        assert_eq!(quoted("‘Don’t go,’ he said; the sailors’ boats stayed."), ["Don’t go,"]);
        assert_eq!(quoted("‘Their fathers’ time\nis over,’ he said."), ["Their fathers’ time\nis over,"]);
        assert_eq!(quoted("‘Ships’ and ‘boats’, the sailors’ own."), ["Ships", "boats"]);
        assert_eq!(quoted("Of ‘ships’ they spoke.\n\nThen he went,’ she said."), ["ships"]);
        assert_eq!(quoted("He said ``so be `it' now'' and ,,nein''."), ["so be `it' now", "nein"]);
    }

    #[test]
    fn paragraphs_of_a_quotation_begin_with_its_mark() {
        for (open, close) in [("\"", "\""), ("“", "”"), ("« ", " »"), ("``", "''"), (",,", "''")] {
            let text = format!("He wrote:\n\n{open}The sea rises.\n\n{open}It falls{close} (Lee 2004).\n\nAnd so on.");
            let quoted = quoted(&text);
            assert_eq!(
                quoted.iter().map(|span| span.trim()).collect::<Vec<_>>(),
                ["The sea rises.", "It falls"],
                "{text}"
            );
        }
        for (open, close) in
            [(": “", "”"), (" “", "”"), (" „", "“"), (" «", "»"), (" 「", "」"), (": \"", "\""), (": ``", "''")]
        {
            let mark = open.trim_start_matches([':', ' ']);
            let text = format!("He wrote{open}The sea rises.\n\n{mark}It falls.\n\n{mark}And so on{close} (Lee 2004).");
            assert_eq!(quoted(&text), ["The sea rises.", "It falls.", "And so on"], "{text}");
        }
        let stray = "A \"mark in a paragraph.\n\n\"Another\" one.";
        assert_eq!(quoted(stray), ["Another"]);
    }

    /// A paragraph of an office document is one line.
    #[test]
    fn a_long_line_is_a_paragraph() {
        let words = "many words of a copy ".repeat(12);
        assert_eq!(quoted(&format!("‘Ali {words}\n{words} the caliphs’ view")), [""; 0]);
        let georgian = "ზღვა დღეში ორჯერ ადის და მერე ისევ ჩადის ყველა ნაპირზე სადაც ნავები დგას";
        assert_eq!(quoted(&format!("„{georgian}\n{georgian}“")).len(), 1);
        assert_eq!(quoted("“two\nlines”"), ["two\nlines"]);
    }

    /// A quotation mark without a counterpart quotes nothing.
    #[test]
    fn a_stray_mark_quotes_nothing() {
        let copy = "many words of a copy. It is";
        for text in [
            format!("A thing\" that. {copy} \"good\"."),
            format!("A \"thing that. {copy} \"good\"."),
            format!("A “thing that. {copy} “good”."),
            format!("Ein „Ding, das. {copy} „good“."),
            format!("\"Thing that. {copy} \"good\"."),
            format!("Une chose» qui. {copy} «good»."),
        ] {
            assert_eq!(quoted(&text), ["good"], "{text}");
        }
        assert_eq!(quoted("Il dit : \" l’eau monte \" et part."), [" l’eau monte "]);
    }

    #[test]
    fn lines_of_mail_and_markdown_are_quoted() {
        assert_eq!(quoted("He wrote:\n> the sea\n > is wide\nI said: a > b"), ["> the sea\n", " > is wide\n"]);
    }

    #[test]
    fn a_mark_that_is_never_closed_quotes_nothing_beyond_its_paragraph() {
        assert_eq!(quoted("a board of 5\" width\n\nand a \"word\""), ["word"]);
        assert!(quoted("the boats’ keels, the sailor’s hat").is_empty());
        assert!(quoted("The pipe is 5\" wide, as they said. The other is 6\" wide.").is_empty());
        assert!(quoted("'Twas in the '90s: the boys' boats, two,,three and 5' 6'' long, were Tom's.").is_empty());
    }
}
