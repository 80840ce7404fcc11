//! Files whose readers see different things: neither is removed for the other.

use crate::folder::Folder;
use crate::office::archive;

const TEXT: &str =
    "The sensor reports the limit of each pump once in a minute, and the crew writes it down in the green book.";

/// Number of files that stay of two with these contents.
fn stay(ending: &str, contents: [Vec<u8>; 2]) -> usize {
    let [a, b] = contents;
    let folder = Folder::new().file(&format!("in/a.{ending}"), a).file(&format!("in/b.{ending}"), b);
    folder.dedup("clean -q in -o out --remove same --keep first").quietly(0);
    folder.files("out").len()
}

/// The contents of two files that differ in one place.
fn two<S: AsRef<str>>(file: impl Fn(&str) -> Vec<u8>, parts: &[S; 2]) -> [Vec<u8>; 2] {
    parts.each_ref().map(|part| file(part.as_ref()))
}

#[test]
fn rtf_that_shows_something_else_stays() {
    let rtf = |part: &str| {
        let fonts = r"{\fonttbl{\f0 Times;}{\f2\fcharset2 Symbol;}}";
        format!(r"{{\rtf1\ansi{fonts} {TEXT} x {part} 5\par}}").into_bytes()
    };
    let form = |kind: &str, answer: &str| {
        format!(r"{{\field{{\*\fldinst {kind} {{\*\formfield{{{answer}}}}}}}{{\fldrslt }}}}")
    };
    let list = |answer: &str| form("FORMDROPDOWN", &format!(r"\fftype2\ffres{answer}{{\*\ffl No}}{{\*\ffl Yes}}"));
    let formula = |letter: &str| format!(r"{{\mmath{{\*\moMath{{\mr {letter}}}}}}}");
    for parts in [
        [r"{\f2\'a3}", r"{\f2\'b3}"].map(str::to_owned),
        [r"10{\up6 6}", "106"].map(str::to_owned),
        [r"{\field{\*\fldinst EQ \\f(1,2)}{\fldrslt }}", r"{\field{\*\fldinst EQ \\f(2,3)}{\fldrslt }}"]
            .map(str::to_owned),
        [form("FORMCHECKBOX", r"\fftype1\ffres1"), form("FORMCHECKBOX", r"\fftype1\ffres0")],
        [list("0"), list("1")],
        [formula("x"), formula("y")],
    ] {
        assert_eq!(stay("rtf", two(rtf, &parts)), 2, "{parts:?}");
    }
    assert_eq!(stay("rtf", two(rtf, &["5", "5 "])), 1);
}

#[test]
fn office_documents_that_show_something_else_stay() {
    let docx = |part: &str| {
        let styles =
            "<w:styles><w:style w:styleId='Up'><w:rPr><w:vertAlign w:val='superscript'/></w:rPr></w:style></w:styles>";
        let body = format!("<w:document><w:p><w:r><w:t>{TEXT} </w:t></w:r>{part}</w:p></w:document>");
        archive(&[("word/document.xml", &body), ("word/styles.xml", styles)])
    };
    let run = |style: &str, text: &str| format!("<w:r><w:rPr>{style}</w:rPr><w:t>{text}</w:t></w:r>");
    let up = "<w:vertAlign w:val='superscript'/>";
    let term = |text: &str| format!("<m:r><m:t>{text}</m:t></m:r>");
    let over =
        |above: &str, below: &str| format!("<m:f><m:num>{}</m:num><m:den>{}</m:den></m:f>", term(above), term(below));
    let row = |a: &str, b: &str| format!("<m:m><m:mr><m:e>{}</m:e><m:e>{}</m:e></m:mr></m:m>", term(a), term(b));
    for parts in [
        [run("", "10") + &run("<w:rStyle w:val='Up'/>", "6"), run("", "106")],
        [run("", "2") + &run(up, "n"), run("", "2n")],
        [run("", "x") + &run(up, "n"), run("", "x") + &run("<w:vertAlign w:val='subscript'/>", "n")],
        [format!("<m:sSup><m:e>{}</m:e><m:sup>{}</m:sup></m:sSup>", term("2"), term("n")), term("2n")],
        [row("1", "23"), row("12", "3")],
        [over("a+b", "c"), term("a+") + &over("b", "c")],
        [over("a+b", "c+d"), over("a+b", "c") + &term("+d")],
        [format!("<m:bar><m:e>{}</m:e></m:bar>", term("A")), term("A")],
        ["EQ \\f(1,2)", "EQ \\f(2,3)"].map(|field| format!("<w:fldSimple w:instr='{field}'/>")),
        ["163", "179"].map(|code| format!("<w:fldSimple w:instr='SYMBOL {code} \\f Symbol'/>")),
    ] {
        assert_eq!(stay("docx", two(docx, &parts)), 2, "{parts:?}");
    }
    let ordinals = [run("", "1") + &run(up, "st"), run("", "1st")];
    assert_eq!(stay("docx", two(docx, &ordinals)), 1);
    let odt = |part: &str| {
        let style = "<style:style style:name='S' style:family='text'><style:text-properties style:text-position='super 58%'/></style:style>";
        let content = format!("<office:text><text:p>{TEXT} 10{part}</text:p></office:text>");
        archive(&[
            ("mimetype", "application/vnd.oasis.opendocument.text"),
            ("styles.xml", &format!("<a>{style}</a>")),
            ("content.xml", &content),
            ("Object 1/content.xml", part),
        ])
    };
    assert_eq!(stay("odt", two(odt, &["<text:span text:style-name='S'>2</text:span>", "2"])), 2);
    assert_eq!(stay("odt", two(odt, &["<text:span>2</text:span>", "2"])), 2, "objects are not read");
}

#[test]
fn pages_and_mails_that_show_something_else_stay() {
    let page = |part: &str| format!("<!DOCTYPE html><html><body><p>{TEXT}</p>{part}</body></html>").into_bytes();
    for parts in [
        ["<p>10<span style='vertical-align: super'>6</span></p>", "<p>10<span>6</span></p>"],
        ["<p>2<sup>n</sup></p>", "<p>2n</p>"],
        ["<p>x<sup>n</sup></p>", "<p>x<sub>n</sub></p>"],
        ["<math><msup><mi>x</mi><mi>n</mi></msup></math>", "<math><mrow><mi>x</mi><mi>n</mi></mrow></math>"],
        ["<math><mfrac><mn>1</mn><mn>2</mn></mfrac></math>", "<math><mn>1</mn><mn>2</mn></math>"],
        [
            "<p>a<template shadowrootmode=open> is open</template></p>",
            "<p>a<template shadowrootmode=open> is shut</template></p>",
        ],
        ["<ol start=5><li>open</ol>", "<ol start=6><li>open</ol>"],
        ["<ol><li value=5>open</ol>", "<ol><li>open</ol>"],
    ] {
        assert_eq!(stay("html", two(page, &parts)), 2, "{parts:?}");
    }
    assert_eq!(stay("html", two(page, &["<p>1<sup>st</sup></p>", "<p>1st</p>"])), 1);
    let mail = |to: &str| {
        let head = "From: a@example.org\nDate: Wed, 1 May 2024 12:30:00 +0000\nMessage-ID: <1@x>\n";
        format!("{head}To: b@example.org\n{to}Subject: Pumps\n\n{TEXT}\n").into_bytes()
    };
    assert_eq!(stay("eml", two(mail, &["Bcc: c@example.org\n", "Bcc: d@example.org\n"])), 2);
}
