use proptest::prelude::*;

use super::*;

fn read(rtf: &str) -> String {
    text(rtf.as_bytes()).unwrap().text
}

#[test]
fn paragraphs_cells_and_special_characters() {
    let rtf = r"{\rtf1\ansi\deff0{\fonttbl{\f0\fnil Times;}}{\colortbl;\red0;}{\stylesheet{\s1 Heading;}}{\info{\title no}}
\pard\plain\f0 High tide\line comes\tab{\b twice} a\~day\emdash\ldblquote so\rdblquote .\par
\trowd\intbl one\cell two\cell\row re\-al up\_to \{x\}\\\par{\pict\wmetafile8 0100}{\*\unknown no}last}";
    assert_eq!(read(rtf), "High tide\ncomes\ttwice a\u{a0}day—“so”.\none\ntwo\nreal up-to {x}\\\nlast\n");
}

#[test]
fn raised_numbers() {
    let rtf = r"{\rtf1 10{\super 2} m\super 3\nosupersub  H\sub 2\plain O 20{\super th}}";
    assert_eq!(read(rtf), "10² m³ H2O 20th\n");
    assert_eq!(read(r"{\rtf1 10{\up6 6} m\up1 2 H{\dn6 2}O}"), "10⁶ m2 H2O\n");
}

#[test]
fn symbols_are_characters() {
    let fonts = r"{\fonttbl{\f0\fnil Times;}{\f2\ftech\fcharset2{\*\panose 05}Symbol;}{\f3\fnil\fcharset0 Wingdings;}}";
    let rtf = format!(
        r"{{\rtf1{fonts}x {{\f2\'a3}} {{\f2 a}}\f2 \u-3917 ?\f3\'fe\f0 a{{\f2{{\field{{\*\fldinst PAGE}}}}}}}}"
    );
    assert_eq!(read(&rtf), "x ≤ α≥☑a\n");
}

#[test]
fn forms_and_fields_without_a_result_are_read() {
    let form = |kind: &str, state: &str| {
        format!(r"{{\rtf1 a {{\field{{\*\fldinst {kind} {{\*\formfield{{{state}}}}}}}{{\fldrslt }}}} b}}")
    };
    for (state, expected) in [
        (r"\fftype1\ffres1\ffdefres0", "a ☑ b\n"),
        (r"\fftype1\ffres0\ffdefres1", "a ☐ b\n"),
        (r"\fftype1\ffres25\ffdefres1", "a ☑ b\n"),
    ] {
        assert_eq!(read(&form("FORMCHECKBOX", state)), expected, "{state}");
    }
    let list =
        |answer: &str| form("FORMDROPDOWN", &format!(r"\fftype2{answer}{{\*\ffname D}}{{\*\ffl No}}{{\*\ffl J\'e4}}"));
    assert_eq!(
        [r"\ffres1", r"\ffres0\ffdefres1", r"\ffdefres1"].map(|answer| read(&list(answer))),
        ["a Jä b\n", "a No b\n", "a Jä b\n"]
    );
    let field = |instruction: &str, result: &str| {
        read(&format!(r"{{\rtf1 a {{\field{{\*\fldinst {{{instruction}}}}}{{\fldrslt {result}}}}} b}}"))
    };
    assert_eq!(field(r"SYMBOL 163 \\f Symbol", ""), "a ≤ b\n");
    assert_eq!(field(r"EQ \\f(1,2)", ""), "a  \\f(1,2)  b\n");
    assert_eq!(field(r"EQ \\f(1,2)", "1/2"), "a 1/2 b\n");
}

#[test]
fn formulas_are_not_read() {
    let of = |body: &str| text(format!(r"{{\rtf1 {body}}}").as_bytes()).unwrap().pictured;
    let long = "fifty letters in a row ".repeat(14);
    assert_eq!(of(&format!(r"{long}{{\mmath{{\*\moMath{{\mr x}}}}}}")), 1);
    assert_eq!(of(&format!(r"{long}{{\header{{\mmath{{\*\moMath{{\mr x}}}}}}}}")), 0);
}

#[test]
fn code_pages_of_the_document_and_of_fonts() {
    let rtf = r"{\rtf1\ansi\ansicpg1251{\fonttbl{\f0\fcharset204 A;}{\f1\fcharset161 B;}{\f2\fcharset128 C;}{\f3\fcharset2 S;}}
{\f9 \'cf\'f0\'e8}{\f0\'eb\'e8\'e2} {\f1\'e1\'eb\'f4} {\f2\'92\'aa\'83A\'83\'41}{\f3 \'b7}}";
    assert_eq!(read(rtf), "Прилив αλτ 潮アア\u{f0b7}\n");
    assert_eq!(read(r"{\rtf1\mac caf\'8e}"), "café\n");
}

#[test]
fn halves_of_wide_characters_are_told_in_long_runs() {
    // The second byte of each looks like a letter.
    let rtf = [&b"{\\rtf1\\ansi\\ansicpg936 "[..], &b"\x82A".repeat(200_000), b"B}"].concat();
    assert_eq!(text(&rtf).unwrap(), format!("{}B\n", "侫".repeat(200_000)).into());
}

#[test]
fn characters_and_what_stands_for_them() {
    assert_eq!(read(r"{\rtf1\uc1 \u1055?\u1088\'f0\u-10179?\u-8704?x}"), "Пр😀x\n");
    assert_eq!(read(r"{\rtf1\uc2\u8364 EUx{\uc0\u233 y}\u233{}z\uc0\u233\u61623 w}"), "€xéyézé\u{f0b7}w\n");
    assert_eq!(read(r"{\rtf1 {\upr{ca?}{\*\ud{\u233 ?}}}}"), "é\n");
}

#[test]
fn notes_boxes_fields_hidden_and_deleted_text() {
    let rtf = r#"{\rtf1{\header no}The tide{\super\chftn{\footnote\pard\plain A {\i note}.}} rises {\shp{\*\shpinst\shpleft0{\sp{\sn a}{\sv 1}}{\shptxt boxed\par}}{\shprslt{\*\do no}}}{\v hidden}{\deleted gone}
{\field{\*\fldinst HYPERLINK "x"}{\fldrslt here}}{\*\bkmkstart a}.\par}"#;
    assert_eq!(read(rtf), "The tide rises here.\nboxed\nA note.\n");
}

#[test]
fn boxes_of_old_versions_are_read_once() {
    let drawing = r"{\*\do\dobxcolumn\dptxbx{\dptxbxtext\pard\plain It was {\b granted}.\par}\dpx0\dpxsize50}";
    assert_eq!(read(&format!(r"{{\rtf1 The claim.{drawing}\par}}")), "The claim.\nIt was granted.\n");
    assert_eq!(read(&format!(r"{{\rtf1{{\header{drawing}}} The claim.\par}}")), "The claim.\n");
    let both =
        format!(r"{{\rtf1 The claim.{{\shp{{\*\shpinst{{\shptxt It was granted.\par}}}}{{\shprslt{drawing}}}}}\par}}");
    assert_eq!(read(&both), "The claim.\nIt was granted.\n");
}

#[test]
fn text_that_a_reader_may_not_see_is_counted() {
    let hidden = |body: &str| {
        let colours = r"{\colortbl;\red255\green255\blue255;\red31\green56\blue100;}";
        let Hidden { white, tiny, outside, invisible } =
            text(format!(r"{{\rtf1{colours}{body}}}").as_bytes()).unwrap().hidden;
        [white, tiny, outside, invisible]
    };
    for (body, expected) in [
        (r"a {\cf1 b c \u252?} d", [3, 0, 0, 0]),
        (r"{\cf1\fs2 a b}{\fs24 c}", [0, 2, 0, 0]),
        (r"{\v a\u252? b}c", [0, 0, 0, 3]),
        (r"{\cf2 a}{\cf0 b}{\cf9 c}{\cf1\plain d}", [0; 4]),
        // White letters on a background are seen.
        (r"{\cf1\chcbpat2 a}{\cf1\highlight2 b}{\cf1\highlight1 c}", [1, 0, 0, 0]),
        (r"\pard\cbpat2\cf1 a\par b\par\pard c", [1, 0, 0, 0]),
        (r"\trowd\clcbpat2\pard\intbl\cf1 a\cell\row\pard b\par\trowd\pard\intbl c\cell\row", [2, 0, 0, 0]),
        (r"{\*\background}{\cf1 a}", [0; 4]),
        (r"{\shp{\shptxt{\cf1 a}}}", [0; 4]),
        // Neither deleted text nor a table of styles is text.
        (r"{\deleted\v a}{\stylesheet{\s1\cf1 Heading;}}", [0; 4]),
    ] {
        assert_eq!(hidden(body), expected, "{body}");
    }
}

#[test]
fn pictures_as_bytes_and_ends_that_are_missing() {
    let mut rtf = b"{\\rtf1 a{\\pict\\bin5 {{{{{}b".to_vec();
    assert_eq!(text(&rtf).unwrap().text, "ab\n");
    rtf.extend(b"{\\bin99999999");
    assert_eq!(text(&rtf).unwrap().text, "ab\n");
    assert_eq!(read(r"{\rtf1 a}b}c"), "a\n");
    let parts = |rtf: &[u8]| text(rtf).unwrap().pictured;
    assert_eq!([parts(br"{\rtf1 a{b}}"), parts(br"{\rtf1 a{b}"), parts(br"{\rtf1 a{b")], [0, 1, 1]);
    let refusal = text(format!("{{\\rtf1{}", "{".repeat(1_000_000)).as_bytes()).unwrap_err();
    assert!(refusal.to_string().contains("more than 10000 groups"), "{refusal}");
    assert_eq!(text(br"{\rtf1\ansicpg932\fcharset128 \'82}").unwrap().replaced, 1);
}

proptest! {
    #[test]
    fn no_document_is_fatal(parts in prop::collection::vec(prop_oneof![
        r"\\(u|uc|f|cf|colortbl|red|fcharset|ansicpg|field|ffres|up|bin|par|cell|footnote|shptxt|upr|v|plain|deff)-?[0-9]{0,11} ?",
        r"(\{|\}|\\\*|\\'[0-9a-f]{0,2}|\\[~_{}\\-])",
        r"\{(\\\*)?\\(ud|footnote|shpinst|fonttbl|pict|fldinst|formfield|ffl|mmath|x)",
        r"[a-z ]{0,9}|\PC{0,3}",
    ], 0..80)) {
        let document = format!("{{\\rtf1{}", parts.concat());
        text(document.as_bytes()).unwrap();
    }
}
