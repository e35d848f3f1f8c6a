//! The parts of the page.

use core::time::Duration;

use quorate_examples::files::hex;

use super::html::Html;
use super::plot::{self, Line};
use crate::gateway::ask::{KeyView, NodeView, Snapshot};
use crate::metrics::{BOUNDS, Readiness, SECONDS, Sample};
use crate::request::Scheme;

/// The most rows of a table.
const ROWS: usize = 20;
/// The most characters of a text that somebody else wrote.
const LONGEST: usize = 300;
/// A node that was heard within so many milliseconds is up.
const LATELY: u64 = 10_000;
/// The plots over time have a point for so many seconds.
const POINT: usize = 5;

pub(super) fn head(html: &mut Html, (age, readiness): (Duration, &Readiness)) {
    html.raw("<header><h1>Custody</h1>");
    match readiness {
        Readiness::Ready => html.raw("<span class=\"good\">● ready</span>"),
        Readiness::Draining => html.raw("<span class=\"bad\">■ draining</span>"),
        Readiness::NotReady(why) => {
            html.cell("<span class=\"bad\">▲ not ready: ", shown(why), "</span>")
        }
    };
    html.cell("<small>up for ", span(age), "</small></header>");
}

pub(super) fn numbers(html: &mut Html, snapshot: &Snapshot, samples: &[Sample]) {
    let rate = rates(samples).last().map_or(0.0, |rates| rates.iter().sum());
    html.raw("<dl class=\"numbers\">");
    let mut number = |name, value: String| {
        html.cell("<div><dt>", name, "</dt>").cell("<dd>", value, "</dd></div>");
    };
    number("signatures/s", format!("{rate:.1}"));
    for (scheme, signed) in Scheme::ALL.iter().zip(snapshot.signed) {
        number(name(*scheme), grouped(signed));
    }
    number("open", grouped(whole(snapshot.open)));
    number("taken", grouped(snapshot.taken));
    number("refused", grouped(snapshot.refused));
    number("not taken", grouped(snapshot.rejected));
    number("orders again", grouped(snapshot.repeated));
    html.raw("</dl>");
}

pub(super) fn rate(html: &mut Html, samples: &[Sample]) {
    html.raw("<section><h2>Signatures per second</h2>");
    let rates = rates(samples);
    let lines = |at: usize| rates.iter().filter_map(|rates| rates.get(at).copied()).collect();
    let lines = both(lines);
    plot::lines(html, "Signatures per second over ten minutes", &lines, ["10 min ago", "now"]);
    html.raw("</section>");
}

pub(super) fn stock(html: &mut Html, samples: &[Sample]) {
    html.raw("<section><h2>Presignatures and nonces left</h2>");
    let points: Vec<[f64; 2]> =
        padded(samples).iter().step_by(POINT).map(|sample| sample.left.map(float)).collect();
    let lines = both(|at| points.iter().filter_map(|left| left.get(at).copied()).collect());
    plot::lines(html, "Left in the pools over ten minutes", &lines, ["10 min ago", "now"]);
    html.raw("</section>");
}

pub(super) fn latencies(html: &mut Html, latencies: &[u32]) {
    html.raw("<section><h2>Latency of the last ");
    html.text(latencies.len()).raw(" signatures</h2>");
    plot::bars(html, "Requests by latency", &buckets(latencies));
    html.raw("<p class=\"legend\">");
    let mut sorted = latencies.to_vec();
    sorted.sort_unstable();
    for (name, percent) in [("median ", 50), ("90 % ", 90), ("99 % ", 99)] {
        let at = (sorted.len().saturating_sub(1) * percent).div_ceil(100);
        let time = sorted.get(at).map_or_else(|| "–".to_owned(), |time| millis((*time).into()));
        html.cell("<span>", name, "</span>").text(time).raw(" ");
    }
    html.raw("</p></section>");
}

pub(super) fn nodes(html: &mut Html, nodes: &[NodeView]) {
    html.raw("<section class=\"wide\"><h2>Nodes</h2><div class=\"scroll\"><table><tr><th>node<th>state<th class=\"number\">heard");
    html.raw("<th class=\"number\">epoch<th>head<th class=\"number more\">owes</tr>");
    for node in nodes.iter().take(ROWS) {
        html.cell("<tr><td>", node.node, "</td>");
        html.raw(match (node.heard, &node.refuses) {
            _ if node.cheated => "<td><span class=\"bad\">✕ cheated</span>",
            (_, Some(_)) => "<td><span class=\"bad\">■ refuses</span>",
            (Some(..=LATELY), None) => "<td><span class=\"good\">● up</span>",
            (Some(_), None) => "<td><span class=\"bad\">▲ silent</span>",
            (None, None) => "<td><span class=\"bad\">▲ not heard yet</span>",
        });
        let cheated = node.cheated.then(|| "a wrong share was sent under its name".to_owned());
        if let Some(why) = node.refuses.as_deref().map(shown).or(cheated) {
            html.cell("<div class=\"why\">", why, "</div>");
        }
        html.raw("</td>");
        let heard =
            node.heard.map_or_else(|| "never".to_owned(), |ago| format!("{} ago", millis(ago)));
        html.cell("<td class=\"number\">", heard, "</td>");
        html.cell("<td class=\"number\">", node.epoch, "</td>");
        // What operators of two nodes compare: eight digits are enough to tell one history from another.
        let head = node.head.and_then(|head| head.first_chunk().copied()).map(u32::from_be_bytes);
        let head = head.map_or_else(|| "–".to_owned(), |head| format!("{head:08x}"));
        html.cell("<td><code>", head, "</code></td>");
        html.cell("<td class=\"number more\">", node.owes, "</td></tr>");
    }
    html.raw("</table></div>");
    more(html, nodes.len());
    html.raw("</section>");
}

pub(super) fn keys(html: &mut Html, keys: &[KeyView]) {
    html.raw("<section class=\"wide\"><h2>Keys</h2><div class=\"scroll\"><table><tr><th>key<th>scheme<th class=\"more\">public key");
    html.raw("<th class=\"number more\">epoch<th class=\"number\">left<th>of the high mark</tr>");
    for key in keys.iter().take(ROWS) {
        html.cell("<tr><td><code>", start(&key.id.0), "</code></td>");
        html.cell("<td>", name(key.scheme), "</td>");
        let public = if key.public_key.is_empty() {
            "in the making".to_owned()
        } else {
            start(&key.public_key)
        };
        html.cell("<td class=\"more\"><code>", public, "</code></td>");
        html.cell("<td class=\"number more\">", key.epoch, "</td>");
        html.cell("<td class=\"number\">", key.stock, "</td><td>");
        plot::gauge(html, key.stock, key.low, key.high);
        html.raw("</td></tr>");
    }
    html.raw("</table></div>");
    more(html, keys.len());
    html.raw("</section>");
}

pub(super) fn notices(html: &mut Html, notices: &[String]) {
    html.raw("<section class=\"wide\"><h2>Notices</h2>");
    if notices.is_empty() {
        html.raw("<p class=\"faint\">None.</p>");
    }
    html.raw("<ul>");
    for notice in notices.iter().rev().take(ROWS) {
        html.cell("<li>", shown(notice), "</li>");
    }
    html.raw("</ul>");
    more(html, notices.len());
    html.raw("</section>");
}

fn more(html: &mut Html, rows: usize) {
    if let Some(more @ 1..) = rows.checked_sub(ROWS) {
        html.cell("<p class=\"faint\">and ", more, " more</p>");
    }
}

fn both(mut values: impl FnMut(usize) -> Vec<f64>) -> [Line; 2] {
    let mut line = |at, scheme| Line { name: name(scheme), values: values(at) };
    let [one, two] = Scheme::ALL;
    [line(0, one), line(1, two)]
}

const fn name(scheme: Scheme) -> &'static str {
    match scheme {
        Scheme::Ecdsa => "ECDSA",
        Scheme::Ed25519 => "Ed25519",
    }
}

/// Samples of all ten minutes: before the first one there was what it says.
fn padded(samples: &[Sample]) -> Vec<Sample> {
    let first = samples.first().copied().unwrap_or_default();
    let missing = (SECONDS + 1).saturating_sub(samples.len());
    core::iter::repeat_n(first, missing).chain(samples.iter().copied()).collect()
}

/// The rates of both schemes, for each point.
fn rates(samples: &[Sample]) -> Vec<[f64; 2]> {
    let points: Vec<Sample> = padded(samples).into_iter().step_by(POINT).collect();
    let rate = |before: u64, after: u64| float(after.saturating_sub(before)) / float(whole(POINT));
    let pair = |before: &Sample, after: &Sample| {
        let [(a, b), (c, d)] =
            [(before.signed[0], after.signed[0]), (before.signed[1], after.signed[1])];
        [rate(a, b), rate(c, d)]
    };
    points.iter().zip(points.iter().skip(1)).map(|(before, after)| pair(before, after)).collect()
}

/// How many took so long, by the bounds of the metrics.
fn buckets(latencies: &[u32]) -> Vec<(String, u64)> {
    let mut counts = [0_u64; BOUNDS.len() + 1];
    for latency in latencies {
        let seconds = f64::from(*latency) / 1e3;
        let at = BOUNDS.iter().position(|bound| seconds <= *bound).unwrap_or(BOUNDS.len());
        if let Some(count) = counts.get_mut(at) {
            *count += 1;
        }
    }
    let bound = |seconds: &f64| match *seconds {
        short if short < 1.0 => format!("{:.0} ms", short * 1e3),
        long => format!("{long:.0} s"),
    };
    BOUNDS.iter().map(bound).chain(["longer".to_owned()]).zip(counts).collect()
}

/// A text of somebody else, cut.
fn shown(text: &str) -> String {
    let mut shown: String = text.chars().take(LONGEST).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    shown
}

/// The first bytes in hexadecimal.
fn start(bytes: &[u8]) -> String {
    format!("{}…", hex(bytes.get(..6).unwrap_or(bytes)))
}

fn span(time: Duration) -> String {
    let seconds = time.as_secs();
    let parts = |unit: u64| seconds.checked_div(unit).unwrap_or(0);
    match seconds {
        0..120 => format!("{seconds} s"),
        120..7_200 => format!("{} min", parts(60)),
        7_200..172_800 => format!("{} h", parts(3_600)),
        _ => format!("{} days", parts(86_400)),
    }
}

fn millis(time: u64) -> String {
    match time {
        ..=9_999 => format!("{time} ms"),
        _ => span(Duration::from_millis(time)),
    }
}

/// A number in groups of three digits.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push('\u{2009}');
        }
        text.push(digit);
    }
    text
}

fn whole(number: usize) -> u64 {
    number.try_into().unwrap_or(u64::MAX)
}

const fn float(number: u64) -> f64 {
    number as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_of_samples() {
        let sample = |at: u64| Sample { signed: [50 * at, 5 * at], left: [0, 0] };
        let samples: Vec<Sample> = (0..=100).map(sample).collect();
        let rates = rates(&samples);
        assert_eq!(rates.len(), 120);
        assert_eq!(rates[0], [0.0, 0.0], "nothing is known");
        assert_eq!(rates[119], [50.0, 5.0]);
    }

    #[test]
    fn every_latency_is_in_a_bucket() {
        let buckets = buckets(&[0, 1, 2, 3, 100, 30_000, 30_001, u32::MAX]);
        let of = |name: &str| buckets.iter().find(|(of, _)| of == name).unwrap().1;
        assert_eq!((of("1 ms"), of("2 ms"), of("5 ms"), of("100 ms")), (2, 1, 1, 1));
        assert_eq!((of("30 s"), of("longer")), (1, 2));
    }

    #[test]
    fn texts_for_readers() {
        assert_eq!(grouped(1_234_567), "1\u{2009}234\u{2009}567");
        assert_eq!(grouped(12), "12");
        assert_eq!(span(Duration::from_secs(7_200)), "2 h");
        assert_eq!(millis(90_000), "90 s");
        assert_eq!(shown(&"é".repeat(400)).chars().count(), LONGEST + 1);
    }
}
