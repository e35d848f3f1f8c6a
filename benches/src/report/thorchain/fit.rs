//! A parabola through points, and how well it fits.

/// `a x² + b x + c`, with the part of the variance that it explains.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Fit {
    pub(super) a: f64,
    pub(super) b: f64,
    pub(super) c: f64,
    pub(super) r2: f64,
}

/// The published fits, in milliseconds.
pub(super) const PUBLISHED: [(&str, Fit); 2] = [
    ("keygen", Fit { a: 67.672, b: 916.8, c: 11572.0, r2: 0.9562 }),
    ("sign", Fit { a: 50.252, b: -373.93, c: 6198.1, r2: 0.8958 }),
];

impl Fit {
    /// The least squares through three points or more; nothing where they do not determine a parabola.
    pub(super) fn through(points: &[(f64, f64)]) -> Option<Self> {
        // The normal equations: powers of x on the left, y on the right.
        let power = |n: i32| points.iter().map(|(x, _)| x.powi(n)).sum::<f64>();
        let right = |n: i32| points.iter().map(|(x, y)| x.powi(n) * y).sum::<f64>();
        let rows = [2, 1, 0].map(|n| [power(n + 2), power(n + 1), power(n), right(n)]);
        let [a, b, c] = solved(rows)?;
        let at = |x: f64| (a * x + b) * x + c;
        let mean = right(0) / power(0);
        let residual: f64 = points.iter().map(|(x, y)| (y - at(*x)).powi(2)).sum();
        let all: f64 = points.iter().map(|(_, y)| (y - mean).powi(2)).sum();
        let r2 = if all > 0.0 { 1.0 - residual / all } else { 1.0 };
        (points.len() >= 3).then_some(Self { a, b, c, r2 })
    }

    /// The value at x.
    pub(super) fn at(&self, x: f64) -> f64 {
        (self.a * x + self.b) * x + self.c
    }

    /// The formula, as the published fits are written.
    pub(super) fn formula(&self) -> String {
        let sign = |value: f64| if value < 0.0 { '−' } else { '+' };
        let [a, b, c] = [self.a, self.b, self.c].map(|value| format!("{:.3}", value.abs()));
        let first = if self.a < 0.0 { "−" } else { "" };
        format!("{first}{a} x² {} {b} x {} {c}, R² = {:.4}", sign(self.b), sign(self.c), self.r2)
    }
}

/// Gauss, with the largest pivot.
fn solved(mut rows: [[f64; 4]; 3]) -> Option<[f64; 3]> {
    for column in 0..3 {
        let largest =
            (column..3).max_by(|a, b| rows[*a][column].abs().total_cmp(&rows[*b][column].abs()))?;
        rows.swap(column, largest);
        let pivot = rows[column];
        if pivot[column].abs() < 1e-12 {
            return None;
        }
        for (_, row) in rows.iter_mut().enumerate().filter(|(at, _)| *at != column) {
            let factor = row[column] / pivot[column];
            row.iter_mut().zip(pivot).for_each(|(value, of)| *value -= factor * of);
        }
    }
    Some([0, 1, 2].map(|at| rows[at][3] / rows[at][at]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::thorchain::growth::published_points;

    #[test]
    fn a_parabola_is_found_again() {
        let points: Vec<(f64, f64)> = (1..8)
            .map(|x| (f64::from(x), 2.0 * f64::from(x * x) - 3.0 * f64::from(x) + 5.0))
            .collect();
        let fit = Fit::through(&points).unwrap();
        assert!(
            (fit.a - 2.0).abs() < 1e-9 && (fit.b + 3.0).abs() < 1e-9 && (fit.c - 5.0).abs() < 1e-8
        );
        assert!((fit.r2 - 1.0).abs() < 1e-12);
        assert_eq!(fit.formula(), "2.000 x² − 3.000 x + 5.000, R² = 1.0000");
        assert_eq!(Fit::through(&points[..2]), None);
    }

    /// The published fits follow from the published points.
    #[test]
    fn the_published_fits_are_least_squares() {
        for (protocol, Fit { a, b, c, r2 }) in PUBLISHED {
            let points = published_points(protocol).into_iter().map(|(n, s)| (n, s * 1e3));
            let points: Vec<_> = points.collect();
            let fit = Fit::through(&points).unwrap();
            assert!((fit.a / a - 1.0).abs() < 0.01, "{fit:?}");
            assert!((fit.b / b - 1.0).abs() < 0.02 && (fit.c / c - 1.0).abs() < 0.02, "{fit:?}");
            assert!((fit.r2 - r2).abs() < 1e-3, "{fit:?}");
        }
    }
}
