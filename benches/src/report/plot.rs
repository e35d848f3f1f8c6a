//! Plots as SVG: lines over an axis, and bars in groups. Colours are plain attributes, which the page's style replaces
//! in dark mode.

use core::fmt::Debug;
use core::ops::Range;

use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::figure::digits;

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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// Points and the lines between them.
    Line,
    /// Points alone.
    Points,
    /// A line alone: a fit.
    Curve,
}

/// Points with a name.
#[derive(Clone, Debug)]
pub struct Series {
    /// The name in the legend.
    pub label: String,
    /// How it is drawn.
    pub mark: Mark,
    /// x and y.
    pub points: Vec<(f64, f64)>,
}

/// An axis of a plot.
#[derive(Clone, Debug)]
pub struct Label {
    /// What, and its unit.
    pub text: String,
    /// Whether it is logarithmic.
    pub log: bool,
}

/// An axis: linear or logarithmic numbers, or names.
#[derive(Clone)]
struct Axis {
    range: Range<f64>,
    log: bool,
    names: Vec<String>,
}

impl Axis {
    /// Around these values.
    fn around(values: impl Iterator<Item = f64> + Clone, log: bool) -> Self {
        let usable = values.filter(|value| value.is_finite() && (!log || *value > 0.0));
        let low = usable.clone().fold(f64::INFINITY, f64::min);
        let high = usable.fold(f64::NEG_INFINITY, f64::max);
        let range = match (low <= high, log) {
            (false, _) => 1.0..10.0,
            (true, true) => {
                10f64.powf(low.log10().floor())..10f64.powf((high * 1.05).log10().ceil())
            }
            (true, false) => 0.0..(high * 1.08).max(f64::MIN_POSITIVE),
        };
        Self { range, log, names: Vec::new() }
    }

    fn named(names: Vec<String>) -> Self {
        Self { range: 0.0..real(names.len()), log: false, names }
    }

    fn place(&self, value: f64) -> f64 {
        let Range { start, end } = self.range;
        if self.log {
            (value / start).ln() / (end / start).ln()
        } else {
            (value - start) / (end - start)
        }
    }
}

impl Ranged for Axis {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, limit: (i32, i32)) -> i32 {
        let length = f64::from(limit.1) - f64::from(limit.0);
        #[allow(clippy::cast_possible_truncation, reason = "a pixel")]
        let pixel =
            (f64::from(limit.0) + length * self.place(*value).clamp(-0.05, 1.05)).round() as i32;
        pixel
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        if !self.names.is_empty() {
            return (0..self.names.len()).map(|at| real(at) + 0.5).collect();
        }
        let Range { start, end } = self.range;
        if self.log {
            let decades = (end / start).log10().round();
            let every = (decades / 8.0).ceil().max(1.0);
            return ticks(0.0..decades, every).map(|tick| start * 10f64.powf(tick)).collect();
        }
        let rough = (end - start) / real(hint.max_num_points().clamp(2, 6));
        let power = 10f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].into_iter().find(|step| step * power >= rough);
        ticks(start..end, step.unwrap_or(10.0) * power).collect()
    }

    fn range(&self) -> Range<f64> {
        self.range.clone()
    }
}

impl ValueFormatter<f64> for Axis {
    fn format_ext(&self, value: &f64) -> String {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a place")]
        let place = value.floor().max(0.0) as usize;
        match self.names.get(place) {
            Some(name) => name.clone(),
            None if value.abs() < 1e-12 => "0".to_owned(),
            None if value.abs() < 0.1 => format!("{value:.0e}"),
            None if value.abs() < 1.0 => format!("{}", (value * 100.0).round() / 100.0),
            None => digits((value * 1e6).round() / 1e6),
        }
    }
}

fn ticks(range: Range<f64>, step: f64) -> impl Iterator<Item = f64> {
    let last = range.end + step * 1e-6;
    (0u32..64)
        .map(move |at| range.start + f64::from(at) * step)
        .take_while(move |tick| *tick <= last)
}

#[allow(clippy::cast_precision_loss, reason = "small counts")]
fn real(count: usize) -> f64 {
    count as f64
}

fn colour(at: usize) -> RGBColor {
    COLOURS.iter().cycle().nth(at).copied().unwrap_or(INK)
}

/// Series over an axis of numbers.
///
/// # Panics
/// If the drawing's own memory fails: it writes to a string.
#[must_use]
pub fn lines(x: &Label, y: &Label, series: &[Series]) -> String {
    let points = || series.iter().flat_map(|one| one.points.iter().copied());
    let across = Axis::around(points().map(|point| point.0), x.log);
    let up = Axis::around(points().map(|point| point.1), y.log);
    drawn(across, up, &x.text, &y.text, &names(series), |chart| {
        for (at, one) in series.iter().enumerate() {
            let inside = one.points.iter().copied().filter(|(_, y)| y.is_finite());
            if one.mark != Mark::Points {
                let style = colour(at).stroke_width(2);
                chart.draw_series(LineSeries::new(inside.clone(), style)).expect("a string");
            }
            if one.mark != Mark::Curve {
                let dots = inside.map(|point| Circle::new(point, 4, colour(at).filled()));
                chart.draw_series(dots).expect("a string");
            }
        }
    })
}

/// Bars in groups: a name for each group, and a value of each series in each of them.
///
/// # Panics
/// As [`lines`].
#[must_use]
pub fn bars(groups: &[String], y: &Label, series: &[(String, Vec<f64>)]) -> String {
    let values = || series.iter().flat_map(|one| one.1.iter().copied());
    let up = Axis::around(values(), y.log);
    let floor = up.range.start;
    let width = 0.8 / real(series.len().max(1));
    let names: Vec<String> = series.iter().map(|one| one.0.clone()).collect();
    drawn(Axis::named(groups.to_vec()), up, "", &y.text, &names, |chart| {
        for (at, (_, values)) in series.iter().enumerate() {
            let bar = |(group, value): (usize, &f64)| {
                let left = real(group) + 0.1 + width * real(at);
                Rectangle::new([(left, floor), (left + width, *value)], colour(at).filled())
            };
            let finite = values.iter().enumerate().filter(|(_, value)| value.is_finite());
            chart.draw_series(finite.map(bar)).expect("a string");
        }
    })
}

fn names(series: &[Series]) -> Vec<String> {
    series.iter().map(|one| one.label.clone()).collect()
}

type Chart<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<Axis, Axis>>;

/// A legend above, the axes, and what `series` draws between them.
fn drawn(
    across: Axis,
    up: Axis,
    x: &str,
    y: &str,
    names: &[String],
    series: impl FnOnce(&mut Chart<'_, '_>),
) -> String {
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        let rows = names.len().div_ceil(2).max(1);
        let (legend, rest) = area.split_vertically(i32::try_from(rows).unwrap_or(1) * 24 + 8);
        legend_of(&legend, names);
        let mut chart = ChartBuilder::on(&rest)
            .margin(6)
            .margin_right(16)
            .x_label_area_size(52)
            .y_label_area_size(76)
            .build_cartesian_2d(across, up)
            .expect("a string");
        let style = ("sans-serif", FONT).into_font().color(&INK);
        let mut mesh = chart.configure_mesh();
        mesh.light_line_style(TRANSPARENT)
            .bold_line_style(GRID)
            .axis_style(INK)
            .label_style(style.clone())
            .axis_desc_style(style)
            .x_desc(x)
            .y_desc(y);
        mesh.draw().expect("a string");
        series(&mut chart);
        area.present().expect("a string");
    }
    svg
}

/// Two names in a row.
fn legend_of<DB: DrawingBackend>(area: &DrawingArea<DB, plotters::coord::Shift>, names: &[String])
where
    DB::ErrorType: Debug + 'static,
{
    let style =
        ("sans-serif", FONT).into_font().color(&INK).pos(Pos::new(HPos::Left, VPos::Center));
    for (at, name) in names.iter().enumerate() {
        let place = |of: usize| i32::try_from(of).unwrap_or(0);
        let (left, top) = (10 + place(at % 2) * 260, 18 + place(at / 2) * 24);
        let swatch = Rectangle::new([(left, top - 5), (left + 12, top + 5)], colour(at).filled());
        area.draw(&swatch).expect("a string");
        area.draw(&Text::new(name.clone(), (left + 18, top), style.clone())).expect("a string");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn label(text: &str, log: bool) -> Label {
        Label { text: text.into(), log }
    }

    #[test]
    fn a_plot_has_its_series_and_labels() {
        let one = |label: &str, mark| Series {
            label: label.into(),
            mark,
            points: vec![(3.0, 10.0), (30.0, 1000.0)],
        };
        let series =
            [one("measured", Mark::Points), one("a < fit", Mark::Curve), one("both", Mark::Line)];
        let svg = lines(&label("nodes", false), &label("ms", true), &series);
        for text in
            ["<svg", "viewBox", "nodes", "ms", "measured", "a &lt; fit", "<circle", "<polyline"]
        {
            assert!(svg.contains(text), "{text} in {svg}");
        }
        assert_eq!(svg.matches("<circle").count(), 4);
        for colour in ["#1B6CA8", "#C2410C", "#15803D"] {
            assert!(svg.contains(colour), "{colour}");
        }
    }

    #[test]
    fn bars_stand_in_groups() {
        let series =
            [("one".to_owned(), vec![1.0, 100.0]), ("two".to_owned(), vec![5.0, f64::NAN])];
        let svg = bars(&["left".into(), "right".into()], &label("ms", true), &series);
        for text in ["left", "right", "one", "two"] {
            assert!(svg.contains(text), "{text}");
        }
    }

    #[test]
    fn axes_hold_their_values() {
        let axis = Axis::around([0.3, 700.0].into_iter(), true);
        assert!((axis.range.start - 0.1).abs() < 1e-9 && (axis.range.end - 1000.0).abs() < 1e-9);
        assert!((axis.place(10.0) - 0.5).abs() < 1e-9);
        let axis = Axis::around([3.0, 30.0].into_iter(), false);
        assert!(axis.range.start.abs() < 1e-9 && axis.range.end > 30.0);
        // Nothing to show is no reason to fail.
        assert!(lines(&label("x", false), &label("y", true), &[]).contains("<svg"));
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
