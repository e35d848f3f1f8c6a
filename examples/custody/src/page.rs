//! The status page of a gateway: HTML made here, plots as inline SVG, no scripts. It loads itself anew every few seconds.

mod html;
mod parts;
mod plot;

use core::time::Duration;

use self::html::Html;
use crate::gateway::ask::Snapshot;
use crate::metrics::{Readiness, Sample};

/// What the page may load: nothing but its own style sheet.
pub const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The page.
#[must_use]
pub fn render(
    snapshot: &Snapshot,
    samples: &[Sample],
    (age, readiness): (Duration, &Readiness),
) -> String {
    let mut html = Html::default();
    html.raw("<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">");
    html.raw("<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">");
    html.raw("<meta http-equiv=\"refresh\" content=\"5\"><title>Custody</title><style>");
    html.raw(include_str!("page/style.css")).raw("</style></head><body>");
    parts::head(&mut html, (age, readiness));
    parts::numbers(&mut html, snapshot, samples);
    html.raw("<main>");
    parts::rate(&mut html, samples);
    parts::latencies(&mut html, &snapshot.latencies);
    parts::stock(&mut html, samples);
    parts::nodes(&mut html, &snapshot.nodes);
    parts::keys(&mut html, &snapshot.keys);
    parts::notices(&mut html, &snapshot.notices);
    html.raw("</main></body></html>\n");
    html.finish()
}

#[cfg(test)]
mod tests {
    use quorate::PartyId;

    use super::*;
    use crate::gateway::ask::{KeyView, NodeView};
    use crate::request::{KeyId, Scheme};

    fn node(number: u16, refuses: Option<&str>) -> NodeView {
        NodeView {
            node: PartyId::new(number).unwrap(),
            heard: Some(120),
            epoch: 3,
            head: (number == 1).then_some([0xab; 32]),
            refuses: refuses.map(str::to_owned),
            cheated: number == 3,
            owes: 2,
        }
    }

    #[test]
    fn a_peers_text_is_escaped() {
        let hostile = "</td><script>alert(1)</script>";
        let key = KeyView {
            id: KeyId([7; 16]),
            scheme: Scheme::Ecdsa,
            epoch: 1,
            public_key: vec![2; 33],
            public: Vec::new(),
            stated: Vec::new(),
            parties: Vec::new(),
            threshold: 2,
            stock: 3,
            low: 4,
            high: 8,
        };
        let snapshot = Snapshot {
            nodes: vec![node(1, None), node(2, Some(hostile)), node(3, None)],
            keys: vec![key],
            notices: vec![hostile.to_owned(); 100],
            latencies: vec![3, 5, 9_000, 60_000],
            ..Snapshot::default()
        };
        let why = Readiness::NotReady(hostile.to_owned());
        let page = render(&snapshot, &[], (Duration::from_secs(1), &why));
        assert!(!page.contains("<script"), "{page}");
        assert!(page.contains("&lt;/td&gt;&lt;script&gt;"));
        assert!(page.contains("a wrong share"));
        assert!(page.contains("0707"), "the key's name");
        let heads = page.matches("<code>abababab</code>").count();
        assert_eq!((heads, page.matches("<code>–</code>").count()), (1, 2), "heads of chains");
        assert!(page.len() < 64 << 10, "{}", page.len());
    }

    #[test]
    fn much_is_not_shown() {
        let key = KeyView {
            id: KeyId([1; 16]),
            scheme: Scheme::Ed25519,
            epoch: 0,
            public_key: Vec::new(),
            public: Vec::new(),
            stated: Vec::new(),
            parties: Vec::new(),
            threshold: 2,
            stock: 9,
            low: 4,
            high: 8,
        };
        let snapshot = Snapshot {
            keys: vec![key; 5000],
            nodes: vec![node(1, None); 500],
            notices: vec!["x".repeat(1 << 16); 50],
            ..Snapshot::default()
        };
        let samples = vec![Sample::default(); 601];
        let page = render(&snapshot, &samples, (Duration::ZERO, &Readiness::Ready));
        assert!(page.contains("and 4980 more"));
        assert!(page.len() < 160 << 10, "{}", page.len());
    }
}
