//! A change of an index that is killed at any moment is made in full or not at all, and the next one works.

use std::collections::BTreeMap;
use std::fs;
use std::process::Stdio;

use crate::folder::Folder;
use crate::letters::segment_files;
use crate::moments::Moments;
use crate::texts::{Numbers, lines_of};

/// Number of kills that each story asks for, and number of kills that come after the change has begun to write.
const KILLS: usize = 50;
const KILLS_AMID: usize = 20;

/// The contents of an index: ids, and the digests of their texts.
type Model = BTreeMap<String, String>;

fn digest(text: &str) -> String {
    blake3::hash(text.as_bytes()).to_hex()[..32].to_owned()
}

/// The contents that the index lists.
fn held(folder: &Folder) -> Model {
    let rows = folder.dedup("index list --format jsonl letters");
    rows.code_is(0);
    let field = |row: &serde_json::Value, name: &str| row[name].as_str().unwrap().to_owned();
    let rows: Vec<_> = rows.jsonl().iter().map(|row| (field(row, "id"), field(row, "digest"))).collect();
    let held: Model = rows.iter().cloned().collect();
    assert_eq!(held.len(), rows.len(), "no id is twice");
    held
}

/// The file names in the folder of the index, and the bytes of the manifest.
fn trace(folder: &Folder) -> BTreeMap<String, Vec<u8>> {
    let mut files = folder.files("letters");
    files.iter_mut().filter(|(name, _)| *name != "manifest").for_each(|(_, bytes)| bytes.clear());
    files
}

/// Changes of every kind.
struct Changes {
    numbers: Numbers,
    made: usize,
    /// Every text by its digest.
    texts: BTreeMap<String, String>,
}

const KINDS: usize = 5;

impl Changes {
    fn document(&mut self) -> (String, String) {
        self.made += 1;
        (format!("d{:05}", self.made), self.text())
    }

    fn text(&mut self) -> String {
        let text = self.numbers.text(12);
        self.texts.insert(digest(&text), text.clone());
        text
    }

    fn some_ids(&mut self, model: &Model, count: usize) -> Vec<String> {
        let all: Vec<&String> = model.keys().collect();
        let count = count.min(all.len());
        let mut ids: Vec<String> = (0..count).map(|_| all[self.numbers.below(all.len())].clone()).collect();
        ids.sort_unstable();
        ids.dedup();
        ids
    }

    /// The next change of this kind: its command, and the contents of the index after it.
    fn next(&mut self, kind: usize, moment: usize, folder: &Folder, model: &Model) -> (&'static str, Model) {
        let mut after = model.clone();
        let write = |name: &str, content: String| fs::write(folder.path().join(name), content).unwrap();
        match kind {
            // Growing batches, in which some documents have a known id and another text.
            0 => {
                let mut batch: Vec<_> = (0..4 + moment).map(|_| self.document()).collect();
                for id in self.some_ids(model, 3) {
                    batch.push((id, self.text()));
                }
                for (id, text) in &batch {
                    after.entry(id.clone()).or_insert_with(|| digest(text));
                }
                write("batch.jsonl", lines_of(&batch));
                ("index add -q --skip --id-field id letters batch.jsonl", after)
            }
            1 => {
                let ids = self.some_ids(model, 2 + moment / 4);
                let batch: Vec<_> = ids.into_iter().map(|id| (id, self.text())).collect();
                after.extend(batch.iter().map(|(id, text)| (id.clone(), digest(text))));
                write("batch.jsonl", lines_of(&batch));
                ("index add -q --replace --id-field id letters batch.jsonl", after)
            }
            2 => {
                let ids = self.some_ids(model, 1 + moment / 4);
                after.retain(|id, _| !ids.contains(id));
                write("gone.txt", ids.iter().map(|id| format!("{id}\n")).collect());
                ("index remove -q letters --from gone.txt", after)
            }
            3 => ("index compact -q letters", after),
            // Small batches, which are merged with existing segments.
            _ => {
                let (id, text) = self.document();
                after.insert(id.clone(), digest(&text));
                write("batch.jsonl", lines_of(&[(id, text)]));
                ("index add -q --skip --id-field id letters batch.jsonl", after)
            }
        }
    }
}

/// Runs a change to its end.
fn undisturbed(folder: &Folder, line: &str) {
    let answer = folder.dedup(line);
    // Documents that a killed removal has removed are missing, so removing them again fails.
    assert!(answer.code == 0 || line.contains("remove") && answer.code == 2, "{line}: {answer:?}");
}

fn survives_kills(create: &str, seed: u64) {
    let folder = Folder::new();
    folder.dedup(create).quietly(0);
    let mut changes = Changes { numbers: Numbers(seed), made: 0, texts: BTreeMap::new() };
    let mut model = Model::new();
    let mut moments = [const { None }; KINDS];
    for kind in [0, 1, 2, 4, 4, 4, 3, 4] {
        let (line, after) = changes.next(kind, 0, &folder, &model);
        moments[kind] = Some(Moments::of(|| undisturbed(&folder, line)));
        model = after;
        assert_eq!(held(&folder), model, "{line}");
    }
    let mut moments = moments.map(Option::unwrap);
    let (mut moment, mut kills, mut amid) = (0, 0, 0);
    while kills < KILLS || amid < KILLS_AMID {
        let kind = [0, 4, 1, 4, 2, 4, 3][moment % 7];
        let (line, after) = changes.next(kind, moment, &folder, &model);
        let before = trace(&folder);
        let mut run = folder.command(line).stderr(Stdio::inherit()).spawn().unwrap();
        let code = moments[kind].kill(&mut run);
        assert!(matches!(code, None | Some(0)), "{line}: {code:?}");
        let left = trace(&folder) != before;
        folder.dedup("index verify letters").code_is(0);
        let now = held(&folder);
        if code.is_some() {
            assert_eq!(now, after, "what was acknowledged is there: {moment} {line}");
        } else {
            kills += 1;
            amid += usize::from(left);
            assert!(now == model || now == after, "all or nothing: {moment} {line}");
        }
        model = now;
        // At every other moment the same change runs again to its end.
        if moment % 2 == 0 {
            undisturbed(&folder, line);
            model = after;
            assert_eq!(held(&folder), model, "{moment} {line}");
        }
        moment += 1;
    }
    // The next change removes leftover files.
    folder.dedup("index compact -q letters").quietly(0);
    assert_eq!(held(&folder), model);
    let info = folder.dedup("index info --format json letters").json();
    assert_eq!((&info["documents"], &info["removed"]), (&model.len().into(), &0.into()));
    assert_eq!(segment_files(&folder, "letters"), 1);
    let all: Vec<_> = model.iter().map(|(id, digest)| (id.clone(), changes.texts[digest].clone())).collect();
    fs::write(folder.path().join("all.jsonl"), lines_of(&all)).unwrap();
    let found =
        folder.dedup("index query -q --format jsonl --distance 0 --similarity none --id-field id letters all.jsonl");
    let own: Vec<_> =
        found.jsonl().into_iter().filter(|row| row["a"] == row["b"]).map(|row| row["a"].clone()).collect();
    assert_eq!(own, all.iter().map(|(id, _)| id.as_str()).collect::<Vec<_>>(), "each is found by its text");
}

#[test]
fn a_killed_change_is_made_or_not() {
    survives_kills("index create letters --language und", 31);
}

#[test]
fn a_killed_change_of_texts_is_made_or_not() {
    survives_kills("index create letters --language und --passages", 32);
}
