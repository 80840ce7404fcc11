//! Durable files: they survive a kill and a power loss.
//!
//! [`disk`] synchronises, renames and removes; in tests, `power` and `faults` fail at every such step.
//! [`paths`] decides where a file may be written and creates temporary files safely, [`place`] gives a
//! complete output its name, [`new_file`] writes an output that appears when it is complete, [`lock`] keeps other
//! runs away, [`lacks`] notes what a file system cannot do, and [`checked_json`] keeps JSON behind a checksum.

pub(crate) mod checked_json;
pub(crate) mod disk;
#[cfg(test)]
pub(crate) mod faults;
pub(crate) mod lacks;
pub(crate) mod lock;
pub(crate) mod new_file;
pub(crate) mod paths;
pub(crate) mod place;
#[cfg(test)]
pub(crate) mod power;
mod step;
