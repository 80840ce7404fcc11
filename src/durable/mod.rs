//! Durable files: they survive a kill and a power loss.
//!
//! [`disk`] synchronises, renames and removes; in tests, `power` fails at every such step.
//! [`paths`] decides where a file may be written and creates temporary files safely, [`new_file`]
//! replaces an output atomically, and [`checked_json`] keeps JSON behind a checksum.

pub(crate) mod checked_json;
pub(crate) mod disk;
pub(crate) mod new_file;
pub(crate) mod paths;
#[cfg(test)]
pub(crate) mod power;
