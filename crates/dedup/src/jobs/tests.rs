//! Random sequences of commands in which steps on the disk, and the start of threads, fail on purpose. After each command nothing is lost and
//! nothing is half: every output is that of before or that of an undisturbed run, and the index is sound and has the
//! documents of before or those of after.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use nearcopy::durable::disk::Step;
use nearcopy::durable::faults::{failing, unsupported};
use nearcopy::durable::place::Replace;
use nearcopy::fingerprint::Options;
use nearcopy::observer::{Observer, Read};
use nearcopy::parallel::alone;
use nearcopy::search::cluster::cluster;
use nearcopy::search::effort::Effort;
use nearcopy::search::keep::Keep;
use nearcopy::search::plan::Plan;
use nearcopy::similarity::Rules;
use nearcopy::store::file::map::FingerprintFile;
use nearcopy::store::index::Segments;
use nearcopy::texts::index::{Contents, Index, Known};

use super::authors::Authors;
use super::clean::{Output, OutputKind, write_kept};
use super::find::gather;
use super::fingerprint::{Job, tests::job, to_file};
use super::index::{Adding, add};
use crate::error::{Error, Result};

/// Number of sequences, and of commands in each.
const SEQUENCES: u64 = 200;
const COMMANDS: usize = 8;

/// Number of corpora; each document of one has an id of its own.
const CORPORA: u64 = 4;

/// Deterministic random numbers (`SplitMix64`).
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % end
    }
}

/// Stops at once, as Ctrl-C does.
struct Stops(bool);

impl Observer for Stops {
    fn advance_reading(&self, _: Read) {}

    fn is_stopped(&self) -> bool {
        self.0
    }
}

/// The faults of one command.
#[derive(Debug, Clone, Copy)]
enum Faults {
    None,
    /// One step fails, the first of these.
    Once(u64),
    /// From this step on all of one kind fail: writes as on a full disk, syncs and reads as on a failing one.
    From(u64, Step),
    /// The file system lacks something.
    Lacks(&'static [Step]),
    /// No thread can be started, and one step fails.
    Alone(u64),
}

impl Faults {
    fn any(random: &mut Random) -> Self {
        const LACKING: [&[Step]; 4] = [
            &[Step::Lock],
            &[Step::Sync, Step::SyncFolder],
            &[Step::RenameNew, Step::Exchange],
            &[Step::RenameNew, Step::Exchange, Step::Link, Step::Lock, Step::SyncFolder],
        ];
        const KINDS: [Step; 8] = [
            Step::Write,
            Step::Write,
            Step::Read,
            Step::Sync,
            Step::SyncFolder,
            Step::Rename,
            Step::RenameNew,
            Step::Lock,
        ];
        match random.below(9) {
            0 => Self::None,
            1..4 => Self::Once(random.below(90)),
            4..7 => Self::From(random.below(20), KINDS[random.below(8) as usize]),
            7 => Self::Alone(random.below(90)),
            _ => Self::Lacks(LACKING[random.below(4) as usize]),
        }
    }

    fn during<T>(self, work: impl FnOnce() -> T) -> T {
        let mut count = 0;
        let broken = || io::Error::other("a fault on purpose");
        let decide = move |step: Step| match self {
            Self::None => None,
            Self::Once(at) | Self::Alone(at) => {
                count += 1;
                (count == at + 1).then(broken)
            }
            Self::From(at, kind) => {
                count += u64::from(step == kind);
                (step == kind && count > at)
                    .then(|| if kind == Step::Write { io::ErrorKind::StorageFull.into() } else { broken() })
            }
            Self::Lacks(steps) => steps.contains(&step).then(unsupported),
        };
        if matches!(self, Self::Alone(_)) { failing(decide, || alone(work)) } else { failing(decide, work) }
    }
}

/// The corpora, and the outputs of undisturbed runs.
struct World {
    folder: tempfile::TempDir,
    /// The fingerprint file of each corpus.
    fingerprints: Vec<Vec<u8>>,
    /// The clean corpus of each, and its list.
    cleaned: Vec<[Vec<u8>; 2]>,
}

impl World {
    fn new() -> Self {
        // Syncs cost nothing in memory.
        let memory = Path::new("/dev/shm");
        let folder = if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() }.unwrap();
        let mut world = Self { folder, fingerprints: Vec::new(), cleaned: Vec::new() };
        for corpus in 0..CORPORA {
            let line = |i: u64| {
                // The last is a copy of the first.
                let text = format!("{} {corpus}", "the harbour closes at low water ".repeat((i % 5) as usize + 1));
                format!("{{\"id\":\"{corpus}-{i}\",\"text\":\"{text}\"}}\n")
            };
            fs::create_dir(world.at(&format!("in{corpus}"))).unwrap();
            for part in 0..3 {
                let lines: String = (2 * part..2 * part + 2).map(line).collect();
                fs::write(world.at(&format!("in{corpus}/{part}.jsonl")), lines).unwrap();
            }
            fs::write(world.at(&format!("{corpus}.jsonl")), (0..6).map(line).collect::<String>()).unwrap();
        }
        for corpus in 0..CORPORA {
            world.fingerprint(corpus, &Stops(false)).unwrap();
            world.fingerprints.push(fs::read(world.at("out.fp")).unwrap());
            world.clean(corpus).unwrap();
            world.cleaned.push(["out.jsonl", "out.jsonl.removed.jsonl"].map(|name| fs::read(world.at(name)).unwrap()));
        }
        assert!(world.cleaned.iter().all(|[out, list]| !out.is_empty() && !list.is_empty()));
        world
    }

    fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn job(&self, input: &str) -> Job {
        job(&self.at(input), 1)
    }

    fn fingerprint(&self, corpus: u64, observer: &Stops) -> Result<()> {
        to_file(&self.job(&format!("in{corpus}")), &self.at("out.fp"), Replace::Any, observer).map(drop)
    }

    fn clean(&self, corpus: u64) -> Result<()> {
        let output = Output {
            path: self.at("out.jsonl"),
            kind: OutputKind::File,
            removed_ending: "jsonl",
            replaces: true,
            keeps_unread: false,
            outdated: Vec::new(),
        };
        let claimed = output.claim()?;
        let job = self.job(&format!("{corpus}.jsonl"));
        let searched = gather(&job, &[], self.folder.path(), &Rules::default(), &())?;
        let collection = &searched.corpus.collection;
        let plan = Plan::new(Rules::default(), collection.recipe().sketches, collection.len(), 0.99);
        let effort = Effort { threads: 1, max_memory: 1 << 20 };
        let clusters = cluster(collection, &plan, &Keep::First.into(), effort, &())?;
        let stays = |document| clusters.survivor(document) == document;
        let mut list = |out: &mut dyn io::Write| {
            (0..collection.len() as u32)
                .filter(|&document| !stays(document))
                .try_for_each(|document| writeln!(out, "{}", collection.id(document)))
        };
        write_kept(&job, collection, &stays, (&output, claimed), &(), &mut list, None)
    }

    fn add(&self, corpus: u64, known: Known) -> Result<()> {
        let adding = Adding {
            job: self.job(&format!("in{corpus}")),
            authors: Authors::Unknown,
            known,
            unique: None,
            output: None,
        };
        add(&self.at("index"), &adding, &(), &mut |_| ()).map(drop)
    }

    fn index<T>(&self, change: impl FnOnce(&mut Index) -> nearcopy::Result<T>) -> Result<()> {
        Ok(change(&mut Index::open(&self.at("index"))?).map(drop)?)
    }

    /// The ids of the index, which must be sound.
    fn ids(&self) -> BTreeSet<String> {
        let (segments, faults) = Segments::check(&self.at("index"), &()).unwrap();
        assert!(faults.is_empty(), "{faults:?}");
        Segments::open(&self.at("index")).unwrap().verify(&()).unwrap();
        segments.documents().map(|place| segments.id(place).to_owned()).collect()
    }

    fn read(&self, name: &str) -> Option<Vec<u8>> {
        fs::read(self.at(name)).ok()
    }
}

fn ids_of(corpus: u64) -> impl Iterator<Item = String> {
    (0..6).map(move |i| format!("{corpus}-{i}"))
}

/// What there is before and after a command.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct State {
    ids: BTreeSet<String>,
    /// The corpora of the fingerprint file and of the clean corpus.
    fingerprints: Option<u64>,
    cleaned: Option<u64>,
}

impl State {
    fn of(world: &World) -> Self {
        let fingerprints = world.read("out.fp").map(|bytes| {
            FingerprintFile::open(&world.at("out.fp")).unwrap().verify().unwrap();
            world.fingerprints.iter().position(|known| *known == bytes).expect("a whole file") as u64
        });
        let out = ["out.jsonl", "out.jsonl.removed.jsonl"].map(|name| world.read(name));
        let cleaned = match out {
            [None, None] => None,
            [Some(corpus), Some(list)] => {
                let known = world.cleaned.iter().position(|known| *known == [&corpus[..], &list]);
                Some(known.expect("a whole corpus and its own list") as u64)
            }
            [corpus, list] => panic!("half: {} without {}", corpus.is_some(), list.is_some()),
        };
        Self { ids: world.ids(), fingerprints, cleaned }
    }
}

/// Runs a random command; returns what it did, and the state that an undisturbed one gives.
fn run(world: &World, before: &State, random: &mut Random, faults: Faults) -> (String, Result<()>, State) {
    let mut after = before.clone();
    let corpus = random.below(CORPORA);
    let (command, outcome) = match random.below(12) {
        0..3 => {
            after.ids.extend(ids_of(corpus));
            let known = if random.below(2) == 0 { Known::Skip } else { Known::Replace };
            (format!("add {corpus}"), faults.during(|| world.add(corpus, known)))
        }
        3..5 => {
            let gone: Vec<String> = ids_of(corpus).filter(|_| random.below(2) == 0).collect();
            after.ids.retain(|id| !gone.contains(id));
            let remove = |index: &mut Index| index.remove_all(gone.iter().map(String::as_str));
            (format!("remove {gone:?}"), faults.during(|| world.index(remove)))
        }
        5 => ("compact".into(), faults.during(|| world.index(|index| index.compact(&())))),
        6 if random.below(3) == 0 => {
            after.ids.clear();
            ("clear".into(), faults.during(|| world.index(Index::clear)))
        }
        6..8 => {
            let stopped = faults.during(|| world.fingerprint(corpus, &Stops(true)));
            (format!("fingerprint {corpus}, stopped"), Err(stopped.expect_err("it is stopped")))
        }
        8..10 => {
            after.fingerprints = Some(corpus);
            (format!("fingerprint {corpus}"), faults.during(|| world.fingerprint(corpus, &Stops(false))))
        }
        _ => {
            after.cleaned = Some(corpus);
            (format!("clean {corpus}"), faults.during(|| world.clean(corpus)))
        }
    };
    (command, outcome, after)
}

#[test]
fn nothing_is_lost_or_half_whatever_fails() {
    let world = World::new();
    let mut failures: BTreeMap<bool, u64> = BTreeMap::new();
    for seed in 0..SEQUENCES {
        let mut random = Random(seed);
        for name in ["index", "out.fp.partial"] {
            let _ = fs::remove_dir_all(world.at(name));
        }
        for name in ["out.fp", "out.jsonl", "out.jsonl.removed.jsonl"] {
            let _ = fs::remove_file(world.at(name));
        }
        drop(Index::create(&world.at("index"), &Options::default(), Contents::default()).unwrap());
        let mut before = State::default();
        let mut history = Vec::new();
        for _ in 0..COMMANDS {
            let faults = Faults::any(&mut random);
            let (command, outcome, expected) = run(&world, &before, &mut random, faults);
            history.push(format!("{command} with {faults:?}: {outcome:?}"));
            let told = || format!("seed {seed}: {history:#?}");
            let state = std::panic::catch_unwind(|| State::of(&world)).unwrap_or_else(|_| panic!("{}", told()));
            *failures.entry(outcome.is_err()).or_default() += 1;
            match outcome {
                // A disk that does not confirm a change, or spools that cannot be removed, come after the change.
                Ok(()) | Err(Error::Method(nearcopy::Error::Unsynced { .. })) => {
                    assert_eq!(state, expected, "{}", told());
                }
                Err(Error::Method(nearcopy::Error::Write { path, .. })) if path.contains(".partial") => {
                    assert!(state == before || state == expected, "{}", told());
                }
                Err(_) => assert_eq!(state, before, "{}", told()),
            }
            before = state;
        }
        // Without faults everything works again, and leaves nothing behind.
        world.add(0, Known::Skip).unwrap();
        world.fingerprint(0, &Stops(false)).unwrap();
        world.clean(0).unwrap();
        let left = fs::read_dir(world.folder.path()).unwrap().count();
        assert_eq!(left as u64, 2 * CORPORA + 4, "seed {seed}: {history:#?}");
        let expected = State { fingerprints: Some(0), cleaned: Some(0), ..State::of(&world) };
        assert_eq!(State::of(&world), expected);
    }
    assert!(failures[&true] > SEQUENCES && failures[&false] > SEQUENCES, "{failures:?}: both happen often");
}
