//! The native module of the Python package: the library over Arrow data.
//!
//! ```text
//!  Arrow stream, Arrow array, list, iterator ──▶ texts ──▶ library, without the GIL ──▶ table ──▶ Arrow
//!                                                            │ ▲
//!                                                   progress ▼ │ Ctrl-C
//!                                                      run (calling thread)
//! ```
//!
//! Public functions, their defaults and their documentation are in `python/nearcopy`.

mod arrow;
mod clean;
mod columns;
mod command;
mod components;
mod corpus;
mod cutting;
mod decide;
mod decontaminate;
mod distributed;
mod errors;
mod fingerprinter;
mod index;
mod item_steps;
mod line_steps;
mod objects;
mod options;
mod pivots;
mod repeat_steps;
mod run;
mod screen;
mod search;
mod table;
mod test_set;
mod texts;
mod two;

use pyo3::prelude::*;

#[pymodule]
mod _native {
    use super::{Bound, PyModule, PyModuleMethods, PyResult};
    #[pymodule_export]
    use crate::clean::clean;
    #[pymodule_export]
    use crate::columns::left;
    #[pymodule_export]
    use crate::command::command;
    #[pymodule_export]
    use crate::components::components;
    #[pymodule_export]
    use crate::corpus::cut;
    #[pymodule_export]
    use crate::cutting::{clean_lines, clean_repeats};
    #[pymodule_export]
    use crate::decide::decide;
    #[pymodule_export]
    use crate::decontaminate::decontaminate;
    #[pymodule_export]
    use crate::distributed::Steps;
    #[pymodule_export]
    use crate::errors::Error;
    #[pymodule_export]
    use crate::fingerprinter::Fingerprinter;
    #[pymodule_export]
    use crate::index::Index;
    #[pymodule_export]
    use crate::item_steps::{ItemFinder, ItemSteps};
    #[pymodule_export]
    use crate::line_steps::LineSteps;
    #[pymodule_export]
    use crate::options::key;
    #[pymodule_export]
    use crate::pivots::Pivots;
    #[pymodule_export]
    use crate::repeat_steps::{RepeatDecider, RepeatSteps};
    #[pymodule_export]
    use crate::screen::Screening;
    #[pymodule_export]
    use crate::search::Search;
    #[pymodule_export]
    use crate::table::{Array, Table, filter};
    #[pymodule_export]
    use crate::two::{compare, explain};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        module.add("MOST", nearcopy::search::hot_keys::MOST)
    }
}
