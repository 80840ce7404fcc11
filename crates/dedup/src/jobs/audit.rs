//! An audit: every file of some inputs in one answer, with what it is to another: equal bytes, the same text, contained,
//! a version, unique, or not read and why.
//!
//! The claims are those of `dedup clean`, the versions those of `dedup find` with the same inputs and policy.
//!
//! Cost: that of both, and of `dedup find --pairs` and `--contained`; of files that could not be read those of equal sizes are read again.

mod members;
mod plan;
mod recording;
mod relations;

use std::collections::{HashMap, HashSet};

use nearcopy::observer::Observer;
use nearcopy::search::cluster::Clusters;
use nearcopy::search::keep::{Keep, Policy};
use nearcopy::search::removals::Removals;
use nearcopy::similarity::Removal;
use nearcopy::store::file::format::DateOrigin;
use nearcopy::texts::loaded::Search;
use nearcopy_corpus::Converter;
use nearcopy_corpus::converter::Converted;
use nearcopy_corpus::inputs::HeldFile;
use nearcopy_corpus::source;

use super::find::{EqualFiles, Gathered, Opaque, equal_files, gather_held};
use super::fingerprint::Job;
use crate::error::Result;
pub use members::Members;
pub use plan::{Left, Plan, Step, Why};
pub(crate) use plan::{each_below, is_regular, is_shared};
use recording::Problems;
pub use recording::Recording;
use relations::Relations;

/// What a file is to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Class {
    /// The other has the same bytes.
    Bytes,
    /// The other has equal words in equal order.
    Same,
    /// It stands whole in the other.
    Contained,
    /// It is near to the other.
    Version,
    /// Others are near to it or equal, and it stands for them.
    Kept,
    /// No other is near.
    Unique,
    /// It holds documents that have classes of their own, as an archive does, and no other has the same bytes.
    Container,
    /// It could not be read, and no other has the same bytes.
    Unread,
}

impl Class {
    /// All of them, the closest first.
    pub const ALL: [Self; 8] = [
        Self::Bytes,
        Self::Same,
        Self::Contained,
        Self::Version,
        Self::Kept,
        Self::Unique,
        Self::Container,
        Self::Unread,
    ];

    /// Its name in lists.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bytes => "bytes",
            Self::Same => "same",
            Self::Contained => "contained",
            Self::Version => "version",
            Self::Kept => "kept",
            Self::Unique => "unique",
            Self::Container => "container",
            Self::Unread => "unread",
        }
    }
}

/// A file or a record, and what it is to another.
#[derive(Debug, Clone)]
pub struct Audited {
    /// Its name.
    pub name: String,
    /// Its size in bytes; of a record and of standard input that of its text.
    pub bytes: u64,
    /// True if it is a file of its own, standard input or a folder that cannot be read, and no record, member of an archive
    /// or attachment.
    pub is_file: bool,
    /// The time of its date in nanoseconds since 1970 (UTC) and where it stands; `None` if unknown.
    pub date: Option<(i64, DateOrigin)>,
    /// The code of its language; empty if unknown.
    pub language: String,
    /// Number of words.
    pub words: u64,
    /// What it is to the other.
    pub class: Class,
    /// The number of the other.
    pub of: Option<u32>,
    /// The Jaccard coefficient of both.
    pub jaccard: Option<f64>,
    /// The number of its family: the files that are versions of one, or equal to it.
    pub family: Option<u32>,
    /// The reason why it, or the first of its records that has one, could not be read: a short name, and in words.
    pub problem: Option<(&'static str, String)>,
    /// The program that read it, if another one did.
    pub read_by: Option<&'static str>,
    /// What it holds.
    pub members: Option<Members>,
}

impl Audited {
    /// True if it is a file that can be moved, and be checked before others are.
    pub(super) fn is_on_disk(&self) -> bool {
        self.is_file && self.name != "-"
    }

    /// A file of which nothing else is known.
    fn unread(name: String) -> Self {
        Self {
            name,
            bytes: 0,
            is_file: false,
            date: None,
            language: String::new(),
            words: 0,
            class: Class::Unread,
            of: None,
            jaccard: None,
            family: None,
            problem: None,
            read_by: None,
            members: None,
        }
    }
}

/// All files.
#[derive(Debug, Default)]
pub struct Audit {
    /// The documents that were read, then the files that hold them, then those that were not.
    pub files: Vec<Audited>,
    /// Number of families.
    pub families: u32,
}

/// What was found about the files.
#[derive(Debug)]
pub struct Findings<'a> {
    /// The fingerprints.
    pub searched: &'a Gathered,
    /// The clusters of near-duplicates.
    pub clusters: Clusters,
    /// What may be removed, by which claim; `None` if that is not known.
    pub removals: Option<Removals>,
    /// The files that hold documents.
    containers: Vec<Opaque>,
    /// The files that are compared by their bytes alone and are equal.
    equal: EqualFiles,
    /// What documents that stay are to others.
    relations: Relations,
}

impl<'a> Findings<'a> {
    /// Searches the files, by the plan of the search.
    ///
    /// # Errors
    ///
    /// [`nearcopy::Error::Interrupted`].
    pub fn of(
        searched: &'a Gathered,
        (search, plan): (&Search, &nearcopy::search::plan::Plan),
        keep: &Policy,
        observer: &dyn Observer,
    ) -> Result<Self> {
        let clusters = searched.corpus.clusters(plan, keep, search.effort, observer)?;
        let removals = searched.corpus.removable(search, keep, observer)?;
        let relations = Relations::of_kept(&searched.corpus, (search, plan), &clusters, removals.as_ref(), observer)?;
        let containers = searched.containers();
        let opaque = [&containers[..], &searched.unread].concat();
        let equal = equal_files(&opaque, search.effort.threads, observer)?;
        Ok(Self { searched, clusters, removals, containers, equal, relations })
    }

    /// Why a document goes, and for which other.
    fn removal(&self, document: u32) -> Option<(Removal, u32)> {
        self.removals.as_ref().and_then(|removals| removals.of(document))
    }

    /// The document for which this one goes; itself if it stays.
    fn stands_for(&self, document: u32) -> u32 {
        self.removal(document).map_or_else(|| self.clusters.survivor(document), |(_, other)| other)
    }

    /// The digest of a file that is one document.
    fn bytes(&self, document: u32) -> Option<[u8; 16]> {
        let (file, provenance) = self.searched.corpus.collection.place(document);
        file.and_then(|file| file.digest).filter(|_| provenance.record == 0)
    }
}

/// Audits files in memory, by the options of a job that names none and the rules of `search`; the longest of
/// near-duplicates stands for the others.
///
/// # Errors
///
/// As [`gather_held`].
pub fn audit_held(job: &Job, files: Vec<HeldFile>, search: &Search, observer: &dyn Observer) -> Result<Audit> {
    let recording = Recording::new(observer);
    let searched = gather_held(job, files, &recording)?;
    let search = (search, &searched.corpus.plan(search));
    let found = Findings::of(&searched, search, &Keep::default().into(), observer)?;
    Ok(Audit::of(&found, recording))
}

/// Which of the files with equal bytes stands for the others.
struct EqualBytes(HashMap<[u8; 16], u32>);

impl EqualBytes {
    /// One that stays; else one that goes for the sake of other bytes, so that no two stand for each other.
    fn of(found: &Findings<'_>) -> Self {
        let mut first: HashMap<[u8; 16], (bool, u32)> = HashMap::new();
        for document in 0..found.searched.corpus.collection.len() as u32 {
            let Some(bytes) = found.bytes(document) else { continue };
            let standing = found.stands_for(document);
            let stays = standing == document;
            if !stays && found.bytes(standing) == Some(bytes) {
                continue;
            }
            let known = first.entry(bytes).or_insert((stays, document));
            if stays && !known.0 {
                *known = (true, document);
            }
        }
        Self(first.into_iter().map(|(bytes, (_, document))| (bytes, document)).collect())
    }

    /// The file with the same bytes that stands for this one, unless it stays, or is that file.
    fn stand_in(&self, found: &Findings<'_>, document: u32) -> Option<u32> {
        let first = *self.0.get(&found.bytes(document)?)?;
        (first != document && found.stands_for(document) != document).then_some(first)
    }
}

/// The files on disk that hold what was read, and the archives that hold what was not.
fn read_in_part(found: &Findings<'_>) -> HashSet<String> {
    let Gathered { corpus, unread, originals, .. } = found.searched;
    // The id of a record need not name its file.
    let files = (0..corpus.collection.len() as u32).filter_map(|document| corpus.collection.place(document).0);
    let mut names: HashSet<&str> = files.map(|file| file.path).collect();
    names.extend(unread.iter().map(|file| &*file.name).filter(|name| !originals.is_file(name)));
    names.into_iter().map(|name| source::name(&originals.place(name))).collect()
}

impl Audit {
    /// Says of every file what it is.
    pub fn of(found: &Findings<'_>, problems: Recording<'_>) -> Self {
        let mut audit = Self::default();
        audit.read(found);
        audit.opaque(found, &mut problems.problems());
        members::count(&mut audit, found);
        audit
    }

    /// The documents that were read, with their numbers in the collection.
    fn read(&mut self, found: &Findings<'_>) {
        let collection = &found.searched.corpus.collection;
        let count = collection.len() as u32;
        let mut families: Vec<Option<u32>> = vec![None; collection.len()];
        for cluster in found.clusters.clusters() {
            for document in cluster.members.iter().chain([&cluster.survivor]) {
                families[*document as usize] = Some(self.families);
            }
            self.families += 1;
        }
        // A version of a member belongs to the family too.
        for document in 0..count {
            if let Some((Class::Version, other)) = found.relations.of(document) {
                let family = *families[other as usize].get_or_insert_with(|| {
                    self.families += 1;
                    self.families - 1
                });
                families[document as usize] = Some(family);
            }
        }
        let equal = EqualBytes::of(found);
        // The first with each text among those that stay: where none goes for the other, as a DOCX and its PDF, that says
        // more than what both are versions of.
        let stays = |&document: &u32| found.removal(document).is_none() && equal.stand_in(found, document).is_none();
        let mut first_with = HashMap::new();
        for document in (0..count).filter(stays).filter(|&document| collection.counts(document).tokens > 0) {
            first_with.entry(collection.equality_key(document)).or_insert(document);
        }
        for document in 0..count {
            let (file, provenance) = collection.place(document);
            let is_document = provenance.record == 0;
            let removal = found.removal(document);
            let survivor = found.clusters.survivor(document);
            let (class, of) = match removal {
                _ if let Some(first) = equal.stand_in(found, document) => (Class::Bytes, Some(first)),
                Some((Removal::Same, other)) => (Class::Same, Some(other)),
                Some((Removal::Contained, other)) => (Class::Contained, Some(other)),
                _ if let Some((Class::Contained, whole)) = found.relations.of(document) => {
                    (Class::Contained, Some(whole))
                }
                Some((Removal::Edited, other)) => (Class::Version, Some(other)),
                None if survivor != document => (Class::Version, Some(survivor)),
                None => match found.relations.of(document) {
                    Some((class, other)) => (class, Some(other)),
                    None if families[document as usize].is_some() => (Class::Kept, None),
                    None => (Class::Unique, None),
                },
            };
            let first = first_with.get(&collection.equality_key(document)).copied();
            let first = first.filter(|&first| first != document && class == Class::Version);
            let of = first.or(of);
            let counts = collection.counts(document);
            let own = file.filter(|_| is_document);
            let is_piped = own.is_some_and(|file| file.path == "-");
            self.files.push(Audited {
                name: collection.id(document).to_owned(),
                bytes: own.filter(|_| !is_piped).map_or(counts.bytes, |file| file.size),
                is_file: is_piped || own.is_some() && found.searched.originals.is_file(collection.id(document)),
                date: collection.date(document),
                language: collection.language(document).to_owned(),
                words: counts.tokens,
                class,
                of,
                jaccard: of.and_then(|other| collection.figures(document, other).jaccard),
                family: families[document as usize],
                problem: None,
                read_by: None,
                members: None,
            });
        }
    }

    /// The files that hold documents and those that were not read, after the others.
    fn opaque(&mut self, found: &Findings<'_>, Problems { of_files: problems, of_records }: &mut Problems) {
        let originals = &found.searched.originals;
        let mut places: HashMap<&str, u32> = HashMap::new();
        // Of records none of which was read, the file was not read.
        let read = if of_records.is_empty() { HashSet::new() } else { read_in_part(found) };
        let is_unread = |name: &str| of_records.contains_key(name) && !read.contains(name);
        let class = |file: &Opaque| if is_unread(&file.name) { Class::Unread } else { Class::Container };
        let containers = found.containers.iter().map(|file| (file, class(file)));
        for (file, class) in containers.chain(found.searched.unread.iter().map(|file| (file, Class::Unread))) {
            places.insert(&file.name, self.files.len() as u32);
            self.files.push(Audited {
                bytes: file.size,
                is_file: originals.is_file(&file.name),
                date: Some((file.modified, DateOrigin::File)).filter(|(time, _)| *time != 0),
                class,
                problem: problems.remove(&file.name).or_else(|| of_records.get(&file.name).cloned()),
                ..Audited::unread(file.name.clone())
            });
        }
        for group in &found.equal.groups {
            let members: Vec<u32> = group.iter().filter_map(|file| places.get(&*file.name).copied()).collect();
            let [first, others @ ..] = &members[..] else { continue };
            self.files[*first as usize].family = Some(self.families);
            for &other in others {
                let file = &mut self.files[other as usize];
                (file.class, file.of, file.family) = (Class::Bytes, Some(*first), Some(self.families));
            }
            self.families += 1;
        }
        // A file may stand for others without being near to them by the rule of the families.
        let standing: Vec<u32> = self.files.iter().filter_map(|file| file.of).collect();
        for number in standing {
            let file = &mut self.files[number as usize];
            if file.class == Class::Unique {
                file.class = Class::Kept;
            }
        }
        // What could not even be opened.
        let mut rest: Vec<(String, (&'static str, String))> = std::mem::take(problems).into_iter().collect();
        rest.sort();
        for (name, problem) in rest {
            self.files.push(Audited {
                bytes: originals.input(&name).map_or(0, |file| file.size),
                is_file: originals.place(&name) == source::path(&name),
                problem: Some(problem),
                ..Audited::unread(name)
            });
        }
    }

    /// Names the programs that read files.
    pub fn name_programs(&mut self, converter: &Converter) {
        let programs: HashMap<String, Converted> = converter.read().into_iter().collect();
        for file in &mut self.files {
            file.read_by = programs.get(&file.name).map(|converted| converted.program);
        }
    }

    /// The number of files, members and records of a class, and the bytes of the files: those of what a file holds are
    /// among its own.
    pub fn count(&self, class: Class) -> (u64, u64) {
        let of_class = self.files.iter().filter(|file| file.class == class);
        of_class.fold((0, 0), |(count, bytes), file| (count + 1, bytes + if file.is_file { file.bytes } else { 0 }))
    }
}
