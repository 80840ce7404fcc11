//! Durable files: they survive a kill and a power loss.
//!
//! [`disk`] synchronises, renames and removes; in tests, `power` and `faults` fail at every such step.
//! [`paths`] decides where a file may be written and creates temporary files safely, [`place`] gives a
//! complete output its name, [`new_file`] writes an output that appears when it is complete, [`lock`] keeps other
//! runs away, [`scratch`] is for files that outlive no run, [`lacks`] notes what a file system cannot do,
//! [`checked_json`] keeps JSON behind a checksum, [`headed`] rows behind a head of JSON, and [`known`] tells corpora that a
//! file has counted.

pub mod checked_json;
pub mod disk;
#[cfg(any(test, feature = "faults"))]
pub mod faults;
pub mod headed;
pub mod known;
pub mod lacks;
pub mod lock;
pub mod new_file;
pub mod paths;
pub mod place;
#[cfg(any(test, feature = "faults"))]
pub mod power;
pub mod scratch;
mod step;
