use proptest::prelude::*;

use super::*;

fn between(before: &str, gap: &str, behind: &str) -> End {
    let text = [before, gap, behind].concat();
    Ends::default().between(&text, before.len()..before.len() + gap.len())
}

proptest! {
    #[test]
    fn gaps_are_skipped_only_if_nothing_ends(
        before in "([a-zA-Z0-9éα五海$* \"'“]{0,8}[a-zA-Z0-9éα五海$+])?",
        gap in "[ \t\n\r,;:()\"'./!?&|<>*~#+@=^_\\\\\\[\\]†′–—…。✓▲•”’，？-]{0,5}",
        behind in "([a-zA-Z0-9é五海$€+]{0,2}|EUR 5)",
    ) {
        prop_assert_eq!(between(&before, &gap, &behind), Ends::default().read(&before, &gap, &behind));
        if !may_be_apart(&before, &gap, &behind) {
            prop_assert_eq!(behind_word(&before, &gap, &behind).chain(before_word(&before, &gap, &behind)).next(), None);
        }
    }
}

#[test]
fn sentences_and_lines_end_between_words() {
    for (gap, behind, sentence, line) in [
        (" ", "Word", false, false),
        (", ", "Word", false, false),
        (". ", "Word", true, false),
        (".\" (", "Word", true, false),
        ("?» ", "Word", true, false),
        ("\n", "Word", false, true),
        (".\r\n", "Word", true, true),
        // Part of the next word, a list's comma, an unfinished sentence.
        (" .", "Word", false, false),
        ("., ", "Word", false, false),
        ("... ", "Word", false, false),
        ("… ", "Word", false, false),
        // The sentence goes on.
        (". ", "word", false, false),
        (". ", "5", false, false),
        ("\n", "word", false, false),
        ("\n\n", "word", false, true),
        ("\r\n \r\n", "word", false, true),
        // Signs of scripts without spaces.
        ("。", "海", true, false),
        ("。」", "と", false, false),
        ("।", "क", true, false),
        ("、", "海", false, false),
    ] {
        let found = between("Some words", gap, behind);
        assert_eq!((found.sentence, found.line), (sentence, line), "{gap:?} {behind}");
    }
    assert!(!between("the paper denies it", ",\n", "The bridge").line);
    assert!(between("the paper denies it", ",\n\n", "The bridge").line);
    for abbreviated in
        ["Cllr", "zzgl", "др", "VIII", "Supt", "Art", "vs", "J", "3", "No", "p.m", "usw", "Prof", "Sept", "max", "1st"]
    {
        assert!(!between(abbreviated, ". ", "Word").sentence, "{abbreviated}");
    }
    for word in ["it", "ab", "Elephants", "so"] {
        assert!(between(word, ". ", "Word").sentence, "{word}");
    }
}

#[test]
fn a_text_ends_with_a_sentence_or_is_cut_off() {
    for (end, expected) in [(".", true), (".\n", true), ("!)", true), ("", false), ("\n", false), ("...", false)] {
        assert_eq!(between("some words", end, "").sentence, expected, "{end:?}");
    }
}

#[test]
fn some_signs_between_words_carry_meaning() {
    let signs = |gap: &str| between("some", gap, "words").signs;
    for gap in [" ", ", ", "! ", " • ", " – ", "\n- ", "\n▪ ", "\n* "] {
        assert_eq!(signs(gap), 0, "{gap:?}");
    }
    let all = [" ✓ ", " ✗ ", " \u{1F44D} ", " \u{1F44E} ", "? ", " (!"].map(signs);
    assert!(all.iter().all(|&signs| signs != 0));
    assert_eq!(all.iter().collect::<std::collections::BTreeSet<_>>().len(), all.len());
}

#[test]
fn operators_carry_meaning_and_tables_and_quotations_do_not() {
    let signs = |gap: &str| between("some", gap, "words").signs;
    for gap in [" | ", " |\n| ", " |||| ", "\n> ", "\n>> > ", "\n|\n"] {
        assert_eq!(signs(gap), 0, "{gap:?}");
    }
    let all = [" && ", " || ", " & ", " <\n", " >\n", " > \n> "].map(signs);
    assert!(all.iter().all(|&signs| signs != 0));
    assert_ne!(all[0], all[1]);
    assert_ne!(all[0], all[2]);
    assert_ne!(all[3], all[4]);
    assert_eq!(all[4], all[5]);
}

#[test]
fn a_sign_between_two_numbers_carries_meaning() {
    let signs = |gap: &str| between("1", gap, "2").signs;
    let all = ["/", ":", "-", "*", "^", "·"].map(signs);
    assert!(all.iter().all(|&signs| signs != 0));
    assert_eq!(all.iter().collect::<std::collections::BTreeSet<_>>().len(), all.len());
    for dash in ["–", "‐", "\u{2212}"] {
        assert_eq!(signs(dash), signs("-"));
    }
    for gap in ["/", ":", "-", "*"] {
        for (before, behind) in [(" ", " "), ("  ", "  "), ("\u{A0}", "\u{A0}"), (" ", "\n")] {
            assert_eq!(signs(&format!("{before}{gap}{behind}")), signs(gap), "{gap}");
        }
    }
    let divided = signs(" ");
    assert_eq!(["  ", "\u{A0}", "\n", "\n\n", ", "].map(signs), [divided, divided, divided, 0, 0]);
    for gap in [", ", ": ", "; ", "\n* "] {
        assert_eq!(signs(gap), 0, "{gap:?}");
    }
    assert_eq!(between("1", "-", "b").signs, 0);
    assert_eq!(between("1e", "-", "3").signs, signs("-"));
}

#[test]
fn a_sign_before_a_number_carries_meaning() {
    let signs = |before: &str, gap: &str| between(before, gap, "5").signs;
    let all = [" .", " ~", " (", " –", " #", " [", " \\"].map(|gap| signs("of", gap));
    assert!(all.iter().all(|&signs| signs != 0));
    assert_eq!(all.iter().collect::<std::collections::BTreeSet<_>>().len(), all.len());
    assert_eq!((signs("", "."), signs("of", " (—")), (all[0], all[3]));
    for gap in [". ", "... ", " – ", " ( ", ": ", "...", ")"] {
        assert_eq!(signs("of", gap), 0, "{gap:?}");
    }
    assert_eq!(between("f", " (", "x").signs, 0);
    for (before, gap, behind) in [
        ("was", " -", "$300"),
        ("was", " −", "€300"),
        ("was", " -", "฿300"),
        ("US$", "(", "300"),
        ("was", " -", "kr 300"),
    ] {
        assert_ne!(between(before, gap, behind).signs, 0, "{before}{gap}{behind}");
    }
    for (before, gap, behind) in [
        ("a", "\n-", "word"),
        ("well", "-", "known"),
        ("so", " –", "word"),
        ("c", "*", "5"),
        ("a", " -", "v"),
        ("a", "\n(", "1) First"),
    ] {
        assert_eq!(between(before, gap, behind).signs, 0, "{before}{gap}{behind}");
    }
    let behind = ["′ ", "″ "].map(|gap| between("14", gap, "long").signs);
    assert!(!behind.contains(&0) && behind[0] != behind[1]);
}

#[test]
fn signs_of_other_scripts_carry_the_meaning_of_those_of_ascii() {
    let signs = |before: &str, gap: &str, behind: &str| between(before, gap, behind).signs;
    for question in ["？", "؟ ", "\u{37E} ", "՞ "] {
        assert_eq!(signs("来", question, "我"), signs("来", "? ", "我"), "{question}");
    }
    assert_eq!(signs("αύριο", "; ", "Ναι"), signs("αύριο", "? ", "Ναι"));
    assert_eq!(signs("demain", "; ", "oui"), 0);
    assert_eq!(signs("甲", "／", "乙"), signs("甲", "/", "乙"));
    assert_eq!(signs("甲", "＆", "乙"), signs("甲", "&", "乙"));
    let ranges = ["～", "・", "－"].map(|gap| signs("3", gap, "5"));
    assert!(!ranges.contains(&0) && ranges[0] != ranges[1] && ranges[1] != ranges[2]);
    let numbers = ["・", "、", "．", "."].map(|gap| signs("二", gap, "三"));
    assert!(!numbers.contains(&0) && numbers[2] == numbers[3] && numbers[0] != numbers[1]);
    assert_eq!(signs("海", "、", "三"), 0);
    for minus in ["–", "—", "，–"] {
        assert_eq!(signs("是", minus, "5"), signs("of", " –", "5"), "{minus}");
    }
    assert_eq!(signs("是", "-", "五"), signs("of", " –", "5"));
    assert_eq!(signs("是", "——", "5"), 0);
    assert!(signs("利益は", "▲", "5") != 0 && signs("利益は", "▲", "5") != signs("利益は", "△", "5"));
    let bullets = ["\n▪ ", "\n•", "\n➢ ", "\n\u{F0B7} "];
    assert_eq!(bullets.map(|bullet| signs("word", bullet, "Word")), [0; 4]);
    assert_eq!([signs("", "► ", "Word"), signs("太好了", "！", "我们")], [0; 2]);
    assert_eq!(signs("3", "～", "5"), signs("3", "〜", "5"));
    assert_eq!(signs("IFN-γ", "; ", "IL"), 0);
    assert_eq!(signs("(αύριο", "); ", "Ναι"), signs("αύριο", "? ", "Ναι"));
}

#[test]
fn a_sign_that_begins_a_line_carries_meaning_unless_it_is_a_bullet() {
    let signs = |gap: &str, behind: &str| between("word", gap, behind).signs;
    for pair in [["≥", "≤"], ["→", "←"], ["●", "○"], ["■", "□"], ["▲", "▼"], ["¬", "±"], ["•", "◦"]]
    {
        let [a, b] = pair.map(|sign| signs(&format!("\n{sign} "), "Word"));
        assert_ne!(a, b, "{pair:?}");
    }
    let minus = signs("\n- ", "500");
    assert_ne!(minus, 0);
    assert_eq!(["\n– ", "\n -\u{A0}"].map(|gap| signs(gap, "500")), [minus; 2]);
    assert_eq!(between("", "- ", "500").signs, minus);
    assert_eq!([signs("\n- ", "in"), signs(" - ", "500")], [0; 2]);
    assert_eq!([signs("\n~ ", "5"), signs(" ~ ", "5")], [signs(" ~", "5"); 2]);
    assert!(signs("\n(", "500") != 0 && signs("\n(", "500 EUR)") != 0);
    assert!(signs(" (", "EUR 500)") != 0 && signs(" (", "for 5 days)") == 0);
}

#[test]
fn signs_behind_a_number_or_in_brackets_carry_meaning() {
    let signs = |before: &str, gap: &str, behind: &str| between(before, gap, behind).signs;
    for (before, gap, behind) in [("500", "-", ""), ("500", "- ", "and"), ("500", "-\n", "Next")] {
        assert_eq!(signs(before, gap, behind), signs("A", "- ", "or"), "{before}{gap}{behind}");
    }
    for (before, gap, behind) in [("50", "-", "metre"), ("50", "-\n", "metre"), ("word", "* ", "Word")] {
        assert_eq!(signs(before, gap, behind), 0, "{before}{gap}{behind}");
    }
    let stars = [("A", "* "), ("0.05", "** "), ("0.05", "*** ")].map(|(before, gap)| signs(before, gap, "or"));
    assert!(!stars.contains(&0) && stars[0] != stars[1] && stars[1] != stars[2]);
    for emphasised in ["*A", "**Total: 5"] {
        assert_eq!(signs(emphasised, "** ", "or"), 0, "{emphasised}");
    }
    let dashes = [("A", "– "), ("HIV", "\u{2011} "), ("A", "－ "), ("血型为A", "-，"), ("1e", "–")];
    for (before, gap) in dashes {
        assert_eq!(signs(before, gap, "5"), signs("A", "- ", "5"), "{before}{gap}");
    }
    assert_eq!(signs("A", "-\n\n", "Next"), signs("A", "- ", "Next"));
    assert_eq!(signs("eval +", "- ", "now"), signs("eval", " +- ", "now"));
    assert_eq!(signs("eval", " −", "+ now"), signs("eval", " -+ ", "now"));
    assert_eq!(signs("was", " –", "EUR 5"), signs("was", " -", "EUR 5"));
    let pairs = [" +- ", " -+ ", " +− ", " (-+) "].map(|gap| signs("word", gap, "word"));
    assert!(!pairs.contains(&0) && pairs[0] != pairs[1] && pairs[0] == pairs[2] && pairs[1] == pairs[3]);
    assert_eq!(signs("a", "｜｜", "b"), signs("a", "||", "b"));
    let blocks = ["▁▂▇", "▇▂▁", "█░"].map(|gap| signs("word", gap, "word"));
    assert!(!blocks.contains(&0) && blocks[0] != blocks[1]);
    assert!(signs("12", "@", "15") != 0 && signs("12", "@", "15") != signs("12", " # ", "15"));
    let marks = [" (+) ", " (-) ", "\n[*] ", " (!) "].map(|gap| signs("word", gap, "word"));
    assert!(!marks.contains(&0));
    assert_eq!([signs("word", "\n[ ] ", "word"), signs("word", " (.) ", "word")], [0; 2]);
}

#[test]
fn empty_cells_carry_meaning() {
    let signs = |gap: &str| between("Meyer", gap, "300").signs;
    assert_eq!([signs(";"), signs("; "), signs(",")], [0; 3]);
    assert!(![signs(";;"), signs(",,")].contains(&0));
    assert_ne!(signs(";;"), signs(";;;"));
    for gap in [";\"\";", "; ;", ";-;", "; – ;"] {
        assert_eq!(signs(gap), signs(";;"), "{gap:?}");
    }
    for gap in [" | | ", " | - | ", " | |\n| ", "\n| | "] {
        assert_ne!(signs(gap), 0, "{gap:?}");
    }
    for gap in [", \",\", ", " |\n|---|---|\n| ", " |\n|-|-|\n| ", "\n|  |\n", " | "] {
        assert_eq!(signs(gap), 0, "{gap:?}");
    }
    assert_eq!(between("Meyer", "\n;;;", "").signs, 0);
}

#[test]
fn a_slash_between_words_and_a_hyphen_behind_a_letter_carry_meaning() {
    assert_ne!(between("a", "/", "b").signs, 0);
    assert_ne!(between("an A", "- ", "or").signs, 0);
    assert_ne!(between("an A", "-.", "").signs, 0);
    assert_ne!(between("is HIV", "- ", "or").signs, 0);
    assert_eq!(between("die EU", "-\n", "und").signs, between("die EU", "- ", "und").signs);
    assert_eq!(between("die NATO", "-\n", "Staaten").signs, 0);
    assert_ne!(between("group O", "-\n", "Name").signs, 0);
    for gap in ["-; ", "-, ", "-.", "-) ", "-|", "-\" ", "-\n\n", "- "] {
        assert_ne!(between("Saldo 500", gap, "paid").signs, 0, "{gap:?}");
    }
    for gap in ["-", "--", "-\n"] {
        assert_eq!(between("ein 25", gap, "jähriger").signs, 0, "{gap:?}");
    }
    for (before, gap) in [("a", " / "), ("", "/"), ("path", "/ "), ("A", "-"), ("A", "-\n"), ("A", "--"), ("Ab", "- ")]
    {
        assert_eq!(between(before, gap, "b").signs, 0, "{before}{gap:?}");
    }
}

#[test]
fn feet_are_no_inches_and_quotations_are_neither() {
    let sign = |text: &str| {
        let at = text.find('|').unwrap();
        let (before, rest) = (&text[..at], &text[at + 1..]);
        let end = rest.find(char::is_alphanumeric).unwrap_or(rest.len());
        between(before, &rest[..end], &rest[end..]).signs
    };
    let [feet, inches] = ["a 5|' x", "a 5|\" x"].map(sign);
    assert!(feet != 0 && inches != 0 && feet != inches);
    for text in ["5|'", "a 5|’ b", "it isn't 5|' wide", "'so' 5|' wide", "5|′"] {
        assert_eq!(sign(text), feet, "{text}");
    }
    for text in ["5|\"", "\"Yes,\" 5|\" wide", "\"Yes.\" 5|\"", "12\" by 5|\"", "“5” and 5|”", "5|″ b"] {
        assert_eq!(sign(text), inches, "{text}");
    }
    for text in
        ["\"5|\" b", "'it isn't 5|'", "“in 1990|” b", "„5|” b", "``5|''", "1990|'s", "[\"4\", \"5|\"]", "x=\"5|\""]
    {
        assert_eq!(sign(text), 0, "{text}");
    }
}
