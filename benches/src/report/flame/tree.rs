//! Spans as a tree: in the order of time, and regrouped by function.

/// A span that has ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Span {
    /// The function.
    pub function: String,
    /// The fields of the call: party, round, number of items.
    pub detail: String,
    /// Spans around it.
    pub depth: usize,
    /// Seconds of CPU at its start and end.
    pub time: [f64; 2],
}

/// A function's part of the time, with the parts of what it called.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// The function.
    pub function: String,
    /// The fields of the call; of calls that were put together their number.
    pub detail: String,
    /// Seconds from the start of the drawing.
    pub start: f64,
    /// Seconds.
    pub length: f64,
    /// The calls within it.
    pub children: Vec<Node>,
}

/// The tree of spans, each of which ended after those within it: in the order of time.
#[must_use]
pub fn chronological(spans: Vec<Span>) -> Node {
    // For each depth, what has ended there and has no parent yet.
    let mut open: Vec<Vec<Node>> = Vec::new();
    for span in spans {
        open.resize_with(open.len().max(span.depth + 2), Vec::new);
        let children = core::mem::take(&mut open[span.depth + 1]);
        let [start, end] = span.time;
        let Span { function, detail, depth, .. } = span;
        open[depth].push(Node { function, detail, start, length: end - start, children });
    }
    let mut children = open.into_iter().next().unwrap_or_default();
    let first = children.first().map_or(0.0, |node| node.start);
    children.iter_mut().for_each(|node| moved(node, -first));
    let length = children.last().map_or(0.0, |node| node.start + node.length);
    Node { function: "run".to_owned(), detail: String::new(), start: 0.0, length, children }
}

fn moved(node: &mut Node, by: f64) {
    node.start += by;
    node.children.iter_mut().for_each(|child| moved(child, by));
}

/// The tree with all calls of one function within its caller put together, the longest first.
#[must_use]
pub fn regrouped(root: &Node) -> Node {
    merged(&[root], 0.0)
}

/// Nodes of one function as one.
fn merged(nodes: &[&Node], start: f64) -> Node {
    let mut groups: Vec<(&str, Vec<&Node>)> = Vec::new();
    for child in nodes.iter().flat_map(|node| &node.children) {
        match groups.iter_mut().find(|group| group.0 == child.function) {
            Some(group) => group.1.push(child),
            None => groups.push((&child.function, vec![child])),
        }
    }
    let length = |nodes: &[&Node]| nodes.iter().map(|node| node.length).sum::<f64>();
    groups.sort_by(|a, b| length(&b.1).total_cmp(&length(&a.1)));
    let mut at = start;
    let children = groups.into_iter().map(|(_, nodes)| {
        let child = merged(&nodes, at);
        at += child.length;
        child
    });
    let children = children.collect();
    let detail = if nodes.len() == 1 { String::new() } else { format!("{} calls", nodes.len()) };
    let function = nodes.first().map_or_else(String::new, |node| node.function.clone());
    Node { function, detail, start, length: length(nodes), children }
}

impl Node {
    /// The levels of the tree.
    #[must_use]
    pub fn height(&self) -> usize {
        1 + self.children.iter().map(Self::height).max().unwrap_or(0)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Two turns, each of which calls `verify` and then `power` twice within it.
    pub(in crate::report) fn spans() -> Vec<Span> {
        let span = |function: &str, detail: &str, depth, start, end| Span {
            function: function.into(),
            detail: detail.into(),
            depth,
            time: [start, end],
        };
        let turn = |party: &str, at: f64| {
            [
                span("power", "", 2, at + 1.0, at + 2.0),
                span("power", "", 2, at + 3.0, at + 5.0),
                span("verify", "", 1, at + 1.0, at + 6.0),
                span("turn", party, 0, at, at + 10.0),
            ]
        };
        turn("1", 100.0).into_iter().chain(turn("2", 110.0)).collect()
    }

    #[test]
    fn a_tree_in_the_order_of_time() {
        let root = chronological(spans());
        assert_eq!((root.children.len(), root.height()), (2, 4));
        assert!((root.length - 20.0).abs() < 1e-9);
        let second = &root.children[1];
        assert_eq!((second.function.as_str(), second.detail.as_str()), ("turn", "2"));
        assert!((second.start - 10.0).abs() < 1e-9);
        assert_eq!(second.children[0].children.len(), 2);
        assert!((second.children[0].children[1].start - 13.0).abs() < 1e-9);
        assert!(chronological(Vec::new()).children.is_empty());
    }

    #[test]
    fn calls_of_one_function_stand_together() {
        let root = regrouped(&chronological(spans()));
        assert_eq!(root.children.len(), 1);
        let turn = &root.children[0];
        assert_eq!((turn.function.as_str(), turn.detail.as_str()), ("turn", "2 calls"));
        assert!((turn.length - 20.0).abs() < 1e-9);
        let power = &turn.children[0].children[0];
        assert_eq!(power.detail, "4 calls");
        assert!((power.length - 6.0).abs() < 1e-9 && (power.start - 0.0).abs() < 1e-9);
    }
}
