//! Plots as inline SVG. A plot is 360 units wide, so that its text can be read on a phone too.

use super::html::Html;

const LEFT: f64 = 38.0;
const RIGHT: f64 = 352.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 144.0;

/// A line of a plot: its name, and its values at equal distances.
pub(super) struct Line {
    pub(super) name: &'static str,
    pub(super) values: Vec<f64>,
}

/// The classes of the lines in the style sheet.
const CLASSES: [&str; 2] = ["one", "two"];

/// Lines over the same time.
pub(super) fn lines(html: &mut Html, title: &'static str, lines: &[Line], ends: [&'static str; 2]) {
    let most = lines.iter().flat_map(|line| &line.values).copied().fold(0.0, f64::max);
    let top = axis(html, title, most);
    for (line, class) in lines.iter().zip(CLASSES) {
        let steps = count(line.values.len().saturating_sub(1).max(1));
        html.cell("<polyline class=\"", class, "\" points=\"");
        for (at, value) in line.values.iter().enumerate() {
            let x = LEFT + (RIGHT - LEFT) * count(at) / steps;
            coordinate(html, x).raw(",");
            coordinate(html, height(*value, top)).raw(" ");
        }
        html.raw("\"/>");
    }
    words(html, LEFT, BOTTOM + 16.0, "start", ends[0]);
    words(html, RIGHT, BOTTOM + 16.0, "end", ends[1]);
    html.raw("</svg><p class=\"legend\">");
    for (line, class) in lines.iter().zip(CLASSES) {
        let last = line.values.last().copied().unwrap_or(0.0);
        html.cell("<span class=\"", class, "\">").text(line.name).raw("</span> ");
        html.text(format!("{last:.*} now", usize::from(last < 100.0 && last.fract() > 0.0)))
            .raw(" ");
    }
    html.raw("</p>");
}

/// A bar for each name; not every name is written.
pub(super) fn bars(html: &mut Html, title: &'static str, bars: &[(String, u64)]) {
    let most = bars.iter().map(|(_, value)| *value).max().unwrap_or(0);
    let top = axis(html, title, float(most));
    let width = (RIGHT - LEFT) / count(bars.len().max(1));
    for (at, (name, value)) in bars.iter().enumerate() {
        let (x, y) = (LEFT + width * count(at), height(float(*value), top));
        html.raw("<rect class=\"bar\" x=\"");
        coordinate(html, x + 1.0).raw("\" width=\"");
        coordinate(html, width - 2.0).raw("\" y=\"");
        coordinate(html, y).raw("\" height=\"");
        coordinate(html, BOTTOM - y).raw("\"><title>");
        html.text(format!("{name}: {value}")).raw("</title></rect>");
        if at.is_multiple_of(3) {
            words(html, x + width, BOTTOM + 16.0, "middle", name);
        }
    }
    html.raw("</svg>");
}

/// A bar of a table: what is there, and the mark below which more is made.
pub(super) fn gauge(html: &mut Html, stock: usize, low: usize, high: usize) {
    let all = count(high.max(stock).max(1));
    let at = |value: usize| 200.0 * count(value) / all;
    html.raw("<svg class=\"gauge\" viewBox=\"0 0 200 14\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"");
    html.text(format!("{stock} of {high}"))
        .raw("\"><rect class=\"rest\" width=\"200\" height=\"14\"/>");
    html.cell(
        "<rect class=\"",
        if stock < low { "few" } else { "bar" },
        "\" height=\"14\" width=\"",
    );
    coordinate(html, at(stock)).raw("\"/><line class=\"mark\" y1=\"0\" y2=\"14\" x1=\"");
    coordinate(html, at(low)).raw("\" x2=\"");
    coordinate(html, at(low)).raw("\"/></svg>");
}

/// Begins a plot with its lines of equal value; gives the value at its top.
fn axis(html: &mut Html, title: &'static str, most: f64) -> f64 {
    let step = step(most);
    let top = step * (most / step).ceil().max(1.0);
    html.cell(
        "<svg class=\"plot\" viewBox=\"0 0 360 166\" role=\"img\" aria-label=\"",
        title,
        "\">",
    );
    let mut value = 0.0;
    while value <= top + step / 2.0 {
        let y = height(value, top);
        html.raw("<line class=\"grid\" x1=\"");
        coordinate(html, LEFT).raw("\" x2=\"");
        coordinate(html, RIGHT).raw("\" y1=\"");
        coordinate(html, y).raw("\" y2=\"");
        coordinate(html, y).raw("\"/>");
        words(html, LEFT - 5.0, y + 3.5, "end", &short(value));
        value += step;
    }
    top
}

/// A round distance of which some fit into the greatest value: 1, 2 or 5 times a power of ten, and a tenth at least.
fn step(most: f64) -> f64 {
    let mut step = 0.1;
    for factor in [2.0, 2.5, 2.0].iter().cycle().take(60) {
        if most / step <= 4.0 {
            break;
        }
        step *= factor;
    }
    step
}

fn height(value: f64, top: f64) -> f64 {
    BOTTOM - (BOTTOM - TOP) * (value / top).clamp(0.0, 1.0)
}

fn words(html: &mut Html, x: f64, y: f64, anchor: &'static str, text: &str) {
    html.raw("<text x=\"");
    coordinate(html, x).raw("\" y=\"");
    coordinate(html, y).cell("\" text-anchor=\"", anchor, "\">").text(text).raw("</text>");
}

fn coordinate(html: &mut Html, value: f64) -> &mut Html {
    html.text(format!("{value:.1}"))
}

/// A number beside an axis: `0.5`, `20`, `3k`.
fn short(value: f64) -> String {
    match value {
        small if small < 0.05 => "0".to_owned(),
        small if small < 0.95 => format!("{small:.1}"),
        middle if middle < 10_000.0 => format!("{middle:.0}"),
        much if much < 1e7 => format!("{:.0}k", much / 1e3),
        more => format!("{:.0}M", more / 1e6),
    }
}

fn count(value: usize) -> f64 {
    float(value.try_into().unwrap_or(u64::MAX))
}

const fn float(value: u64) -> f64 {
    value as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_steps() {
        for (most, expected) in [(0.0, 0.1), (0.4, 0.1), (1.0, 0.5), (7.0, 2.0), (540.0, 200.0)] {
            assert!((step(most) - expected).abs() < 1e-9, "{most}: {}", step(most));
        }
        for value in [f64::MAX, 1e30, 12_345.0] {
            let mut html = Html::default();
            bars(&mut html, "title", &[("a".to_owned(), 3), ("b".to_owned(), u64::MAX)]);
            assert!(step(value) > 0.0 && html.finish().len() < 5_000);
        }
        assert_eq!(
            ["0", "0.5", "20", "20k"],
            [0.0, 0.5, 20.0, 20_000.0].map(short).each_ref().map(|text| &**text)
        );
    }

    #[test]
    fn a_line_stays_in_its_plane() {
        let mut html = Html::default();
        let values = vec![0.0, 3.0, 12.5, 700.0];
        lines(&mut html, "title", &[Line { name: "a", values }], ["then", "now"]);
        let text = html.finish();
        let points = text.split("points=\"").nth(1).unwrap().split('"').next().unwrap();
        let points: Vec<f64> =
            points.split([',', ' ']).filter_map(|number| number.parse().ok()).collect();
        assert_eq!(points.len(), 8);
        assert!(
            points
                .chunks(2)
                .all(|xy| (LEFT..=RIGHT).contains(&xy[0]) && (TOP..=BOTTOM).contains(&xy[1]))
        );
    }
}
