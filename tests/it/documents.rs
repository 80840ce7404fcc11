//! A corpus of a few documents in each format of records, and what was cut from them.

use serde_json::{Value, json};

use crate::folder::{Folder, jsonl as parsed};
use crate::texts::{jsonl, quoted};

/// Ids and texts.
pub(crate) type Documents = Vec<(&'static str, String)>;

/// The documents as JSON Lines.
pub(crate) fn lines_of(documents: &Documents) -> String {
    jsonl(&documents.iter().map(|(id, text)| (*id, &**text)).collect::<Vec<_>>())
}

/// A record whose text is null.
pub(crate) const NULL: &str = "{\"id\":\"null\",\"text\":null}\n";

/// What `--summary run.json` wrote of a command line, with the parts checked that every run has.
pub(crate) fn object_of_run(folder: &Folder, line: &str) -> Value {
    let run: Value = serde_json::from_str(&folder.read_text("run.json")).unwrap();
    let command = line.split(' ').next();
    assert_eq!((&run["version"], run["command"].as_str()), (&json!(env!("CARGO_PKG_VERSION")), command));
    // Arguments with an equals sign are quoted for a shell.
    assert_eq!(run["command_line"].as_str().unwrap().replace('\'', ""), format!("dedup {line}"));
    let stages = run["stages"].as_array().unwrap();
    let sum: f64 = stages.iter().map(|stage| stage["seconds"].as_f64().unwrap()).sum();
    assert!(sum <= run["seconds"].as_f64().unwrap() + 0.01, "{run}");
    assert!(!cfg!(target_os = "linux") || run["peak_memory"].as_u64().unwrap() > 1 << 20, "{run}");
    run
}

/// A record as written by hand in `lines.jsonl`.
pub(crate) fn by_hand(id: &str, text: &str) -> String {
    format!("{{\"n\": 1.50, \"text\" : {}, \"id\":\"{id}\"}}\r\n", quoted(text))
}

/// The documents in each format of records, and the names of these files.
pub(crate) fn in_each_format(folder: Folder, documents: &Documents) -> (Folder, Vec<&'static str>) {
    let rows = documents.iter().map(|(id, text)| format!("{id},\"{}\",x\r\n", text.replace('"', "\"\"")));
    let table = "id,text,more\r\n".to_owned() + &rows.collect::<String>();
    let lines: String = documents.iter().map(|(id, text)| by_hand(id, text)).collect();
    let folder = folder.file("table.csv", table).file("lines.jsonl", lines);
    #[cfg(feature = "parquet")]
    let folder = {
        let [ids, texts]: [Vec<&str>; 2] =
            [documents.iter().map(|it| it.0).collect(), documents.iter().map(|it| &*it.1).collect()];
        folder.file("columns.parquet", crate::texts::parquet(&[("id", &ids), ("text", &texts)]))
    };
    let names = ["table.csv", "lines.jsonl", "columns.parquet"];
    let names = names.into_iter().filter(|name| folder.path().join(name).exists()).collect();
    (folder, names)
}

/// The documents that a command wrote, as another command reads them.
pub(crate) fn read_again(folder: &Folder, name: &str) -> Vec<Value> {
    folder.dedup(&format!("fingerprint -q --id-field id {name} -o out.fp --force")).quietly(0);
    folder.dedup("cat out.fp").jsonl()
}

pub(crate) fn number(value: &Value) -> usize {
    usize::try_from(value.as_u64().unwrap()).unwrap()
}

/// What `out.NAME` kept and what its list has are the texts; returns the number of cuts.
pub(crate) fn all_is_kept_or_listed(folder: &Folder, name: &str, documents: &Documents, more: &str) -> usize {
    let kept = read_again(folder, &format!("out.{name}"));
    let cuts = parsed(&folder.read_text(&format!("out.{name}.cut.jsonl")));
    for (id, text) in documents {
        let of: Vec<_> = cuts.iter().filter(|cut| cut["id"] == *id).collect();
        let listed: usize = of.iter().map(|cut| number(&cut["end_bytes"]) - number(&cut["start_bytes"])).sum();
        let left = kept.iter().find(|document| document["id"] == *id).map_or(0, |it| number(&it["bytes"]));
        assert_eq!(left + listed, text.len(), "{name} {more} {id}");
        for cut in of {
            let bytes = &text[number(&cut["start_bytes"])..number(&cut["end_bytes"])];
            let [start, end] = ["start", "end"].map(|key| number(&cut[key]));
            assert_eq!(bytes, text.chars().skip(start).take(end - start).collect::<String>());
        }
    }
    cuts.len()
}

/// A number of bytes as summaries say it, of less than a million.
pub(crate) fn in_units(bytes: usize) -> String {
    match bytes {
        0..1000 => format!("{bytes} bytes"),
        1000..10_000 => format!("{} kB", (bytes / 10) as f64 / 100.0),
        _ => format!("{} kB", (bytes / 100) as f64 / 10.0),
    }
}
