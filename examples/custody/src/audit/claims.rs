//! What was spent, by the ledgers.

use std::collections::BTreeMap;

use quorate::PartyId;
use quorate_examples::failure::Failure;
use quorate_examples::files::hex;

use super::{Check, Places, open};
use crate::sql::Sql;

pub(super) const ONE_DIGEST: &str = "a name is spent once, with one digest";
pub(super) const ONE_ORDER: &str = "an order spends one thing at a node";

/// A row: the order's name, and whether a share was released.
struct Row {
    id: [u8; 32],
    digest: [u8; 32],
    order: [u8; 32],
    released: bool,
}

pub(super) fn check(places: &Places) -> Result<Vec<Check>, Failure> {
    let (mut digests, mut orders) = (Check::new(ONE_DIGEST), Check::new(ONE_ORDER));
    // Of a presignature all signers release shares for the same; the names of nonces are each node's own.
    let mut released: BTreeMap<[u8; 32], ([u8; 32], PartyId)> = BTreeMap::new();
    for place in &places.nodes {
        let node = place.node;
        let mut here: BTreeMap<[u8; 32], [u8; 32]> = BTreeMap::new();
        let mut spends: BTreeMap<[u8; 32], [u8; 32]> = BTreeMap::new();
        for row in rows(place)? {
            digests.looked();
            let Some(Row { id, digest, order, released: out }) = row else {
                digests.found(format!("node {node}: a claim without what came of it"));
                continue;
            };
            let name = short(&id);
            if here.insert(id, digest).is_some_and(|other| other != digest) {
                digests.found(format!("node {node}: {name} is claimed for two things"));
            }
            if !out {
                continue;
            }
            orders.looked();
            let (first, other) = *released.entry(id).or_insert((digest, node));
            if first != digest {
                let text =
                    format!("{name} is spent on one thing at node {other}, another at {node}");
                digests.found(text);
            }
            if spends.insert(order, id).is_some_and(|other| other != id) {
                orders.found(format!("node {node}: order {} spends two things", short(&order)));
            }
        }
    }
    Ok(vec![digests, orders])
}

fn rows(place: &super::NodePlace) -> Result<Vec<Option<Row>>, Failure> {
    let rows = open(&place.ledger)?.query("SELECT id, digest, share FROM spent", &[])?;
    let read = |mut row: crate::sql::Row| {
        let (id, digest) = (row.array(0)?, row.array(1)?);
        let share = row.bytes_if(2)?.unwrap_or_default();
        let Some((order, rest)) = share.split_first_chunk::<32>() else { return Ok(None) };
        let released = rest.first() == Some(&0);
        Ok::<_, Failure>(Some(Row { id, digest, order: *order, released }))
    };
    rows.into_iter().map(read).collect()
}

/// The beginning of a name.
pub(super) fn short(bytes: &[u8]) -> String {
    format!("{}…", hex(bytes.get(..6).unwrap_or(bytes)))
}
