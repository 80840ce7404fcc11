use super::*;

fn read(body: &str) -> String {
    let mut reader = Reader::default();
    visit(&format!("<w:document>{body}</w:document>"), FORMAT, MAIN, &mut reader).unwrap();
    reader.text.finish()
}

fn run(text: &str) -> String {
    format!("<w:r><w:t xml:space='preserve'>{text}</w:t></w:r>")
}

#[test]
fn paragraphs_cells_tabs_and_breaks() {
    let body = format!(
        "<w:p><w:pPr><w:tabs><w:tab w:val='left'/></w:tabs></w:pPr>{}<w:r><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t>\
         <w:noBreakHyphen/><w:t>d</w:t></w:r></w:p><w:tbl><w:tr><w:tc><w:p>{}</w:p></w:tc><w:tc><w:p>{}</w:p></w:tc>\
         </w:tr></w:tbl>",
        run("a "),
        run("cell one"),
        run("cell two")
    );
    assert_eq!(read(&body), "a \tb\nc-d\ncell one\ncell two\n");
}

#[test]
fn what_was_deleted_moved_or_hidden_is_left_out() {
    let body = format!(
        "<w:p>{}<w:del><w:r><w:delText>gone</w:delText></w:r></w:del><w:moveFrom>{}</w:moveFrom><w:ins>{}</w:ins>\
         <w:r><w:rPr><w:vanish/></w:rPr><w:t>hidden</w:t></w:r><w:r><w:rPr><w:vanish w:val='0'/></w:rPr><w:t>seen</w:t></w:r>\
         <w:r><w:instrText>PAGE</w:instrText></w:r></w:p>",
        run("kept "),
        run("moved "),
        run("new ")
    );
    assert_eq!(read(&body), "kept new seen\n");
    let joined = format!("<w:p><w:pPr><w:rPr><w:del/></w:rPr></w:pPr>{}</w:p><w:p>{}</w:p>", run("one "), run("line"));
    assert_eq!(read(&joined), "one line\n");
}

#[test]
fn boxes_are_ticked_or_not() {
    let field = |state: &str| {
        format!("<w:r><w:fldChar><w:ffData><w:checkBox>{state}</w:checkBox></w:ffData></w:fldChar></w:r>{}", run(" a "))
    };
    let symbol = |code: &str| format!("<w:r><w:sym w:font='Wingdings' w:char='{code}'/></w:r>");
    let body = format!(
        "<w:p>{}{}{}{}{}</w:p>",
        field("<w:default w:val='0'/><w:checked/>"),
        field("<w:default w:val='1'/><w:checked w:val='0'/>"),
        field("<w:default w:val='1'/>"),
        symbol("F0A8"),
        symbol("f0fe")
    );
    assert_eq!(read(&body), "☑ a ☐ a ☑ a ☐☑\n");
}

#[test]
fn raised_numbers_and_fractions() {
    let shifted = |how: &str| format!("<w:r><w:rPr><w:vertAlign w:val='{how}'/></w:rPr><w:t>2</w:t></w:r>");
    let body = format!("<w:p>{}{}{}{}</w:p>", run("10"), shifted("superscript"), run(" H"), shifted("subscript"));
    assert_eq!(read(&body), "10² H2\n");
    let term = |text: &str| format!("<m:r><m:t>{text}</m:t></m:r>");
    let formula = format!(
        "<w:p><m:f><m:num>{}</m:num><m:den>{}</m:den></m:f><m:sSup><m:e>{}</m:e><m:sup>{}</m:sup></m:sSup></w:p>",
        term("1"),
        term("12"),
        term("x"),
        term("3")
    );
    assert_eq!(read(&formula), "1/12 x³\n");
}

#[test]
fn raised_letters_and_styles_that_raise() {
    let shifted = |text: &str| format!("<w:r><w:rPr><w:vertAlign w:val='superscript'/></w:rPr><w:t>{text}</w:t></w:r>");
    let body = format!("<w:p>{}{}{}{}{}</w:p>", run("2"), shifted("n"), run(" 1"), shifted("st"), shifted("note"));
    assert_eq!(read(&body), "2ⁿ 1stnote\n");
    let styles = "<w:styles><w:style w:styleId='Sup'><w:basedOn w:val='Base'/></w:style><w:style w:styleId='Base'>\
        <w:rPr><w:vertAlign w:val='superscript'/></w:rPr></w:style><w:style w:styleId='Up'><w:rPr><w:position w:val='6'/>\
        </w:rPr></w:style><w:style w:styleId='A'><w:basedOn w:val='A'/></w:style></w:styles>";
    let mut reader = Reader { styles: Styles::read(styles).unwrap(), ..Reader::default() };
    let of_style = |style: &str, more: &str| {
        format!("<w:r><w:rPr><w:rStyle w:val='{style}'/>{more}</w:rPr><w:t>2</w:t></w:r>{}", run(" "))
    };
    let direct = "<w:vertAlign w:val='baseline'/>";
    let runs = ["Sup", "Up", "A", "None"].map(|style| of_style(style, "")).concat() + &of_style("Sup", direct);
    visit(&format!("<w:p>{runs}</w:p>"), FORMAT, MAIN, &mut reader).unwrap();
    assert_eq!(reader.text.finish(), "² ² 2 2 2\n");
}

#[test]
fn cells_and_fractions_of_formulas_stay_apart() {
    let term = |text: &str| format!("<m:r><m:t>{text}</m:t></m:r>");
    let row = |cells: &[&str]| {
        let cells: String = cells.iter().map(|cell| format!("<m:e>{}</m:e>", term(cell))).collect();
        format!("<m:mr>{cells}</m:mr>")
    };
    let over = |above: &str, below: &str| format!("<m:f><m:num>{above}</m:num><m:den>{below}</m:den></m:f>");
    for (body, expected, unclear) in [
        (format!("<m:d><m:e><m:m>{}{}</m:m></m:e></m:d>", row(&["1", "23"]), row(&["4", ""])), "(1 & 23 ;; 4 & )", 0),
        (format!("<m:eqArr><m:e>{}</m:e><m:e>{}</m:e></m:eqArr>", term("x"), term("y")), "x ;; y", 0),
        (format!("{}{}{}", term("2"), over(&term("a"), &term("bc")), term("d")), "2 a/bc d", 0),
        (over(&term("a+b"), &term("c")), "(a+b)/c", 1),
        (format!("{}{}", term("a+"), over(&term("b"), &term("c"))), "a+b/c", 0),
        (over(&over(&term("1"), &term("2")), &term("3")), "(1/2)/3", 1),
        (over("", &term("3")), "/3", 0),
        (over(&term("n"), &term("k")).replace("<m:num>", "<m:fPr><m:type m:val='noBar'/></m:fPr><m:num>"), "n ;; k", 0),
        (format!("<m:bar><m:e>{}</m:e></m:bar>", term("A")), "A\u{305}", 0),
        (format!("<m:sSup><m:e>{}</m:e><m:sup>{}</m:sup></m:sSup>", term("x"), term("th+1")), "xᵗʰ⁺¹", 0),
    ] {
        let mut reader = Reader::default();
        visit(&format!("<w:p>{body}</w:p>"), FORMAT, MAIN, &mut reader).unwrap();
        assert_eq!((reader.text.finish(), reader.fractions.unclear), (format!("{expected}\n"), unclear));
    }
}

#[test]
fn fields_without_a_result_are_read() {
    let mark = |kind: &str| format!("<w:r><w:fldChar w:fldCharType='{kind}'/></w:r>");
    let field = |instruction: &str, result: &str| {
        let said = format!("<w:r><w:instrText>{instruction}</w:instrText></w:r>");
        format!("<w:p>{}{said}{}{result}{}</w:p>", mark("begin"), mark("separate"), mark("end"))
    };
    for (body, expected) in [
        (field(r"EQ \f(1,2)", ""), r"\f(1,2)"),
        (field(r"EQ \f(1,2)", &run("1/2")), "1/2"),
        (field("SYMBOL 163 \\f &quot;Symbol&quot;", ""), "≤"),
        (field("PAGE", &run("7")), "7"),
        (r"<w:p><w:fldSimple w:instr='SYMBOL 179 \f Symbol'/></w:p>".to_owned(), "≥"),
        (
            field("FORMCHECKBOX", "").replace(
                "='begin'/>",
                "='begin'><w:ffData><w:checkBox><w:checked/></w:checkBox></w:ffData></w:fldChar>",
            ),
            "☑",
        ),
    ] {
        assert_eq!(read(&body), format!("{expected}\n"));
    }
}

#[test]
fn signs_that_are_no_text_are_read() {
    let term = "<m:r><m:t>x</m:t></m:r>";
    for (body, expected) in [
        (format!("<m:rad><m:deg/><m:e>{term}</m:e></m:rad>"), "√x"),
        (format!("<m:rad><m:deg><m:r><m:t>3</m:t></m:r></m:deg><m:e>{term}</m:e></m:rad>"), "³√x"),
        (format!("<m:d><m:e>{term}<m:sSup><m:e>{term}</m:e><m:sup/></m:sSup></m:e><m:e>{term}</m:e></m:d>"), "(xx|x)"),
        (
            format!(
                "<m:acc><m:accPr><m:chr m:val='~'/></m:accPr><m:e><m:groupChr><m:groupChrPr><m:chr m:val='⏞'/></m:groupChrPr><m:e>{term}</m:e></m:groupChr></m:e></m:acc>"
            ),
            "x⏞~",
        ),
        (
            "<w:r><w:rPr><w:vanish/></w:rPr><w:sym w:font='Symbol' w:char='F0A3'/></w:r><w:r><w:t>x</w:t></w:r>"
                .to_owned(),
            "x",
        ),
        (format!("<m:nary><m:naryPr><m:chr m:val='∏'/></m:naryPr><m:sub/><m:e>{term}</m:e></m:nary>"), "∏x"),
        (format!("<m:nary><m:naryPr/><m:e>{term}</m:e></m:nary>"), "∫x"),
        (format!("<m:d><m:dPr><m:begChr m:val='|'/><m:endChr m:val='|'/></m:dPr><m:e>{term}</m:e></m:d>"), "|x|"),
        (format!("<m:d><m:e>{term}<m:d><m:e>{term}</m:e></m:d></m:e></m:d>"), "(x(x))"),
        (format!("<m:acc><m:accPr><m:chr m:val='~'/></m:accPr><m:e>{term}</m:e></m:acc>"), "x~"),
        ("<w:r><w:sym w:font='Symbol' w:char='F0A3'/></w:r>".to_owned(), "≤"),
        (
            "<w:ddList><w:default w:val='1'/><w:listEntry w:val='No'/><w:listEntry w:val='Yes'/></w:ddList>".to_owned(),
            "Yes",
        ),
    ] {
        assert_eq!(read(&format!("<w:p>{body}</w:p>")), format!("{expected}\n"));
    }
}

#[test]
fn text_that_a_reader_may_not_see_is_counted() {
    let hidden = |body: &str| {
        let mut reader = Reader::default();
        visit(&format!("<w:document>{body}</w:document>"), FORMAT, MAIN, &mut reader).unwrap();
        let Hidden { white, tiny, outside, invisible } = reader.hidden;
        [white, tiny, outside, invisible]
    };
    let run = |properties: &str| format!("<w:r><w:rPr>{properties}</w:rPr><w:t>a b c</w:t></w:r>");
    let white = run("<w:color w:val='FFFFFF'/>");
    for (body, expected) in [
        (format!("<w:p>{white}{}</w:p>", run("")), [3, 0, 0, 0]),
        (format!("<w:p>{}</w:p>", run("<w:color w:val='fdfdff'/><w:sz w:val='2'/>")), [0, 3, 0, 0]),
        (format!("<w:p>{}</w:p>", run("<w:color w:val='auto'/><w:sz w:val='24'/>")), [0; 4]),
        (format!("<w:p>{}</w:p>", run("<w:vanish/>")), [0, 0, 0, 3]),
        // White letters on a background are seen.
        (format!("<w:p>{}</w:p>", run("<w:color w:val='FFFFFF'/><w:highlight w:val='black'/>")), [0; 4]),
        (format!("<w:p><w:pPr><w:shd w:fill='1F3864'/></w:pPr>{white}</w:p><w:p>{white}</w:p>"), [3, 0, 0, 0]),
        (
            format!(
                "<w:tc><w:tcPr><w:shd w:fill='1F3864'/></w:tcPr><w:p>{white}</w:p></w:tc><w:tc><w:p>{white}</w:p></w:tc>"
            ),
            [3, 0, 0, 0],
        ),
        (format!("<w:background w:color='000000'/><w:p>{white}</w:p>"), [0; 4]),
        (format!("<w:txbxContent><w:p>{white}</w:p></w:txbxContent>"), [0; 4]),
    ] {
        assert_eq!(hidden(&body), expected, "{body}");
    }
}

#[test]
fn marks_of_notes_are_raised_numbers() {
    let mark = |kind: &str, more: &str| {
        format!("<w:r><w:rPr><w:vertAlign w:val='superscript'/></w:rPr><w:{kind}Reference {more}/></w:r>")
    };
    for (body, expected) in [
        (
            format!("{}{}{}", run("He said “so.”"), mark("footnote", "w:id='7'"), run(" And left.")),
            "He said “so.”¹ And left.",
        ),
        (format!("{}{}{}", run("so"), mark("footnote", "w:id='2'"), run(", on")), "so ¹, on"),
        (
            format!("{}{}{}", mark("footnote", "w:id='2'").repeat(11), run("a"), mark("endnote", "w:id='2'")),
            "¹ ² ³ ⁴ ⁵ ⁶ ⁷ ⁸ ⁹ ¹⁰ ¹¹a ¹",
        ),
        // A mark of its own, a deleted and a hidden one.
        (
            format!(
                "{}{}<w:del>{}</w:del><w:r><w:rPr><w:vanish/></w:rPr><w:footnoteReference w:id='5'/></w:r>{}{}",
                mark("footnote", "w:customMarkFollows='1' w:id='3'"),
                run("* a."),
                mark("footnote", "w:id='4'"),
                run("b."),
                mark("footnote", "w:customMarkFollows='0' w:id='6'")
            ),
            "* a.b.¹",
        ),
    ] {
        assert_eq!(read(&format!("<w:p>{body}</w:p>")), format!("{expected}\n"));
    }
}

#[test]
fn a_text_box_is_read_once_and_after_its_paragraph() {
    let inner = format!("<w:txbxContent><w:p>{}</w:p></w:txbxContent>", run("boxed"));
    let body = format!(
        "<w:p>{}<w:r><mc:AlternateContent><mc:Choice>{inner}</mc:Choice><mc:Choice>{inner}</mc:Choice><mc:Fallback>{inner}</mc:Fallback>\
         </mc:AlternateContent></w:r>{}</w:p>",
        run("before "),
        run("after")
    );
    assert_eq!(read(&body), "before after\nboxed\n");
    let only =
        format!("<w:p><mc:AlternateContent><mc:Fallback>{}</mc:Fallback></mc:AlternateContent></w:p>", run("old"));
    assert_eq!(read(&only), "old\n");
}

#[test]
fn ruby_follows_what_it_stands_above() {
    let ruby = |above: &str, base: &str| {
        format!(
            "<w:r><w:ruby><w:rubyPr><w:hps w:val='10'/></w:rubyPr><w:rt>{}</w:rt><w:rubyBase>{}</w:rubyBase></w:ruby></w:r>",
            run(above),
            run(base)
        )
    };
    let page = format!("<w:p>{}{}{}{}</w:p>", run("私は"), ruby("かん", "漢"), ruby("じ", "字"), run("を"));
    assert_eq!(read(&page), "私は漢かん字じを\n");
    let odd = format!("<w:p>{}{}</w:p>", run("ä"), ruby("<w:p/>", "b"));
    assert_eq!(read(&odd), "ä\nb\n");
}
