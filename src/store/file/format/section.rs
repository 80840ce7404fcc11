//! The sections of a fingerprint file: the lines of the drawing.

use super::{Sections, put, row};

/// A part of the file, as it is called in the drawing of the [format](super); its number is its place in
/// the order of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(usize)]
pub enum Section {
    /// Recipe.
    Recipe,
    /// Simhashes.
    Simhashes,
    /// Sketches.
    Sketches,
    /// Digests.
    Digests,
    /// Counts.
    Counts,
    /// Letters.
    Letters,
    /// Languages.
    Languages,
    /// Id offsets.
    IdOffsets,
    /// Ids.
    Ids,
    /// Places.
    Places,
    /// Path offsets.
    PathOffsets,
    /// Paths.
    Paths,
    /// Files.
    Files,
    /// Key offsets.
    KeyOffsets,
    /// Keys.
    Keys,
    /// Key field.
    KeyField,
    /// Shingle offsets.
    ShingleOffsets,
    /// Shingles.
    Shingles,
    /// Word offsets.
    WordOffsets,
    /// Words.
    Words,
    /// Text offsets.
    TextOffsets,
    /// Texts.
    Texts,
    /// Author offsets.
    AuthorOffsets,
    /// Authors.
    Authors,
    /// First blocks.
    FirstBlocks,
    /// Heads.
    Heads,
    /// Text features.
    TextFeatures,
    /// Lookup plan.
    LookupPlan,
    /// Key table heads.
    KeyTableHeads,
    /// Key table.
    KeyTable,
    /// Block heads.
    BlockHeads,
    /// Block parts.
    BlockParts,
    /// Block documents.
    BlockDocuments,
}

impl Section {
    /// Every section, in the order of the file.
    pub(crate) const ALL: [Self; 33] = [
        Self::Recipe,
        Self::Simhashes,
        Self::Sketches,
        Self::Digests,
        Self::Counts,
        Self::Letters,
        Self::Languages,
        Self::IdOffsets,
        Self::Ids,
        Self::Places,
        Self::PathOffsets,
        Self::Paths,
        Self::Files,
        Self::KeyOffsets,
        Self::Keys,
        Self::KeyField,
        Self::ShingleOffsets,
        Self::Shingles,
        Self::WordOffsets,
        Self::Words,
        Self::TextOffsets,
        Self::Texts,
        Self::AuthorOffsets,
        Self::Authors,
        Self::FirstBlocks,
        Self::Heads,
        Self::TextFeatures,
        Self::LookupPlan,
        Self::KeyTableHeads,
        Self::KeyTable,
        Self::BlockHeads,
        Self::BlockParts,
        Self::BlockDocuments,
    ];

    /// The sections of a file with these optional ones.
    pub(crate) fn kept(sections: Sections) -> impl Iterator<Item = Self> + Clone {
        Self::ALL.into_iter().filter(move |section| match section {
            Self::KeyOffsets | Self::Keys | Self::KeyField => sections.keys,
            Self::ShingleOffsets | Self::Shingles | Self::WordOffsets | Self::Words => sections.shingles,
            Self::TextOffsets
            | Self::Texts
            | Self::AuthorOffsets
            | Self::Authors
            | Self::FirstBlocks
            | Self::Heads
            | Self::TextFeatures => sections.passages,
            Self::LookupPlan
            | Self::KeyTableHeads
            | Self::KeyTable
            | Self::BlockHeads
            | Self::BlockParts
            | Self::BlockDocuments => sections.lookup,
            _ => true,
        })
    }

    /// Name, size of an element in bytes with `k` sketches per document, number of
    /// elements: the lines of the drawing.
    fn shape(self, k: usize) -> (&'static str, u64, Number) {
        match self {
            Self::Recipe => ("recipe", 1, Number::Any),
            Self::Simhashes => ("simhashes", 8, Number::Documents),
            Self::Sketches => ("sketches", 4 * k as u64, Number::Documents),
            Self::Digests => ("digests", 16, Number::Documents),
            Self::Counts => ("counts", 40, Number::Documents),
            Self::Letters => ("letters", 8, Number::Documents),
            Self::Languages => ("languages", 4, Number::Documents),
            Self::IdOffsets => ("id offsets", 8, Number::DocumentsAndOne),
            Self::Ids => ("ids", 1, Number::Any),
            Self::Places => ("places", 12, Number::Documents),
            Self::PathOffsets => ("path offsets", 8, Number::FilesAndOne),
            Self::Paths => ("paths", 1, Number::Any),
            Self::Files => ("files", 48, Number::Files),
            Self::KeyOffsets => ("key offsets", 8, Number::DocumentsAndOne),
            Self::Keys => ("keys", 1, Number::Any),
            Self::KeyField => ("key field", 1, Number::Any),
            Self::ShingleOffsets => ("shingle offsets", 8, Number::DocumentsAndOne),
            Self::Shingles => ("shingles", 8, Number::Any),
            Self::WordOffsets => ("word offsets", 8, Number::DocumentsAndOne),
            Self::Words => ("words", 4, Number::Any),
            Self::TextOffsets => ("text offsets", 8, Number::DocumentsAndOne),
            Self::Texts => ("texts", 1, Number::Any),
            Self::AuthorOffsets => ("author offsets", 8, Number::DocumentsAndOne),
            Self::Authors => ("authors", 1, Number::Any),
            Self::FirstBlocks => ("first blocks", 4, Number::DocumentsAndOne),
            Self::Heads => ("heads", 8, Number::Any),
            Self::TextFeatures => ("text features", 8, Number::Any),
            Self::LookupPlan => ("lookup plan", 1, Number::Any),
            Self::KeyTableHeads => ("key table heads", 8, Number::Any),
            Self::KeyTable => ("key table", 8, Number::Any),
            Self::BlockHeads => ("block heads", 8, Number::Any),
            Self::BlockParts => ("block parts", 4, Number::Any),
            Self::BlockDocuments => ("block documents", 4, Number::Any),
        }
    }

    /// Its name.
    pub(crate) fn name(self) -> &'static str {
        self.shape(0).0
    }

    /// Its name as in the table.
    pub(super) fn label(self) -> [u8; row::ELEMENT - row::NAME] {
        let mut label = [0; _];
        put(&mut label, 0, self.name().as_bytes());
        label
    }

    /// The size of an element in bytes, with `sketches` sketches per document.
    pub(crate) fn element(self, sketches: usize) -> u64 {
        self.shape(sketches).1
    }

    /// True if the section may have this length in bytes.
    pub(crate) fn fits(self, length: u64, sketches: usize, documents: u64, files: u64) -> bool {
        let (_, element, number) = self.shape(sketches);
        let elements = match number {
            Number::Any => return length.is_multiple_of(element),
            Number::Documents => Some(documents),
            Number::DocumentsAndOne => documents.checked_add(1),
            Number::Files => Some(files),
            Number::FilesAndOne => files.checked_add(1),
        };
        elements.and_then(|elements| elements.checked_mul(element)) == Some(length)
    }
}

/// The number of elements in a section.
enum Number {
    Any,
    Documents,
    DocumentsAndOne,
    Files,
    FilesAndOne,
}
