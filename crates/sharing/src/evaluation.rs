//! Values of committed polynomials (coefficients are points, all public) at small places, in
//! variable time.
//!
//! Two ways. *Horner's rule* at each place: t − 1 small multiplications. *Differences*: all of Δᵏg
//! at a base b by t²/2 small multiplications, and then each next value by t − 1 additions. A sum of
//! operation counts decides.

use alloc::vec::Vec;

use quorate_curve::Curve;
use quorate_session::PartyId;

/// The value at `x` by Horner's rule.
pub(crate) fn horner_vartime<C: Curve>(points: &[C::Point], x: u16) -> C::Point {
    let Some((last, rest)) = points.split_last() else {
        return C::identity();
    };
    rest.iter()
        .rev()
        .fold(*last, |value, point| C::mul_small_vartime(&value, u64::from(x)) + *point)
}

/// The values at all `ids`, in their order.
pub(crate) fn evaluate_all_vartime<C: Curve>(
    points: &[C::Point],
    ids: &[PartyId],
) -> Vec<C::Point> {
    // Places in rising order, each with the index of its id.
    let mut places: Vec<(u16, usize)> =
        ids.iter().enumerate().map(|(index, id)| (id.get(), index)).collect();
    places.sort_unstable();
    let plan = Plan::choose(points.len(), &places);
    let (run, rest) = places.split_at_checked(plan.run).unwrap_or((&[], &places));
    let mut values = alloc::vec![C::identity(); ids.len()];
    let mut set = |index: usize, value: C::Point| {
        if let Some(to) = values.get_mut(index) {
            *to = value;
        }
    };
    if let Some((last, _)) = run.last() {
        let mut differences = Differences::<C>::new(points, plan.base, *last);
        for (place, index) in run {
            set(*index, differences.advance_to(*place));
        }
    }
    for (place, index) in rest {
        set(*index, horner_vartime::<C>(points, *place));
    }
    values
}

/// Which of the places go by differences: the lowest `run` of them, from `base` on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Plan {
    run: usize,
    base: u16,
}

impl Plan {
    /// The cheapest plan for t points, by the number of additions and doublings.
    fn choose(points: usize, places: &[(u16, usize)]) -> Self {
        let nothing = Self { run: 0, base: 0 };
        let (Some((first, _)), Ok(t)) = (places.first(), u64::try_from(points)) else {
            return nothing;
        };
        let steps = t.saturating_sub(1);
        let horner = |place: u16| steps * (small_multiplication(place) + 1);
        let mut best = (places.iter().map(|(place, _)| horner(*place)).sum::<u64>(), nothing);
        for base in [0, *first] {
            let mut after = best_rest(places, horner);
            let mut set_up = 0;
            let mut column = 0;
            for (run, (place, _)) in (1..).zip(places) {
                after -= horner(*place);
                let distance = u64::from(place - base);
                // Columns above the distance to the last place are never read.
                while column < t && column <= distance {
                    set_up += column_cost(t, column, base);
                    column += 1;
                }
                let cost = set_up + additions(distance, column) + after;
                if cost < best.0 {
                    best = (cost, Self { run, base });
                }
            }
        }
        best.1
    }
}

/// The cost of computing every place by Horner's rule.
fn best_rest(places: &[(u16, usize)], horner: impl Fn(u16) -> u64) -> u64 {
    places.iter().map(|(place, _)| horner(*place)).sum()
}

/// Operations on column k in finding the differences at a base.
fn column_cost(t: u64, column: u64, base: u16) -> u64 {
    let rows = t.saturating_sub(column);
    let by_column = u16::try_from(column).map_or(0, |k| small_multiplication(k) + u64::from(k > 0));
    let by_base = if base > 0 { small_multiplication(base) + 1 } else { 0 };
    rows * (by_column + by_base)
}

/// Additions that take `columns` differences `distance` places on, when nothing beyond that is
/// wanted.
fn additions(distance: u64, columns: u64) -> u64 {
    let all = distance * columns.saturating_sub(1);
    let unneeded = columns.saturating_sub(1).min(distance);
    all - ((unneeded * unneeded) >> 1)
}

/// Doublings and additions of a small multiplication: a doubling for each bit but the first, an
/// addition for every digit of the non-adjacent form but the first.
fn small_multiplication(multiplier: u16) -> u64 {
    let value = u64::from(multiplier);
    let digits = ((3 * value) ^ value).count_ones();
    let bits = u16::BITS - multiplier.leading_zeros();
    u64::from(bits.saturating_sub(1)) + u64::from(digits.saturating_sub(1))
}

/// The differences Δᵏg(x) of the committed polynomial at a place x that moves upwards.
struct Differences<C: Curve> {
    place: u16,
    /// The last place that will be asked for.
    last: u16,
    /// Δᵏg(place), k = 0, 1, …, as far as values up to `last` depend on them.
    deltas: Vec<C::Point>,
}

impl<C: Curve> Differences<C> {
    /// The differences at `base`, for places up to `last`.
    ///
    /// Horner's rule in them: Δᵏ(x·g)(b) = (b + k)·Δᵏg(b) + k·Δᵏ⁻¹g(b), and adding a constant
    /// changes Δ⁰ only.
    fn new(points: &[C::Point], base: u16, last: u16) -> Self {
        let columns = points.len().min(usize::from(last.saturating_sub(base)) + 1);
        let mut deltas: Vec<C::Point> = Vec::with_capacity(columns);
        for point in points.iter().rev() {
            if deltas.len() < columns {
                deltas.push(C::identity());
            }
            Self::times_x(&mut deltas, u64::from(base));
            if let Some(value) = deltas.first_mut() {
                *value = *value + *point;
            }
        }
        Self { place: base, last, deltas }
    }

    /// The differences of x·g from those of g, whose degree is one less than the deltas leave room
    /// for.
    fn times_x(deltas: &mut [C::Point], base: u64) {
        let mut rest = deltas;
        // From the highest down, so that each finds its neighbour below still as it was.
        while let Some((delta, lower)) = rest.split_last_mut() {
            let moved =
                (base > 0 && !C::is_identity(delta)).then(|| C::mul_small_vartime(delta, base));
            *delta = match (lower.last(), u64::try_from(lower.len())) {
                (Some(below), Ok(k)) => C::mul_small_vartime(&(*delta + *below), k),
                _ => C::identity(),
            };
            if let Some(moved) = moved {
                *delta = *delta + moved;
            }
            rest = lower;
        }
    }

    /// The value at `place`, which is not below the place of the call before.
    fn advance_to(&mut self, place: u16) -> C::Point {
        while self.place < place {
            // Δᵏg(x + 1) = Δᵏg(x) + Δᵏ⁺¹g(x). Columns further up than the number of places left are
            // not needed again.
            let needed = usize::from(self.last.saturating_sub(self.place));
            let mut moving = self.deltas.iter_mut().take(needed.saturating_add(1));
            let mut current = moving.next();
            for next in moving {
                if let Some(delta) = current {
                    *delta = *delta + *next;
                }
                current = Some(next);
            }
            self.place += 1;
        }
        self.deltas.first().copied().unwrap_or_else(C::identity)
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use quorate_curve::{Curve, Secp256k1};

    use super::{Differences, Plan, horner_vartime, small_multiplication};

    fn places(ids: impl IntoIterator<Item = u16>) -> Vec<(u16, usize)> {
        ids.into_iter().zip(0..).collect()
    }

    /// From any base, with any gaps, whether or not a plan would choose it.
    #[test]
    fn differences_agree_with_horner() {
        for t in 1..12u64 {
            let point = |k: u64| Secp256k1::mul_base(&(k * k * k + 12_345).into());
            let points: Vec<_> = (0..t).map(point).collect();
            for base in [0, 1, 2, 1000, 65500] {
                for jumps in [&[0, 1, 1, 1, 1, 1, 1][..], &[0, 0, 3, 0, 9], &[17, 1], &[35]] {
                    let last = base + jumps.iter().sum::<u16>();
                    let mut differences = Differences::<Secp256k1>::new(&points, base, last);
                    let mut place = base;
                    for jump in jumps {
                        place += jump;
                        let expected = horner_vartime::<Secp256k1>(&points, place);
                        assert!(
                            differences.advance_to(place) == expected,
                            "t {t}, {base}, {place}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn runs_go_by_differences_and_outliers_by_horner() {
        let run = |t, ids: &[(u16, usize)]| Plan::choose(t, ids);
        assert_eq!(run(67, &places(1..=100)), Plan { run: 100, base: 0 });
        assert_eq!(run(67, &places((1..=100).chain([65535]))), Plan { run: 100, base: 0 });
        assert_eq!(run(67, &places(60_001..=60_100)), Plan { run: 100, base: 60_001 });
        assert_eq!(run(67, &places([1000, 20_000, 65535])).run, 0);
        assert_eq!(run(67, &[]).run, 0);
        assert_eq!(run(0, &places(1..=100)).run, 0);
    }

    #[test]
    fn small_multiplications_are_counted() {
        for (multiplier, cost) in [(0, 0), (1, 0), (2, 1), (3, 2), (7, 4), (8, 3), (65535, 16)] {
            assert!(small_multiplication(multiplier).abs_diff(cost) <= 1, "{multiplier}");
        }
    }
}
