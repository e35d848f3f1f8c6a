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
        // The normal equations, by Cramer's rule: powers of x on the left, y on the right.
        let power = |n: i32| points.iter().map(|(x, _)| x.powi(n)).sum::<f64>();
        let right = [2, 1, 0].map(|n| points.iter().map(|(x, y)| x.powi(n) * y).sum::<f64>());
        let left = [2, 1, 0].map(|column| [2, 1, 0].map(|row| power(row + column)));
        let all = determinant(left);
        let part = |at: usize| {
            let mut replaced = left;
            replaced[at] = right;
            determinant(replaced) / all
        };
        let [a, b, c] = [0, 1, 2].map(part);
        let fit = Self { a, b, c, r2: 1.0 };
        let mean = right[2] / power(0);
        let residual: f64 = points.iter().map(|(x, y)| (y - fit.at(*x)).powi(2)).sum();
        let total: f64 = points.iter().map(|(_, y)| (y - mean).powi(2)).sum();
        let r2 = if total > 0.0 { 1.0 - residual / total } else { 1.0 };
        (points.len() >= 3 && all.abs() > 1e-12).then_some(Self { r2, ..fit })
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

fn determinant([a, b, c]: [[f64; 3]; 3]) -> f64 {
    a[0] * (b[1] * c[2] - b[2] * c[1])
        + a[1] * (b[2] * c[0] - b[0] * c[2])
        + a[2] * (b[0] * c[1] - b[1] * c[0])
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
