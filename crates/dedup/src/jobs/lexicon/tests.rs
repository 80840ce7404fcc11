//! Importing dictionaries.

use std::fs;

use nearcopy::translate::Lexicon;

use super::*;

fn imported(files: &[(&str, &[u8])], languages: Option<[&str; 2]>) -> Result<(Imported, tempfile::TempDir)> {
    let folder = tempfile::tempdir().unwrap();
    for (name, content) in files {
        fs::write(folder.path().join(name), content).unwrap();
    }
    let job = Job {
        files: files.iter().map(|(name, _)| folder.path().join(name)).collect(),
        output: folder.path().join("out.lex"),
        languages: languages.map(|pair| pair.map(|name| name.parse().unwrap())),
        replace: Replace::Nothing,
    };
    Ok((import(&job, &())?, folder))
}

#[test]
fn a_dictionary_of_dictd_is_two_files() {
    let entries = "00-database-short\nSmall words\n00-database-info\nUnder no licence at all.\nMühle /my/ <n>\n1. mill\nHaus\nhouse";
    let at = |word: &str| entries.find(word).unwrap();
    let digits = |number: usize| -> String {
        let digit = |number: usize| b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"[number] as char;
        [digit(number / 64), digit(number % 64)].iter().collect()
    };
    let starts = [at("00-database-short"), at("00-database-info"), at("Mühle"), at("Haus\n"), entries.len()];
    let names = ["00databaseshort", "00databaseinfo", "mühle", "haus"];
    let line = |number: usize| {
        let (start, end) = (starts[number], starts[number + 1]);
        format!("{}\t{}\t{}\n", names[number], digits(start), digits(end - start))
    };
    let index: String = (0..4).map(line).collect();
    let files: [(&str, &[u8]); 2] = [("deu-eng.dict", entries.as_bytes()), ("deu-eng.index", index.as_bytes())];
    let (imported, folder) = imported(&files, None).unwrap();
    assert_eq!((imported.entries, imported.pairs), (2, 2));
    let lexicon = Lexicon::open(&folder.path().join("out.lex")).unwrap();
    assert_eq!(lexicon.head().name, "Small words");
    assert!(lexicon.head().licence.contains("no licence at all"), "{:?}", lexicon.head());
    assert_eq!(lexicon.head().sources.len(), 2);
    // A line that points elsewhere.
    let files: [(&str, &[u8]); 2] = [("deu-eng.dict", b"short"), ("deu-eng.index", index.as_bytes())];
    let error = super::tests::imported(&files, None).unwrap_err();
    assert!(error.to_string().contains("4 of its lines do not point into deu-eng.dict"), "{error}");
}

#[test]
fn tables_in_both_directions_make_one_lexicon() {
    let files: [(&str, &[u8]); 2] = [
        ("de-en.tsv", "# licence: CC0\nMühle\tmill, windmill\nHaus\thouse\n".as_bytes()),
        ("en-de.tsv", "house\tHaus\nroof\tDach\n".as_bytes()),
    ];
    let (imported, _) = imported(&files, None).unwrap();
    assert_eq!(imported.languages.map(Language::code), ["deu", "eng"]);
    assert_eq!((imported.entries, imported.pairs), (4, 4), "house and Haus are one pair");
}

#[test]
fn languages_must_be_told() {
    let table: &[u8] = b"house\tmaison\n";
    assert_eq!(imported(&[("words.tsv", table)], Some(["eng", "fra"])).unwrap().0.pairs, 1);
    let error = imported(&[("words.tsv", table)], None).unwrap_err();
    assert!(error.to_string().contains("--from"), "{error}");
    let error = imported(&[("en-fr.tsv", table), ("de-en.tsv", b"Haus\thouse\n")], None).unwrap_err();
    assert!(error.to_string().contains("two lexicons"), "{error}");
}

#[test]
fn other_files_are_refused() {
    for content in [&b""[..], b"no table at all\n", b"\xff\xfe\ta\n"] {
        let error = imported(&[("en-fr.tsv", content)], None).unwrap_err();
        assert!(error.to_string().contains("en-fr.tsv: is no dictionary"), "{error}");
    }
    assert!(imported(&[("en-fr.index", b"a\tA\tB\n")], None).unwrap_err().to_string().contains("not beside it"));
}
