//! Program code within texts: listings, scripts, markup and queries, as spans of lines.
//!
//! Each line is judged by itself, in no particular programming language. It is an *idiom* if it could hardly be prose:
//! a statement that ends with a semicolon behind a call or an assignment, the head of a definition or a loop, a call
//! with arguments, an import, an element of markup, a key with its value, a rule of a stylesheet. It is *like code* if
//! prose could have such a line, too: a bracket alone, a comment, a plain assignment, something indented with signs of
//! code.
//!
//! A span of code begins and ends with lines of either kind, has `LEAST` idioms or more, and at most `BETWEEN` other
//! lines in a row, and these are the lesser part. So single lines of code in prose are prose, and so are poems,
//! lists of words, tables, references and derivations, which have no idioms. Between the marks of a Markdown listing one
//! idiom is enough.
//!
//! Cost: linear, some 2 ns a byte.

mod lines;

use std::ops::Range;

use lines::{Kind, is_command, kind};

/// Least number of idioms in a span of code.
const LEAST: usize = 3;

/// Greatest number of lines in a row, within code, that are not like code.
const BETWEEN: usize = 2;

/// Code has more than one sign of code in so many bytes, and most prose fewer, whose lines are then not read.
const BYTES_OF_A_SIGN: usize = 64;

/// The spans of a text that are code, in order: whole lines, in bytes.
pub fn code(text: &str) -> Vec<Range<usize>> {
    let mut spans = Vec::new();
    let mut open = Open::default();
    let mut fence: Option<(&str, Open)> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let span = at..at + line.len();
        at = span.end;
        let trimmed = line.trim();
        let mark = ["```", "~~~"].into_iter().find(|mark| trimmed.starts_with(mark));
        match (&mut fence, mark) {
            (None, Some(mark)) => {
                open.close(LEAST, &mut spans);
                fence = Some((mark, Open::default()));
            }
            (Some((opening, inside)), Some(mark)) if *opening == mark => {
                inside.close(1, &mut spans);
                fence = None;
            }
            (Some((_, inside)), _) => {
                // All lines of a listing belong to it.
                let kind = match kind(line) {
                    Kind::Other => Kind::LikeCode,
                    kind => kind,
                };
                inside.add(kind, span);
            }
            (None, None) => {
                let kind = kind(line);
                if kind == Kind::Other && open.others == BETWEEN {
                    open.close(LEAST, &mut spans);
                }
                open.add(kind, span);
            }
        }
    }
    if let Some((_, mut inside)) = fence {
        inside.close(LEAST, &mut spans);
    }
    open.close(LEAST, &mut spans);
    spans
}

/// True if more than half of a text is code.
pub fn is_mostly_code(text: &str) -> bool {
    let signs = text.bytes().filter(|byte| b"(){}[]=;<>_".contains(byte)).count();
    signs * BYTES_OF_A_SIGN >= text.len()
        && 2 * code(text).iter().map(ExactSizeIterator::len).sum::<usize>() > text.len()
}

/// True for a line that could hardly be prose, wherever it stands.
pub fn is_line_of_code(line: &str) -> bool {
    kind(line) == Kind::Idiom || is_command(line)
}

/// A span that may become code.
#[derive(Debug, Default)]
struct Open {
    /// From its first line to its last that is like code.
    span: Option<Range<usize>>,
    idioms: usize,
    like_code: usize,
    /// Other lines within the span, and behind it.
    within: usize,
    others: usize,
}

impl Open {
    fn add(&mut self, kind: Kind, line: Range<usize>) {
        match kind {
            Kind::Blank => {}
            Kind::Other => self.others += usize::from(self.span.is_some()),
            Kind::LikeCode | Kind::Idiom => {
                self.span = Some(self.span.as_ref().map_or(line.start, |span| span.start)..line.end);
                self.within += std::mem::take(&mut self.others);
                self.idioms += usize::from(kind == Kind::Idiom);
                self.like_code += usize::from(kind == Kind::LikeCode);
            }
        }
    }

    /// Ends the span, and keeps it if it is code.
    fn close(&mut self, least: usize, spans: &mut Vec<Range<usize>>) {
        let Self { span, idioms, like_code, within, .. } = std::mem::take(self);
        // Lines that are only like code could be a table or a derivation beside a few idioms.
        if idioms >= least && 2 * within < idioms + like_code && 8 * idioms >= idioms + like_code + within {
            spans.extend(span);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<&str> {
        code(text).into_iter().map(|span| &text[span]).collect()
    }

    const LISTINGS: [&str; 11] = [
        "#include <stdio.h>\n\nint main(void) {\n    printf(\"tide\\n\");\n    return 0;\n}\n",
        "import sys\nfrom os import path\n\ndef tides(hours):\n    for hour in hours:\n        print(hour, end=\" \")\n    return len(hours)\n",
        "public class Tide {\n    private int height;\n\n    public int height() {\n        return height;\n    }\n}\n",
        "const tides = [];\nfor (let i = 0; i < 9; i++) {\n  tides.push(height(i));\n}\nconsole.log(tides.join(', '));\n",
        "SELECT name, height FROM harbours\nINNER JOIN tides ON tides.harbour = harbours.id\nORDER BY height DESC;\n",
        "<ul class=\"tides\">\n  <li>high</li>\n  <li>low</li>\n</ul>\n",
        "tides <- read.csv(\"tides.csv\")\nmodel <- lm(height ~ hour, data = tides)\nsummary(model)\nplot(tides$hour, tides$height)\n",
        "{\n  \"harbour\": \"Brest\",\n  \"heights\": [4, 7],\n  \"spring\": true\n}\n",
        "fn main() {\n    let mut tides = Vec::new();\n    // Twice a day.\n    tides.push(4.5);\n    println!(\"{}\", tides.len());\n}\n",
        "body {\n  color: black;\n}\n.tide td,\n.tide th.high,\n#sea {\n  margin: 0 auto;\n}\n@media print {\n  nav { display: none; }\n}\n",
        "h1 { font-size: 1.2em; }\nh2\n{\n  border-top: none;\n  color: #456;\n  clear: both;\n}\n",
    ];

    #[test]
    fn listings_are_found_between_paragraphs() {
        for listing in LISTINGS {
            let text = format!(
                "The programme below reads the tides of one day.\nIt is short.\n\n{listing}\nAs one can see, it prints \
                 them (all of them) in a row; nothing else is needed.\nThe next chapter explains why.\n"
            );
            assert_eq!(found(&text), [listing]);
        }
    }

    #[test]
    fn a_listing_is_mostly_code_and_prose_with_one_is_not() {
        for listing in LISTINGS {
            assert!(is_mostly_code(listing), "{listing}");
            assert!(!is_mostly_code(&format!(
                "{listing}\n{}",
                "The tide rises, as everybody knows (twice).\n".repeat(9)
            )));
        }
    }

    #[test]
    fn prose_of_any_form_is_no_code() {
        for prose in [
            "apples;\npears;\nplums (dried);\nnuts;\nbread;\n",
            "étudiant(e)\nélève(s)\ncheval(aux)\nami(e)(s)\n",
            "Two roads diverged in a yellow wood,\nAnd sorry I could not travel both;\nAnd be one traveler, long I stood\nAnd looked down one as far as I could;\n",
            "| harbour | high | low |\n| --- | --- | --- |\n| Brest | 6:12 | 12:30 |\n| Cork | 4:10 | 10:22 |\n",
            "Brest,6.12,7.4\nCork,4.10,3.9\nVigo,3.55,3.6\n",
            "x = 3y + 2\ny = 4\nx = 3 * 4 + 2\nx = 14\nf(x) = x^2 + 1\nf(14) = 197\n",
            "[1] Smith, J. (2001); Tides. Press, pp. 1-9.\n[2] Jones, A. (ed.) (1999): \"Seas\", vol. 2(3), 4-8;\n[3] http://example.org/a?b=1&c=2\n",
            "HAMLET: To be, or not to be: that is the question:\nOPHELIA: Good my lord,\nHow does your honour for this many a day?\n",
            "# Tides\n\n- high: twice a day\n- low: twice a day\n\n## Harbours\n\n1. Brest\n2. Cork\n",
            "sigaction(2) rt_sigaction(2)\nsigpending(2) rt_sigpending(2)\nsigprocmask(2) rt_sigprocmask(2)\n",
            "<<: less than;\n<=: less than or equal;\n=: equal;\n>=: greater than or equal;\n",
            "if you go to the harbour (at noon):\nfor example, in spring:\nwhile you wait there:\nreturn to the harbour at six\n",
            "import taxes rose in that year\nfrom there they import wool\nclass struggles, as he wrote:\nelse nobody would know\n",
            "e4 e5\nNf3 Nc6 (Bb5!?)\nBb5 a6 = Ruy Lopez\nBa4 Nf6\n",
            "2 H2 + O2 -> 2 H2O\nCH4 + 2 O2 -> CO2 + 2 H2O\nFe2O3 + 3 CO -> 2 Fe + 3 CO2\n",
            "Dear Sir,\n\n> I asked (twice) for it;\n> you said no.\n\nYours\n",
            "The sea rises\\footnote{\nTwice a day.} and falls\\footnote{\nSo it is\\emph{\nsaid.}} again;\n",
            "T}:T{\nhigh water\nT}:T{\nlow water\nT}:T{\nslack water\nT}\n",
            "note: see page 4 of the almanac, which has the tides of both harbours;\nsee also: Brest;\ntime: noon;\n",
            "{x: x > 3} and {y: y < 4}\nthe set {n}\nthe set {m}\n",
            "e.g.,\ni.e.,\nBrest,\nst. malo,\n",
            "\u{201c}Yes\u{201d}, she said;\n\"No\": that was his answer;\n\"Why\": nobody asked.\n",
        ] {
            assert_eq!(found(prose), [""; 0], "{prose}");
        }
    }

    #[test]
    fn a_line_of_code_in_prose_is_prose() {
        let text = "We call the function.\nprint(\"tide\")\nIt prints a word, as everybody knows who has ever tried to \
                    do so.\nThen we wait.\nAnd wait.\nx.sort()\nThat was all.\n";
        assert_eq!(found(text), [""; 0]);
    }

    #[test]
    fn single_lines_of_code_are_recognised() {
        for line in [
            "    return self.value + other.value;",
            "return NULL; /* nothing is left */",
            "await tide.next.high;",
            "import os, sys, json",
            "@media (max-width: 40em) { nav { display: none; } }",
            "\\usepackage[utf8]{inputenc}",
            "sudo apt-get install texlive",
            "git commit -a -m \"high water\"",
            "$ cd tides && make",
            "export PATH=/opt/tides/bin",
            "/* Twice a day. */",
        ] {
            assert!(is_line_of_code(line), "{line}");
        }
        for line in [
            "return to the harbour at six;",
            "return to St. Malo and come back;",
            "import wool, tea and spices",
            "$ 5 and more",
            "@media was his name",
            "make the harbour ready -- and wait",
            "export goods rose = more",
            "sudo is a program",
            "\\o/ well done",
        ] {
            assert!(!is_line_of_code(line), "{line}");
        }
    }

    #[test]
    fn a_marked_listing_needs_one_idiom() {
        assert_eq!(
            found("So:\n```\ncount the tides\ntides.sort()\n```\nand so on\n"),
            ["count the tides\ntides.sort()\n"]
        );
        assert_eq!(found("So:\n```\nTwo roads diverged\nin a yellow wood\n```\n"), [""; 0]);
    }

    #[test]
    fn any_line_has_a_kind() {
        for text in [
            "",
            "\n",
            "(",
            ")",
            "é(",
            "é(x);",
            "=",
            "<",
            "\"",
            "\":",
            "::",
            "a::",
            "a->",
            "@",
            "#",
            "# ",
            "[é]",
            "x[é = 1",
            "$é=\"\"",
            "ż = f(ż);",
            "```",
        ] {
            code(&[text, text, text].join("\n"));
        }
    }
}
