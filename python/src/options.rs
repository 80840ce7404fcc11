//! Options as Python gives them, and as the library takes them.

use std::thread::available_parallelism;

use nearcopy::search::keep::{self, Policy};
use nearcopy::{Keep, KeyOrder, Removal, Rules};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// The policies for rows, which have no files whose names or times could choose.
pub(crate) enum Keeping {
    /// By the texts or their order.
    Text(Keep),
    /// By the values of a column.
    Column(KeyOrder, String),
}

impl Keeping {
    /// The column, if there is one.
    pub(crate) fn column(&self) -> Option<&str> {
        match self {
            Self::Text(_) => None,
            Self::Column(_, name) => Some(name),
        }
    }

    /// The library's policy.
    pub(crate) fn policy(&self) -> Policy {
        match self {
            Self::Text(keep) => Policy::Text(*keep),
            Self::Column(order, _) => Policy::Key(*order),
        }
    }
}

/// The policy that chooses a survivor.
pub(crate) fn keep(name: &str) -> PyResult<Keeping> {
    named(name, "first, last, longest, shortest or field:NAME")
}

/// The policy that chooses which text keeps what others lose, and true if none does.
pub(crate) fn keep_or_none(name: &str) -> PyResult<(Keeping, bool)> {
    if name == "none" {
        return Ok((Keeping::Text(Keep::First), true));
    }
    Ok((named(name, "first, last, longest, shortest, none or field:NAME")?, false))
}

fn named(name: &str, expected: &str) -> PyResult<Keeping> {
    let wrong = |why: &str| PyValueError::new_err(format!("keep '{name}': {why}"));
    match keep::named(name) {
        Ok((Policy::Text(keep), _)) => Ok(Keeping::Text(keep)),
        Ok((Policy::Key(order), Some(column))) => Ok(Keeping::Column(order, column)),
        Err(why) if name.starts_with("field:") => Err(wrong(&why)),
        _ => Err(wrong(&format!("expected {expected}"))),
    }
}

/// The column of a policy, which may be that none is kept if `or_none` is set.
#[pyfunction]
#[pyo3(signature = (keep, or_none=false))]
pub(crate) fn key(keep: &str, or_none: bool) -> PyResult<Option<String>> {
    let keeping = if or_none { keep_or_none(keep)?.0 } else { self::keep(keep)? };
    Ok(keeping.column().map(str::to_owned))
}

/// The number that an argument has, from `least` to `most`. Numbers arrive in 128 bits, so that one of more than 64 is
/// refused here too, by the name of its argument.
pub(crate) fn number(argument: &str, value: i128, least: u32, most: u32) -> PyResult<u32> {
    u32::try_from(value).ok().filter(|value| (least..=most).contains(value)).ok_or_else(|| {
        let range = if most == u32::MAX && value < least.into() {
            format!("of {least} or more")
        } else {
            format!("from {least} to {most}")
        };
        PyValueError::new_err(format!("{argument} {value}: expected a whole number {range}"))
    })
}

/// The share that an argument has.
pub(crate) fn share(argument: &str, value: f64) -> PyResult<f64> {
    if (0.0..=1.0).contains(&value) {
        return Ok(value);
    }
    Err(PyValueError::new_err(format!("{argument} {value}: expected a number from 0 to 1")))
}

/// The rules by which two texts are near.
pub(crate) fn rules(similarity: Option<f64>, distance: Option<i128>) -> PyResult<Rules> {
    if let Some(similarity) = similarity.filter(|similarity| !(0.0..=1.0).contains(similarity)) {
        return Err(PyValueError::new_err(format!("similarity {similarity}: expected a number from 0 to 1, or None")));
    }
    let within = |distance: i128| {
        let whole = u32::try_from(distance).ok().filter(|&distance| distance <= 64);
        let message = || format!("distance {distance}: expected a whole number from 0 to 64, or None");
        whole.ok_or_else(|| PyValueError::new_err(message()))
    };
    Ok(Rules::of(distance.map(within).transpose()?, similarity))
}

/// The widest claim of a removal, if it has this name, and the rules of edited copies; `argument` is that which names
/// the claim.
pub(crate) fn removing(
    argument: &str,
    widest: Option<&str>,
    similarity: Option<f64>,
    distance: Option<i128>,
) -> PyResult<Option<(Removal, Rules)>> {
    let named = |name: &str| {
        let claim = Removal::ALL.into_iter().find(|claim| claim.name() == name);
        claim.ok_or_else(|| {
            PyValueError::new_err(format!("{argument} '{name}': expected 'same', 'contained' or 'edited'"))
        })
    };
    let widest = widest.map(named).transpose()?;
    let given = [("similarity", similarity.is_some()), ("distance", distance.is_some())];
    if let Some((rule, _)) = given.into_iter().find(|&(_, is_given)| is_given && widest != Some(Removal::Edited)) {
        let message = format!("{rule} is a rule of edited copies; give {argument}='edited' too");
        return Err(PyValueError::new_err(message));
    }
    let (given, usual) = (rules(similarity, distance)?, Rules::removing());
    let rules =
        Rules { max_distance: given.max_distance, min_similarity: similarity.or(usual.min_similarity), ..usual };
    Ok(widest.map(|widest| (widest, rules)))
}

/// The widest claim of a removal, if rows are removed, and the rules of the search; `making` then makes only what is
/// compared.
pub(crate) fn searching(
    remove: Option<&str>,
    similarity: Option<f64>,
    distance: Option<i128>,
    making: &mut nearcopy::Options,
) -> PyResult<(Option<Removal>, Rules)> {
    let removing = match remove {
        Some(_) => removing("remove", remove, similarity, distance)?,
        None => None,
    };
    let Some((widest, rules)) = removing else { return Ok((None, rules(similarity, distance)?)) };
    // Without the Hamming rule only words are compared, and they need no language.
    making.simhash = rules.max_distance.is_some();
    Ok((Some(widest), rules))
}

pub(crate) fn recall(recall: f64) -> PyResult<f64> {
    if (0.0..1.0).contains(&recall) {
        return Ok(recall);
    }
    Err(PyValueError::new_err(format!("recall {recall}: expected a number from 0 to less than 1")))
}

/// The number of threads; by default that of the processors.
pub(crate) fn threads(threads: Option<i128>) -> PyResult<usize> {
    match threads {
        Some(threads) => Ok(number("threads", threads, 1, u16::MAX.into())? as usize),
        None => Ok(available_parallelism().map_or(1, Into::into)),
    }
}

/// The bytes that a run may take; by default those that the machine has.
pub(crate) fn max_memory(bytes: Option<i128>) -> PyResult<Option<usize>> {
    let of = |bytes: i128| {
        let message = || format!("max_memory {bytes}: expected a number of bytes, or None");
        usize::try_from(bytes).map_err(|_| PyValueError::new_err(message()))
    };
    bytes.map(of).transpose()
}
