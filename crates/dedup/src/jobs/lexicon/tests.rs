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

/// The name says which column is which, and --from and --to which way round the lexicon is; they must be of the same
/// languages.
#[test]
fn a_name_and_the_languages_asked_for_must_agree() {
    let table: &[u8] = b"house\tmaison\n";
    let (same, _) = imported(&[("en-fr.tsv", table)], Some(["eng", "fra"])).unwrap();
    assert!(same.notices.is_empty());
    let (turned, folder) = imported(&[("en-fr.tsv", table)], Some(["fra", "eng"])).unwrap();
    assert_eq!(turned.languages.map(Language::code), ["fra", "eng"]);
    let [Notice::Turned { file, languages }] = &turned.notices[..] else { panic!("{:?}", turned.notices) };
    assert_eq!((file, languages.map(Language::code)), (&shown(&folder.path().join("en-fr.tsv")), ["eng", "fra"]));
    let error = imported(&[("en-fr.tsv", table)], Some(["deu", "eng"])).unwrap_err().to_string();
    assert!(error.contains("its name says English to French, but --from and --to say German to English"), "{error}");
    let cedict = "風車 风车 [feng1 che1] /windmill/\n".as_bytes();
    assert!(imported(&[("cedict.txt", cedict)], Some(["eng", "cmn"])).unwrap().0.languages[0].code() == "eng");
    let error = imported(&[("cedict.txt", cedict)], Some(["deu", "eng"])).unwrap_err().to_string();
    assert!(error.contains("it is Chinese to English"), "{error}");
}

#[test]
fn exchanged_columns_are_noticed() {
    let german = "Apfel Brücke Fenster Garten Himmel Kirche Löffel Mühle Nachbar Schlüssel Straße Tochter Wagen Zwiebel \
        Bäcker Dorf Eichhörnchen Frühling Geschwister Hügel Jahrhundert König Landschaft Messer Nachmittag Ofen Pfeffer Quelle \
        Regenschirm Schreibtisch Teller Überraschung Vogel Weihnachten Zeitung Ärger Blume Donnerstag Erdbeere Flasche Gefängnis \
        Hochzeit Kartoffel Lehrer Mädchen Nähmaschine Obst Pflaume Rathaus Schmetterling Taschentuch Unterschied Versprechen Wäsche \
        Bruder Stoff Wald Leiter Spiegel Nadel Kissen Dach Schulter Donner Gemüse Flüstern Jugend Wissen Weisheit Gelächter \
        Freundschaft nördlich südlich Atmen ob obwohl durch Stärke Länge Gewicht Höhe";
    let english = "apple bridge window garden heaven church spoon mill neighbour key street daughter carriage onion \
        baker village squirrel spring siblings hill century king landscape knife afternoon oven pepper source \
        umbrella desk plate surprise bird christmas newspaper anger flower thursday strawberry bottle prison \
        wedding potato teacher girl sewing-machine fruit plum townhall butterfly handkerchief difference promise laundry \
        brother cloth forest ladder mirror needle pillow roof shoulder thunder vegetable whisper youth knowledge wisdom laughter \
        friendship northern southern breathe whether although through strength length weight height";
    let rows = |first: &str, second: &str, most: usize| -> String {
        let rows = first.split_whitespace().zip(second.split_whitespace()).take(most);
        rows.map(|(word, other)| format!("{word}\t{other}\n")).collect()
    };
    let noticed =
        |table: &str, name: &str, languages| imported(&[(name, table.as_bytes())], languages).unwrap().0.notices;
    let asked = Some(["deu", "eng"]);
    assert_eq!(noticed(&rows(german, english, usize::MAX), "words.tsv", asked), []);
    let reversed = rows(english, german, usize::MAX);
    let [Notice::Reversed { languages, is_named: false, .. }] = &noticed(&reversed, "words.tsv", asked)[..] else {
        panic!()
    };
    assert_eq!(languages.map(Language::code), ["deu", "eng"]);
    let [Notice::Reversed { is_named: true, .. }] = &noticed(&reversed, "de-en.tsv", None)[..] else { panic!() };
    assert_eq!(noticed(&rows(english, german, 20), "words.tsv", asked), [], "too few to tell");
    // In another script nothing in the wrong column is a translation.
    let russian = "ёлка мышь рыба этаж сыр музыка объявление быстрый крыша язык чёрный эхо посылка подъезд ".repeat(6);
    let error =
        imported(&[("ru-en.tsv", rows(english, &russian, usize::MAX).as_bytes())], None).unwrap_err().to_string();
    assert!(error.contains("no translation in English was found, and its headwords look English"), "{error}");
}

#[test]
fn other_files_are_refused() {
    for (content, what) in [
        (&b""[..], "it is empty"),
        (b"no table at all\n", "no line has a word, a tab and its translations"),
        (b"\xff\xfe\ta\n", "it is not UTF-8; convert it with iconv"),
        (b"caf\xe9\tcoffee\n", "it is not UTF-8; convert it with iconv"),
        (b"\x7fELF\x02\x01\x01\x00\x00\x00", "it is not a text"),
        (b"word\ttranslation\x00\n", "it is not a text"),
    ] {
        let error = imported(&[("en-fr.tsv", content)], None).unwrap_err();
        assert!(
            error.to_string().contains(&format!("en-fr.tsv: is no dictionary that can be imported: {what}; ")),
            "{error}"
        );
    }
    let error = imported(&[("en-fr.dict", b"word\nmot\n")], None).unwrap_err();
    assert!(error.to_string().contains("its index, en-fr.index, is not beside it"), "{error}");
    let error = imported(&[("en-fr.index", b"")], None).unwrap_err();
    assert!(error.to_string().contains("it is empty"), "{error}");
    assert!(imported(&[("en-fr.index", b"a\tA\tB\n")], None).unwrap_err().to_string().contains("not beside it"));
}
