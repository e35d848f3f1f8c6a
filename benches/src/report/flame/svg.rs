//! A flame graph as SVG: boxes with what they stand for in their titles; a click spreads a box over the whole width.

use super::tree::Node;
use crate::report::figure::Unit;
use crate::report::html::escape;

const WIDTH: f64 = 1200.0;
const ROW: usize = 20;
/// Room for a letter.
const LETTER: f64 = 7.2;

const STYLE: &str = "svg{background:#fff;font:12px monospace}text{pointer-events:none;fill:#1f2937}\
h1{font-size:16px}rect{stroke:#fff}.b0{fill:#fdba74}.b1{fill:#fcd34d}.b2{fill:#fca5a5}.b3{fill:#bef264}\
.b4{fill:#93c5fd}.b5{fill:#d8b4fe}g:hover rect{stroke:#1f2937}\
@media(prefers-color-scheme:dark){svg{background:#111418}rect{stroke:#111418}.t{fill:#e5e7eb}}";

/// Without it the drawing is as readable, at one scale.
const SCRIPT: &str = "(function(){var W=1200,all=[].slice.call(document.querySelectorAll('g[data-w]'));\
function show(x,w){all.forEach(function(g){var l=(g.dataset.x-x)/w*W,s=g.dataset.w/w*W,r=g.querySelector('rect'),\
t=g.querySelector('text'),a=Math.max(l,0),b=Math.min(l+s,W);g.style.display=b-a<0.2?'none':'';\
r.setAttribute('x',a);r.setAttribute('width',Math.max(b-a,0));t.setAttribute('x',a+3);\
var n=Math.floor((b-a-6)/7.2),f=g.dataset.n;t.textContent=n<3?'':f.length>n?f.slice(0,n-1)+'\\u2026':f})}\
all.forEach(function(g){g.addEventListener('click',function(){show(+g.dataset.x,+g.dataset.w)})})})()";

/// The tree from the top down.
#[must_use]
pub fn drawn(root: &Node, title: &str) -> String {
    let height = (root.height() + 2) * ROW;
    let title = escape(title);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" viewBox=\"0 0 {WIDTH} {height}\">\n\
         <style>{STYLE}</style>\n<title>{title}</title>\n<text class=\"t\" x=\"3\" y=\"15\">{title}</text>\n"
    );
    boxes(&mut out, root, root.length.max(f64::MIN_POSITIVE), 1);
    out += &format!("<script>//<![CDATA[\n{SCRIPT}\n//]]></script>\n</svg>\n");
    out
}

fn boxes(out: &mut String, node: &Node, all: f64, row: usize) {
    let (x, width) = (node.start / all * WIDTH, node.length / all * WIDTH);
    let blank = if node.detail.is_empty() { "" } else { " " };
    let name = escape(&format!("{}{blank}{}", node.function, node.detail));
    let time = Unit::Micros.show(node.length * 1e6);
    let part = node.length / all * 100.0;
    let top = row * ROW;
    let colour = node.function.bytes().map(usize::from).sum::<usize>() % 6;
    *out += &format!(
        "<g data-x=\"{x:.4}\" data-w=\"{width:.4}\" data-n=\"{name}\"><title>{name}: {time}, {part:.1} %</title>\
         <rect class=\"b{colour}\" x=\"{x:.2}\" y=\"{top}\" width=\"{width:.2}\" height=\"{}\"/>\
         <text x=\"{:.2}\" y=\"{}\">{}</text></g>\n",
        ROW - 1,
        x + 3.0,
        top + 14,
        escape(&label(&format!("{}{blank}{}", node.function, node.detail), width)),
    );
    node.children.iter().for_each(|child| boxes(out, child, all, row + 1));
}

/// As much of a name as fits.
fn label(name: &str, width: f64) -> String {
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a number of letters"
    )]
    let room = ((width - 6.0) / LETTER).max(0.0) as usize;
    match room {
        0..3 => String::new(),
        _ if name.chars().count() <= room => name.to_owned(),
        _ => name.chars().take(room - 1).chain(['…']).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::flame::tree::{chronological, regrouped, tests::spans};

    #[test]
    fn a_drawing_has_a_box_for_each_node() {
        let root = chronological(spans());
        let svg = drawn(&root, "two turns & more");
        assert_eq!(svg.matches("<rect ").count(), 9);
        assert!(
            svg.contains("two turns &amp; more")
                && svg.contains("<title>turn 1: 10 s, 50.0 %</title>")
        );
        let svg = drawn(&regrouped(&root), "x");
        assert_eq!(svg.matches("<rect ").count(), 4);
        assert!(svg.contains("<title>power 4 calls: 6 s, 30.0 %</title>"), "{svg}");
    }

    #[test]
    fn labels_fit() {
        assert_eq!(
            [label("verify_many", 200.0), label("verify_many", 50.0), label("x", 5.0)]
                .map(|l| l.len()),
            [11, 8, 0]
        );
    }
}
