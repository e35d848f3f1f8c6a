//! Plots as SVG: lines over an axis, and bars in groups. Colours are plain attributes, which the page's style replaces
//! in dark mode.

use core::ops::Range;

use plotters::coord::Shift;
use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::figure::{digits, real};
use super::section::Drawing;

/// Size of the drawing, in pixels: legible on a phone too.
const SIZE: (u32, u32) = (520, 380);
const FONT: i32 = 18;
const INK: RGBColor = RGBColor(0x1f, 0x29, 0x37);
const GRID: RGBColor = RGBColor(0xd1, 0xd5, 0xdb);
/// Series. `style.css` has the same list, with what stands for them in the dark.
const COLOURS: [RGBColor; 6] = [
    RGBColor(0x1b, 0x6c, 0xa8),
    RGBColor(0xc2, 0x41, 0x0c),
    RGBColor(0x15, 0x80, 0x3d),
    RGBColor(0x7e, 0x22, 0xce),
    RGBColor(0xb9, 0x1c, 0x1c),
    RGBColor(0x52, 0x52, 0x5b),
];

/// How a series is drawn.
#[derive(Clone, Copy, Debug)]
pub(super) enum Mark {
    /// Points and the lines between them.
    Line,
    /// Points alone.
    Points,
    /// A line alone: a fit.
    Curve,
    /// Bars of this width, to the right of their points.
    Bar(f64),
}

/// Points with a name: how they are drawn, and x and y.
#[derive(Clone, Debug)]
pub(super) struct Series {
    label: String,
    mark: Mark,
    points: Vec<(f64, f64)>,
}

impl Series {
    /// A series of this name in the legend.
    pub(super) fn new(label: impl Into<String>, mark: Mark, points: Vec<(f64, f64)>) -> Self {
        Self { label: label.into(), mark, points }
    }
}

/// An axis: numbers, linear or in decades, or names.
struct Axis {
    range: Range<f64>,
    log: bool,
    /// Places and their labels.
    ticks: Vec<(f64, String)>,
}

impl Axis {
    /// Around these values.
    fn around(values: impl Iterator<Item = f64>, log: bool) -> Self {
        let usable = values.filter(|value| value.is_finite() && (!log || *value > 0.0));
        let (low, high) = usable.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
            (low.min(value), high.max(value))
        });
        let decade = |exponent: f64| 10f64.powf(exponent);
        let range = match (low <= high, log) {
            (false, _) => 1.0..10.0,
            (true, true) => decade(low.log10().floor())..decade((high * 1.05).log10().ceil()),
            (true, false) => 0.0..(high * 1.08).max(f64::MIN_POSITIVE),
        };
        let ticks = labelled(&range, log).into_iter().map(|at| (at, label(at))).collect();
        Self { range, log, ticks }
    }

    /// A name for the middle of each unit.
    fn named(names: &[String]) -> Self {
        let middle = |(at, name): (usize, &String)| (real(at) + 0.5, name.clone());
        let ticks = names.iter().enumerate().map(middle).collect();
        Self { range: 0.0..real(names.len()), log: false, ticks }
    }
}

impl Ranged for Axis {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    /// The pixel of a value, which may lie a little outside.
    fn map(&self, value: &f64, pixels: (i32, i32)) -> i32 {
        let place = |value: f64| if self.log { value.ln() } else { value };
        let [start, end, at] = [self.range.start, self.range.end, *value].map(place);
        let part = ((at - start) / (end - start)).clamp(-0.05, 1.05);
        RangedCoordf64::from(0.0..1.0).map(&part, pixels)
    }

    fn key_points<Hint: KeyPointHint>(&self, _wanted: Hint) -> Vec<f64> {
        self.ticks.iter().map(|tick| tick.0).collect()
    }

    fn range(&self) -> Range<f64> {
        self.range.clone()
    }
}

impl ValueFormatter<f64> for Axis {
    fn format_ext(&self, value: &f64) -> String {
        let tick = self.ticks.iter().find(|tick| tick.0.total_cmp(value).is_eq());
        tick.map_or_else(String::new, |tick| tick.1.clone())
    }
}

/// Values with a label: powers of ten, or at most seven with the same distance.
fn labelled(Range { start, end }: &Range<f64>, log: bool) -> Vec<f64> {
    let count = |step: f64, length: f64| {
        (0u32..64)
            .map(move |at| f64::from(at) * step)
            .take_while(move |at| *at <= length * 1.000_001)
    };
    if log {
        let decades = (end / start).log10().round();
        let every = (decades / 8.0).ceil().max(1.0);
        return count(every, decades).map(|at| start * 10f64.powf(at)).collect();
    }
    let rough = (end - start) / 6.0;
    let power = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0].into_iter().find(|step| step * power >= rough).unwrap_or(10.0);
    count(step * power, end - start).map(|at| start + at).collect()
}

/// A number beside an axis.
fn label(value: f64) -> String {
    match value {
        value if value.abs() < 1e-12 => "0".to_owned(),
        value if value.abs() < 0.1 => format!("{value:.0e}"),
        value if value.abs() < 1.0 => format!("{}", (value * 100.0).round() / 100.0),
        value => digits((value * 1e6).round() / 1e6),
    }
}

fn colour(at: usize) -> RGBColor {
    COLOURS.iter().cycle().nth(at).copied().unwrap_or(INK)
}

/// Series over an axis of numbers.
pub(super) fn lines([id, title, x, y]: [&str; 4], log: bool, series: &[Series]) -> Drawing {
    let points = || series.iter().flat_map(|one| one.points.iter().copied());
    let across = Axis::around(points().map(|point| point.0), false);
    let up = Axis::around(points().map(|point| point.1), log);
    Drawing { id: id.to_owned(), title: title.to_owned(), svg: drawn([x, y], across, up, series) }
}

/// Bars with a name: a value in each group.
pub(super) type Bars = (String, Vec<f64>);

/// Bars in groups over a logarithmic axis, with the name of each group.
pub(super) fn bars([id, title, y]: [&str; 3], groups: &[String], bars: &[Bars]) -> Drawing {
    let up = Axis::around(bars.iter().flat_map(|one| one.1.iter().copied()), true);
    let width = 0.8 / real(bars.len().max(1));
    let series = bars.iter().enumerate().map(|(at, (name, values))| {
        let left = |group: usize| real(group) + 0.1 + width * real(at);
        let points = values.iter().enumerate().map(|(group, value)| (left(group), *value));
        Series::new(name, Mark::Bar(width), points.collect())
    });
    let svg = drawn(["", y], Axis::named(groups), up, &series.collect::<Vec<_>>());
    Drawing { id: id.to_owned(), title: title.to_owned(), svg }
}

/// A legend above, the axes with their titles, and the series between them.
fn drawn([x, y]: [&str; 2], across: Axis, up: Axis, series: &[Series]) -> String {
    let (mut svg, bottom) = (String::new(), up.range.start);
    {
        let area = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        let rows = series.len().div_ceil(2).max(1);
        let (legend, rest) = area.split_vertically(i32::try_from(rows).unwrap_or(1) * 24 + 8);
        legend_of(&legend, series);
        let mut chart = ChartBuilder::on(&rest)
            .margin(6)
            .margin_right(16)
            .x_label_area_size(52)
            .y_label_area_size(76)
            .build_cartesian_2d(across, up)
            .expect("a string");
        let style = ("sans-serif", FONT).into_font().color(&INK);
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(GRID)
            .axis_style(INK)
            .label_style(style.clone())
            .axis_desc_style(style)
            .x_desc(x)
            .y_desc(y)
            .draw()
            .expect("a string");
        for (at, Series { mark, points, .. }) in series.iter().enumerate() {
            let finite = points.iter().copied().filter(|(_, y)| y.is_finite());
            let filled = colour(at).filled();
            if matches!(mark, Mark::Line | Mark::Curve) {
                let style = colour(at).stroke_width(2);
                chart.draw_series(LineSeries::new(finite.clone(), style)).expect("a string");
            }
            if matches!(mark, Mark::Line | Mark::Points) {
                let dots = finite.clone().map(|point| Circle::new(point, 4, filled));
                chart.draw_series(dots).expect("a string");
            }
            if let Mark::Bar(width) = mark {
                let bar = |(x, y)| Rectangle::new([(x, bottom), (x + width, y)], filled);
                chart.draw_series(finite.map(bar)).expect("a string");
            }
        }
        area.present().expect("a string");
    }
    svg
}

/// Two names in a row.
fn legend_of(area: &DrawingArea<SVGBackend<'_>, Shift>, series: &[Series]) {
    let style =
        ("sans-serif", FONT).into_font().color(&INK).pos(Pos::new(HPos::Left, VPos::Center));
    for (at, one) in series.iter().enumerate() {
        let place = |of: usize| i32::try_from(of).unwrap_or(0);
        let (left, top) = (10 + place(at % 2) * 260, 18 + place(at / 2) * 24);
        let swatch = Rectangle::new([(left, top - 5), (left + 12, top + 5)], colour(at).filled());
        area.draw(&swatch).expect("a string");
        let name = Text::new(one.label.as_str(), (left + 18, top), style.clone());
        area.draw(&name).expect("a string");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plot_has_its_series_and_labels() {
        let one = |label, mark| Series::new(label, mark, vec![(3.0, 10.0), (30.0, 1000.0)]);
        let series =
            [one("measured", Mark::Points), one("a < fit", Mark::Curve), one("both", Mark::Line)];
        let svg = lines(["x", "x", "nodes", "ms"], true, &series).svg;
        let texts = "<svg viewBox nodes ms measured <circle <polyline #1B6CA8 #C2410C #15803D";
        for text in texts.split(' ').chain(["a &lt; fit"]) {
            assert!(svg.contains(text), "{text} in {svg}");
        }
        assert_eq!(svg.matches("<circle").count(), 4);
    }

    #[test]
    fn bars_stand_in_groups() {
        let series =
            [("one".to_owned(), vec![1.0, 100.0]), ("two".to_owned(), vec![5.0, f64::NAN])];
        let svg = bars(["x", "x", "ms"], &["left".into(), "right".into()], &series).svg;
        for text in ["left", "right", "one", "two"] {
            assert!(svg.contains(text), "{text}");
        }
    }

    #[test]
    fn axes_hold_their_values() {
        let axis = Axis::around([0.3, 700.0].into_iter(), true);
        assert!((axis.range.start - 0.1).abs() < 1e-9 && (axis.range.end - 1000.0).abs() < 1e-9);
        assert_eq!(axis.map(&10.0, (0, 1000)), 500);
        let labels: Vec<&str> = axis.ticks.iter().map(|tick| tick.1.as_str()).collect();
        assert_eq!(labels, ["0.1", "1", "10", "100", "1000"]);
        let axis = Axis::around([3.0, 30.0].into_iter(), false);
        assert!(axis.range.start.abs() < 1e-9 && axis.range.end > 30.0);
        // Nothing to show is no reason to fail.
        assert!(lines(["x", "x", "x", "y"], true, &[]).svg.contains("<svg"));
    }

    #[test]
    fn every_colour_has_one_for_the_dark() {
        let style = include_str!("style.css").to_ascii_uppercase();
        for RGBColor(r, g, b) in COLOURS.into_iter().chain([INK, GRID]) {
            let colour = format!("#{r:02X}{g:02X}{b:02X}");
            assert!(style.contains(&format!("[FILL=\"{colour}\"]")), "{colour}");
            assert!(style.contains(&format!("[STROKE=\"{colour}\"]")), "{colour}");
        }
    }
}
