//! The kinds of operations on the disk.

/// A kind of operation on the disk, which tests can make fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Reading a whole file, or from an open one.
    Read,
    /// Writing to an open file.
    Write,
    /// Syncing a file.
    Sync,
    /// Syncing the names in a folder.
    SyncFolder,
    /// Renaming over what is there.
    Rename,
    /// Renaming to a name that is free.
    RenameNew,
    /// Exchanging two names.
    Exchange,
    /// Giving a file a second name.
    Link,
    /// Removing a file.
    Remove,
    /// Locking a file.
    Lock,
}
