//! Two runs beside each other, with a test of significance, printed as benchstat prints it.

use core::cmp::Ordering;

use comfy_table::{CellAlignment, Column, Table, presets};

use super::figure::{Figure, OURS, Unit, real};
use super::files::Stored;

/// A difference is shown only if its p-value is below this.
const ALPHA: f64 = 0.05;

/// The comparison of two runs as text.
#[must_use]
pub fn compare(old: &Stored, new: &Stored) -> String {
    let mut out = String::new();
    for (what, old, new) in [
        ("cpu", &old.machine.cpu, &new.machine.cpu),
        ("build", &old.machine.build, &new.machine.build),
    ] {
        let other = format!(" | {new}: NOT THE SAME, the differences below say little");
        out += &format!("{what}: {old}{}\n", if old == new { "" } else { &other });
    }
    for (unit, title) in [
        (Unit::Micros, "time"),
        (Unit::PerSecond, "rate"),
        (Unit::Bytes, "bytes"),
        (Unit::Count, "count"),
    ] {
        let both = old.figures.iter().filter(|one| one.unit == unit);
        let mut lines = both.filter_map(|one| Some(line(one, find(&new.figures, one)?))).peekable();
        if lines.peek().is_some() {
            let mut table = Table::new();
            table.load_style(presets::NOTHING);
            let [before, after] = ["old", "new"].map(|when| format!("{when} {title}"));
            table.set_header(["name", &before, &after, "delta", ""]).add_rows(lines);
            let right = |column: &mut Column| column.set_cell_alignment(CellAlignment::Right);
            table.column_iter_mut().skip(1).for_each(right);
            if let Some(name) = table.column_mut(0) {
                name.set_padding((0, 1));
            }
            out += &format!("\n{}\n", table.trim_fmt());
        }
    }
    let missing = |of: &Stored, other: &Stored| {
        of.figures.iter().filter(|one| find(&other.figures, one).is_none()).count()
    };
    let (gone, added) = (missing(old, new), missing(new, old));
    if gone + added > 0 {
        out += &format!("\n{gone} figures are in the first run only, {added} in the second only\n");
    }
    out
}

fn find<'a>(all: &'a [Figure], like: &Figure) -> Option<&'a Figure> {
    let same = |one: &&Figure| {
        one.unit == like.unit
            && [&one.name, &one.who, &one.engine] == [&like.name, &like.who, &like.engine]
    };
    all.iter().find(same)
}

fn line(old: &Figure, new: &Figure) -> [String; 5] {
    let p = mann_whitney(&old.samples, &new.samples);
    let change = (new.middle() / old.middle() - 1.0) * 100.0;
    let delta =
        if p < ALPHA && change.is_finite() { format!("{change:+.2}%") } else { "~".to_owned() };
    let value = |of: &Figure| of.cell().replace(" %", "%");
    let who = if old.who == OURS { String::new() } else { format!(" [{}]", old.who) };
    [
        format!("{}{who}", old.name),
        value(old),
        value(new),
        delta,
        format!("(p={p:.3} n={}+{})", old.samples.len(), new.samples.len()),
    ]
}

/// How often chance alone makes samples at least as different as these: the two-sided test of Mann and Whitney, exact
/// for small samples without ties, by the normal distribution otherwise.
#[must_use]
pub fn mann_whitney(first: &[f64], second: &[f64]) -> f64 {
    let (m, n) = (first.len(), second.len());
    if m == 0 || n == 0 {
        return 1.0;
    }
    let wins = |(a, b): (&f64, &f64)| match a.total_cmp(b) {
        Ordering::Greater => 1.0,
        Ordering::Equal => 0.5,
        Ordering::Less => 0.0,
    };
    let pairs = first.iter().flat_map(|a| second.iter().map(move |b| (a, b)));
    let u: f64 = pairs.map(wins).sum();
    let mut all = [first, second].concat();
    all.sort_by(f64::total_cmp);
    let groups = all.chunk_by(|a, b| a.total_cmp(b).is_eq()).map(|group| real(group.len()));
    let ties: f64 = groups.map(|size| size * size * size - size).sum();
    if ties == 0.0 && m <= 50 && n <= 50 { exact(u, m, n) } else { normal(u, m, n, ties) }
}

/// By the normal distribution; of ties it takes the sum of t³ − t over the groups of equal values.
fn normal(u: f64, m: usize, n: usize, ties: f64) -> f64 {
    let (m, n) = (real(m), real(n));
    let all = m + n;
    let variance = m * n / 12.0 * (all + 1.0 - ties / (all * (all - 1.0)).max(1.0));
    if variance <= 0.0 {
        return 1.0;
    }
    let z = ((u - m * n / 2.0).abs() - 0.5).max(0.0) / variance.sqrt();
    (2.0 * upper_tail(z)).min(1.0)
}

/// The chance that a normal variable exceeds z ≥ 0 (Abramowitz and Stegun 26.2.17, wrong by less than 1e-7).
fn upper_tail(z: f64) -> f64 {
    let t = 1.0 / (1.0 + 0.231_641_9 * z);
    let series = [0.319_381_530, -0.356_563_782, 1.781_477_937, -1.821_255_978, 1.330_274_429];
    let sum = series.iter().rev().fold(0.0, |sum, coefficient| (sum + coefficient) * t);
    (-z * z / 2.0).exp() / (2.0 * core::f64::consts::PI).sqrt() * sum
}

/// Counts the orders of m and n values by their statistic.
fn exact(u: f64, m: usize, n: usize) -> f64 {
    // ways[j][v]: orders of the values so far, j of them of the second sample, in which the statistic is v.
    let size = m * n + 1;
    let mut ways = vec![vec![0.0; size]; n + 1];
    ways.iter_mut().for_each(|row| row[0] = 1.0);
    for _ in 0..m {
        for (j, value) in (1..=n).flat_map(|j| (0..size).rev().map(move |value| (j, value))) {
            // The largest is of the first sample, above j others; or of the second.
            let first = if value >= j { ways[j][value - j] } else { 0.0 };
            ways[j][value] = first + ways[j - 1][value];
        }
    }
    let extreme = u.min(real(m * n) - u);
    let below = ways[n].iter().enumerate().filter(|(value, _)| real(*value) <= extreme);
    let below: f64 = below.map(|(_, ways)| ways).sum();
    (2.0 * below / ways[n].iter().sum::<f64>()).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::machine::{Load, Machine};

    #[test]
    fn the_test_of_mann_and_whitney() {
        // All 20 orders of 3 + 3 values are equally likely: the two extreme ones are a tenth.
        assert!((mann_whitney(&[1.0, 2.0, 3.0], &[4.0, 5.0, 6.0]) - 0.1).abs() < 1e-12);
        assert!((mann_whitney(&[1.0, 2.0], &[3.0, 4.0]) - 1.0 / 3.0).abs() < 1e-12);
        // U = 3: 7 of the 252 orders of 5 + 5 values have that or less.
        let p = mann_whitney(&[1.0, 2.0, 3.0, 4.0, 7.5], &[5.0, 6.0, 7.0, 8.0, 9.0]);
        assert!((p - 14.0 / 252.0).abs() < 1e-12, "{p}");
        assert!((mann_whitney(&[1.0], &[]) - 1.0).abs() < 1e-12);
        // Equal samples, with ties.
        assert!(mann_whitney(&[5.0; 10], &[5.0; 10]) > 0.99);
        // The normal tail.
        assert!((upper_tail(1.959_964) - 0.025).abs() < 1e-6);
        // The exact and the approximate one agree: of 20 and 20 values, 120 pairs of 400 are won.
        assert!((exact(120.0, 20, 20) - normal(120.0, 20, 20, 0.0)).abs() < 0.002);
    }

    fn run(scale: f64, cpu: &str) -> Stored {
        let noisy = |base: f64| (0..10).map(|i| base * (1.0 + f64::from(i) / 100.0)).collect();
        let figure = |name, base| Figure::new(name, Unit::Micros, noisy(base)).with("ifma", "");
        let machine = Machine { cpu: cpu.into(), ..Machine::here() };
        let mut run = Stored::new(&machine, ["tiny", ""], &Load::together(&[]), &[]);
        run.figures = vec![figure("changed", 100.0 * scale), figure("same", 50.0 + 0.01 * scale)];
        run
    }

    #[test]
    fn prints_as_benchstat_does() {
        let text = compare(&run(1.0, "a"), &run(0.8, "a"));
        let changed = text.lines().find(|line| line.starts_with("changed")).unwrap();
        assert!(changed.contains("-20.00%") && changed.contains("(p=0.000 n=10+10)"), "{changed}");
        let same = text.lines().find(|line| line.starts_with("same")).unwrap();
        assert!(same.contains(" ~ "), "{same}");
        assert!(text.contains("old time") && text.contains("new time") && text.contains("delta"));
        assert!(!text.contains("NOT THE SAME"));
        assert!(compare(&run(1.0, "a"), &run(1.0, "b")).contains("NOT THE SAME"));
    }

    #[test]
    fn what_one_run_lacks_is_said() {
        let (old, mut new) = (run(1.0, "a"), run(1.0, "a"));
        new.figures.remove(0);
        assert!(
            compare(&old, &new)
                .contains("1 figures are in the first run only, 0 in the second only")
        );
    }
}
