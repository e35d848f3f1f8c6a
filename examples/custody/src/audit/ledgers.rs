//! A ledger knows all that its node has released: else it was put back, or is not the ledger that the node had.

use std::collections::{BTreeMap, BTreeSet};

use quorate::PartyId;
use quorate_cggmp::{PresignatureInfo, Secp256k1};
use quorate_examples::failure::Failure;

use super::claims::short;
use super::{Check, NodePlace, Places, open};
use crate::sql::Sql;
use crate::wire::{Material, Message, SignOrder};

pub(super) const NAME: &str = "a ledger knows all that its node has released";

/// The orders whose shares a ledger has.
type Released = BTreeSet<[u8; 32]>;

pub(super) fn check(places: &Places) -> Result<Check, Failure> {
    let mut check = Check::new(NAME);
    let mut ledgers: BTreeMap<PartyId, Released> = BTreeMap::new();
    for place in &places.nodes {
        ledgers.insert(place.node, node(place, &mut check)?);
    }
    requests(places, &ledgers, &mut check)?;
    Ok(check)
}

/// What the node's own database knows is held against its ledger; gives the orders whose shares that has.
fn node(place: &NodePlace, check: &mut Check) -> Result<Released, Failure> {
    let (mut db, mut ledger) = (open(&place.database)?, open(&place.ledger)?);
    let node = place.node;
    let number = "SELECT coalesce(max(number), 0) FROM confirmed";
    let confirmed: u64 = db.one(number, &[])?.number(0)?;
    let seen: u64 = ledger.one("SELECT coalesce(max(number), 0) FROM witness", &[])?.number(0)?;
    check.looked();
    if seen < confirmed {
        check.found(format!("node {node}: its ledger is at step {seen}, and was at {confirmed}"));
    }
    let (mut names, mut released) = (BTreeSet::new(), Released::new());
    for mut row in ledger.query("SELECT id, share FROM spent", &[])? {
        names.insert(row.array::<32>(0)?);
        let share = row.bytes_if(1)?.unwrap_or_default();
        let order = share.split_first_chunk::<32>().filter(|(_, rest)| rest.first() == Some(&0));
        released.extend(order.map(|(order, _)| *order));
    }
    for row in db.query("SELECT name FROM spent_pairs", &[])? {
        check.looked();
        let name: [u8; 32] = row.array(0)?;
        if !names.contains(&name) {
            check.found(format!("node {node}: {} is spent, and not in its ledger", short(&name)));
        }
    }
    Ok(released)
}

/// What is signed has a share of every signer of one of its orders, as far as the gateway still has these.
fn requests(
    places: &Places,
    ledgers: &BTreeMap<PartyId, Released>,
    check: &mut Check,
) -> Result<(), Failure> {
    let sql = "SELECT signing.request, signing.sign, signing.material FROM signing
        JOIN requests ON signing.request = requests.key WHERE requests.state = 2";
    // The signers of each order whose ledgers do not know it.
    let mut missing: BTreeMap<[u8; 16], Vec<Vec<PartyId>>> = BTreeMap::new();
    for mut row in open(&places.gateway)?.query(sql, &[])? {
        let (request, sign) = (row.array(0)?, row.bytes(1)?);
        let Ok(Message::Sign(order)) = Message::from_bytes(&sign) else {
            return Err(Failure::new("an order to sign of the gateway is damaged"));
        };
        let lacks = |node: &PartyId| {
            ledgers.get(node).is_some_and(|released| !released.contains(&order.id()))
        };
        let signers = signers(&order, &row.bytes(2)?)?;
        missing.entry(request).or_default().push(signers.into_iter().filter(lacks).collect());
    }
    for (request, orders) in missing {
        check.looked();
        if let Some(nodes) = orders.iter().min_by_key(|nodes| nodes.len())
            && !nodes.is_empty()
        {
            let nodes: Vec<String> = nodes.iter().map(ToString::to_string).collect();
            check.found(format!(
                "request {} is signed, and no ledger of node {} knows of it",
                short(&request),
                nodes.join(", ")
            ));
        }
    }
    Ok(())
}

fn signers(order: &SignOrder, material: &[u8]) -> Result<Vec<PartyId>, Failure> {
    Ok(match &order.material {
        Material::Presignature(_) => {
            PresignatureInfo::<Secp256k1>::from_bytes(material)?.signers().iter().collect()
        }
        Material::Commitments(list) => list.iter().map(|(id, _)| *id).collect(),
    })
}
