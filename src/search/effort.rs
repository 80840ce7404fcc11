//! The resources of a search.

/// The resources for the work; they do not affect the result.
#[derive(Debug, Clone, Copy)]
pub struct Effort {
    /// Number of threads.
    pub threads: usize,
    /// Maximum memory in bytes, beyond the mapped files.
    pub max_memory: usize,
}
