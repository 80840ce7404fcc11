//! Logistic regression by Newton's method.

use std::collections::HashMap;

use nearcopy::align::FEATURES;

use super::rows::Row;

/// Penalty on the square of a coefficient.
const PENALTY: f64 = 1.0;

/// Weight of all passages together.
const WEIGHT: f64 = 1000.0;

/// Number of unknowns.
const SIZE: usize = FEATURES + 1;

/// A fitted model.
pub(super) struct Model {
    pub(super) constant: f64,
    pub(super) coefficients: [f64; FEATURES],
}

impl Model {
    /// The model of these passages; those that are no copies weigh `others` times as much as copies.
    pub(super) fn fit(rows: &[&Row], others: f64) -> Self {
        let weights = weights(rows, others);
        let mut unknown = [0.0; SIZE];
        for _ in 0..60 {
            let mut gradient = [0.0; SIZE];
            let mut curvature = [[0.0; SIZE]; SIZE];
            for at in 0..SIZE {
                // The constant is free.
                let penalty = if at == 0 { 1e-9 } else { PENALTY };
                gradient[at] = -penalty * unknown[at];
                curvature[at][at] = penalty;
            }
            for (row, weight) in rows.iter().zip(&weights) {
                let values = values(&row.features);
                let probability = logistic(values.iter().zip(unknown).map(|(value, unknown)| value * unknown).sum());
                let error = f64::from(u8::from(row.is_copy)) - probability;
                let slope = weight * probability * (1.0 - probability);
                for (at, value) in values.iter().enumerate() {
                    gradient[at] += weight * error * value;
                    for (to, other) in values.iter().enumerate() {
                        curvature[at][to] += slope * value * other;
                    }
                }
            }
            let step = solved(curvature, gradient);
            unknown.iter_mut().zip(step).for_each(|(unknown, step)| *unknown += step);
            if step.iter().all(|step| step.abs() < 1e-8) {
                break;
            }
        }
        let mut coefficients = [0.0; FEATURES];
        coefficients.copy_from_slice(&unknown[1..]);
        Self { constant: unknown[0], coefficients }
    }

    /// The probability of a copy.
    pub(super) fn probability(&self, features: &[f32; FEATURES]) -> f64 {
        let sum: f64 = features.iter().zip(self.coefficients).map(|(value, factor)| f64::from(*value) * factor).sum();
        logistic(self.constant + sum)
    }
}

/// The weight of each passage: each kind weighs as the square root of its passages, and all that are no copies `others`
/// times as much as all copies.
pub(super) fn weights(rows: &[&Row], others: f64) -> Vec<f64> {
    let mut sizes: HashMap<(&str, bool), f64> = HashMap::new();
    for row in rows {
        *sizes.entry((&row.kind, row.is_copy)).or_default() += 1.0;
    }
    let of_class = |is_copy: bool| -> f64 {
        sizes.iter().filter(|((_, copy), _)| *copy == is_copy).map(|(_, size)| size.sqrt()).sum()
    };
    let all = [of_class(false) / others, of_class(true)].map(|size| (1.0 + others) * size);
    let weight =
        |row: &&Row| WEIGHT / (sizes[&(row.kind.as_str(), row.is_copy)].sqrt() * all[usize::from(row.is_copy)]);
    rows.iter().map(weight).collect()
}

fn logistic(sum: f64) -> f64 {
    1.0 / (1.0 + (-sum).exp())
}

/// The features after the constant.
fn values(features: &[f32; FEATURES]) -> [f64; SIZE] {
    let mut values = [1.0; SIZE];
    values[1..].iter_mut().zip(features).for_each(|(value, feature)| *value = f64::from(*feature));
    values
}

/// The solution of a system of linear equations, by elimination.
fn solved(mut matrix: [[f64; SIZE]; SIZE], mut right: [f64; SIZE]) -> [f64; SIZE] {
    for at in 0..SIZE {
        let greatest = (at..SIZE).max_by(|&x, &y| matrix[x][at].abs().total_cmp(&matrix[y][at].abs())).unwrap_or(at);
        matrix.swap(at, greatest);
        right.swap(at, greatest);
        let (pivot, result) = (matrix[at], right[at]);
        for row in (0..SIZE).filter(|&row| row != at) {
            let factor = matrix[row][at] / pivot[at];
            matrix[row].iter_mut().zip(pivot).skip(at).for_each(|(value, other)| *value -= factor * other);
            right[row] -= factor * result;
        }
    }
    std::array::from_fn(|at| right[at] / matrix[at][at])
}
