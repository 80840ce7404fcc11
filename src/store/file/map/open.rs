//! Opens a fingerprint file, and checks what can be checked in constant time.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use memmap2::Mmap;

use super::{FingerprintFile, advise};
use crate::durable::scratch::Scratch;
use crate::durable::{disk, paths};
use crate::error::{Error, Result};
use crate::memory::Map;
use crate::sketch::minhash::MAX_SKETCHES;
use crate::sketch::recipe::Recipe;
use crate::store::file::format::{Checksum, Header, Section, checksum};
use crate::store::file::lookup::{Lengths, LookupPlan};
use crate::store::file::packed::Dictionary;

/// Maximum length of a plan of search tables, in bytes.
const MAX_PLAN: usize = 1 << 12;

/// Maximum length of a recipe, in bytes: a longer one would cost memory.
const MAX_RECIPE: u64 = 1 << 20;

impl FingerprintFile {
    /// Opens a file, in constant time.
    ///
    /// The file must not change while it is open: see the module's page.
    ///
    /// # Errors
    ///
    /// [`Error::Read`] or [`Error::Folder`]; [`Error::NotFingerprints`],
    /// [`Error::NewerFormat`], [`Error::FileLength`], [`Error::DamagedHeader`] or
    /// [`Error::DamagedSection`].
    pub fn open(path: &Path) -> Result<Self> {
        Self::of(crate::error::shown(path), Self::mapped(path)?)
    }

    /// As [`open`](Self::open), for reading at random places: the system does not read ahead.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open).
    pub fn open_for_lookup(path: &Path) -> Result<Self> {
        let map = Self::mapped(path)?;
        advise(&map, true);
        Self::of(crate::error::shown(path), map)
    }

    fn mapped(path: &Path) -> Result<Map> {
        let name = || crate::error::shown(path);
        let error = |source| Error::Read { path: name(), source };
        if paths::is_special(path) {
            return Err(Error::NotFingerprints { path: name() });
        }
        let file = disk::open(path).map_err(error)?;
        if file.metadata().map_err(error)?.is_dir() {
            return Err(Error::Folder { path: name() });
        }
        #[expect(unsafe_code, reason = "a file's pages stand in for memory")]
        // SAFETY: the map is read-only and private to this process. What remains
        // uncertain is another program: if it writes to the file meanwhile, the bytes
        // change under a reference, which Rust forbids and nothing here can prevent.
        let map = unsafe { Mmap::map(&file) }.map_err(error)?;
        Ok(Map::new(map))
    }

    pub(in crate::store::file) fn of(path: String, map: Map) -> Result<Self> {
        let header = Header::decode(&path, &map)?;
        let mut sections = [const { (0, 0..0) }; Section::ALL.len()];
        let mut end = Header::size(header.table.len());
        for row in &header.table {
            // Decoding the header has checked that no offset or length exceeds the file.
            let (start, length) = (row.offset as usize, row.length as usize);
            if map[end..start].iter().any(|&byte| byte != 0) {
                return Err(Error::DamagedHeader { path, what: "the bytes before a section are not zero" });
            }
            end = start + length;
            sections[row.section as usize] = (0, start..end);
        }
        let recipe = recipe(&path, &map, &header)?;
        for row in &header.table {
            let fits = row.section.fits(row.length, recipe.sketches, header.documents, header.files);
            if row.element != row.section.element(recipe.sketches) || !fits {
                return Err(Error::DamagedHeader { path, what: "a section has the wrong length" });
            }
        }
        let checksum = Header::stated_checksum(&map);
        let (maps, is_checked) = (vec![map], AtomicBool::new(false));
        let mut file = Self {
            path,
            maps,
            header,
            checksum,
            recipe,
            is_checked,
            lookup: None,
            sections,
            dictionary: None,
            _scratch: None,
        };
        if !file.bytes(Section::LookupPlan).is_empty() {
            file.lookup = Some(file.lookup_plan().ok_or_else(|| {
                file.damaged(Section::LookupPlan, None, "the search tables do not match the documents")
            })?);
        }
        Ok(file)
    }

    /// A file of this process whose sections are still apart, with the words of packed lists: there is nothing to check.
    pub(in crate::store::file) fn of_spools(
        path: String,
        header: Header,
        recipe: Recipe,
        (spools, dictionary): (Vec<(Section, Map)>, Option<Dictionary>),
        scratch: Option<Scratch>,
    ) -> Self {
        let mut sections = [const { (0, 0..0) }; Section::ALL.len()];
        for (number, (section, map)) in spools.iter().enumerate() {
            sections[*section as usize] = (number, 0..map.len());
        }
        let maps = spools.into_iter().map(|(_, map)| map).collect();
        let (checksum, is_checked) = (Checksum::default(), AtomicBool::new(true));
        Self { path, maps, header, checksum, recipe, is_checked, lookup: None, sections, dictionary, _scratch: scratch }
    }

    /// The plan of the search tables, if their lengths match it.
    fn lookup_plan(&self) -> Option<LookupPlan> {
        let bytes = self.bytes(Section::LookupPlan);
        let plan: LookupPlan = serde_json::from_slice(bytes.get(..MAX_PLAN.min(bytes.len()))?).ok()?;
        let number = |section: Section| self.bytes(section).len() / section.element(1) as usize;
        let lengths = Lengths {
            key_heads: number(Section::KeyTableHeads),
            block_heads: number(Section::BlockHeads),
            parts: number(Section::BlockParts),
            documents: number(Section::BlockDocuments),
        };
        let is_sound = plan.is_sound(self.recipe.sketches) && plan.fits(self.recipe.sketches, self.len(), &lengths);
        is_sound.then_some(plan)
    }
}

/// Reads the recipe of a file; checks its length, its checksum and its id.
fn recipe(path: &str, map: &[u8], header: &Header) -> Result<Recipe> {
    let damaged = |what| {
        let section = Section::Recipe.name();
        Error::DamagedSection { path: path.to_owned(), section, record: None, what }
    };
    let Some(row) = header.table.first().filter(|row| row.length <= MAX_RECIPE) else {
        return Err(damaged("it is too long"));
    };
    let bytes = &map[row.offset as usize..][..row.length as usize];
    if checksum(blake3::Hasher::new().update(bytes)) != row.checksum {
        return Err(damaged("its checksum does not agree"));
    }
    if !row.checksum.starts_with(&header.recipe.to_be_bytes()) {
        return Err(damaged("it is not the recipe that the header names"));
    }
    let recipe: Recipe = serde_json::from_slice(bytes).map_err(|_| damaged("it is not a valid recipe"))?;
    if !(1..=MAX_SKETCHES).contains(&recipe.sketches) {
        return Err(damaged("its number of sketches is invalid"));
    }
    Ok(recipe)
}
