//! Spans as a tree: in the order of time, and regrouped by function.

use std::collections::BTreeMap;

/// A function's part of the time, with the parts of what it called.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Node {
    pub(super) function: String,
    /// The fields of the call: party, round, number of items; of calls that were put together their number.
    pub(super) detail: String,
    /// Seconds from the start of the drawing.
    pub(super) start: f64,
    /// Seconds.
    pub(super) length: f64,
    pub(super) children: Vec<Node>,
}

/// The spans that are open, the outermost first, in a root of all.
#[derive(Default)]
pub(super) struct Tree {
    root: Node,
    open: Vec<Node>,
    first: Option<f64>,
}

impl Tree {
    /// A call begins at this second.
    pub(super) fn enter(&mut self, [function, detail]: [String; 2], now: f64) {
        let start = now - *self.first.get_or_insert(now);
        self.open.push(Node { function, detail, start, ..Node::default() });
    }

    /// The latest call ends.
    pub(super) fn exit(&mut self, now: f64) {
        let Some(mut node) = self.open.pop() else { return };
        let end = now - self.first.unwrap_or(now);
        node.length = end - node.start;
        let parent = self.open.last_mut().unwrap_or(&mut self.root);
        parent.children.push(node);
        self.root.length = end;
    }

    /// The tree of all calls, in the order of time.
    pub(super) fn root(self) -> Node {
        Node { function: "run".to_owned(), ..self.root }
    }
}

/// The tree with all calls of one function within its caller put together, the longest first.
pub(super) fn regrouped(root: &Node) -> Node {
    merged(&[root], 0.0)
}

/// Nodes of one function as one.
fn merged(nodes: &[&Node], start: f64) -> Node {
    let mut groups: BTreeMap<&str, Vec<&Node>> = BTreeMap::new();
    for child in nodes.iter().flat_map(|node| &node.children) {
        groups.entry(&child.function).or_default().push(child);
    }
    let length = |nodes: &[&Node]| nodes.iter().map(|node| node.length).sum::<f64>();
    let mut groups: Vec<_> = groups.into_values().collect();
    groups.sort_by(|a, b| length(b).total_cmp(&length(a)));
    let mut at = start;
    let children = groups.into_iter().map(|nodes| {
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
    pub(super) fn height(&self) -> usize {
        1 + self.children.iter().map(Self::height).max().unwrap_or(0)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Two turns, each of which calls `verify` and then `power` twice within it.
    pub(in crate::report) fn turns() -> Node {
        let mut tree = Tree::default();
        for (party, at) in [("1", 100.0), ("2", 110.0)] {
            tree.enter(["turn".to_owned(), party.to_owned()], at);
            tree.enter(["verify".to_owned(), String::new()], at + 1.0);
            for [start, end] in [[1.0, 2.0], [3.0, 5.0]] {
                tree.enter(["power".to_owned(), String::new()], at + start);
                tree.exit(at + end);
            }
            tree.exit(at + 6.0);
            tree.exit(at + 10.0);
        }
        tree.root()
    }

    #[test]
    fn a_tree_in_the_order_of_time() {
        let root = turns();
        assert_eq!((root.children.len(), root.height()), (2, 4));
        assert!((root.length - 20.0).abs() < 1e-9);
        let second = &root.children[1];
        assert_eq!((second.function.as_str(), second.detail.as_str()), ("turn", "2"));
        assert!((second.start - 10.0).abs() < 1e-9);
        assert_eq!(second.children[0].children.len(), 2);
        assert!((second.children[0].children[1].start - 13.0).abs() < 1e-9);
        assert!(Tree::default().root().children.is_empty());
    }

    #[test]
    fn calls_of_one_function_stand_together() {
        let root = regrouped(&turns());
        assert_eq!(root.children.len(), 1);
        let turn = &root.children[0];
        assert_eq!((turn.function.as_str(), turn.detail.as_str()), ("turn", "2 calls"));
        assert!((turn.length - 20.0).abs() < 1e-9);
        let power = &turn.children[0].children[0];
        assert_eq!(power.detail, "4 calls");
        assert!((power.length - 6.0).abs() < 1e-9 && (power.start - 0.0).abs() < 1e-9);
    }
}
