//! A flame graph as SVG: boxes with what they stand for in their titles; a click spreads a box over the whole width.

use maud::{Markup, PreEscaped, html};
use num_traits::AsPrimitive as _;

use super::tree::Node;
use crate::report::figure::Unit;

const WIDTH: f64 = 1200.0;
const ROW: usize = 20;
/// Room for a letter.
const LETTER: f64 = 7.2;

/// The tree from the top down.
pub(super) fn drawn(root: &Node, title: &str) -> String {
    let height = (root.height() + 2) * ROW;
    let size = format!("0 0 {WIDTH} {height}");
    let script = format!("//<![CDATA[\n{}//]]>", include_str!("flame.js"));
    let svg = html! {
        svg xmlns="http://www.w3.org/2000/svg" width=(WIDTH) height=(height) viewBox=(size) {
            style { (PreEscaped(include_str!("flame.css"))) }
            title { (title) }
            text class="t" x="3" y="15" { (title) }
            (boxes(root, root.length.max(f64::MIN_POSITIVE), ROW))
            script { (PreEscaped(script)) }
        }
    };
    svg.into_string()
}

/// A box at this height with those below it, on a drawing as wide as `all` seconds.
fn boxes(node: &Node, all: f64, top: usize) -> Markup {
    let (x, width) = (node.start / all * WIDTH, node.length / all * WIDTH);
    let name = format!("{} {}", node.function, node.detail);
    let name = name.trim_end();
    let (time, part) = (Unit::Micros.show(node.length * 1e6), node.length / all * 100.0);
    let colour = node.function.bytes().map(usize::from).sum::<usize>() % 6;
    html! {
        g data-x=(format!("{x:.4}")) data-w=(format!("{width:.4}")) data-n=(name) {
            title { (name) ": " (time) ", " (format!("{part:.1} %")) }
            rect class={ "b" (colour) } x=(format!("{x:.2}")) y=(top) width=(format!("{width:.2}"))
                height=(ROW - 1) {}
            text x=(format!("{:.2}", x + 3.0)) y=(top + 14) { (label(name, width)) }
        }
        @for child in &node.children { (boxes(child, all, top + ROW)) }
    }
}

/// As much of a name as fits.
fn label(name: &str, width: f64) -> String {
    let room: usize = ((width - 6.0) / LETTER).as_();
    match room {
        0..3 => String::new(),
        _ if name.chars().count() <= room => name.to_owned(),
        _ => name.chars().take(room - 1).chain(['…']).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::flame::tree::{regrouped, tests::turns};

    #[test]
    fn a_drawing_has_a_box_for_each_node() {
        let root = turns();
        let svg = drawn(&root, "two turns & more");
        assert_eq!(svg.matches("<rect ").count(), 9);
        assert!(svg.contains("two turns &amp; more"));
        assert!(svg.contains("<title>turn 1: 10 s, 50.0 %</title>"));
        let svg = drawn(&regrouped(&root), "x");
        assert_eq!(svg.matches("<rect ").count(), 4);
        assert!(svg.contains("<title>power 4 calls: 6 s, 30.0 %</title>"), "{svg}");
    }

    #[test]
    fn labels_fit() {
        let labels = [("verify_many", 200.0), ("verify_many", 50.0), ("x", 5.0)];
        assert_eq!(labels.map(|(name, width)| label(name, width).len()), [11, 8, 0]);
    }
}
