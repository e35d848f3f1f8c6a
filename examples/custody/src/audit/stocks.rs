//! Presignatures: every signer of a pool has the same, but for what it has spent.

use std::collections::{BTreeMap, BTreeSet};

use quorate::PartyId;
use quorate_cggmp::{PresignatureInfo, Secp256k1};
use quorate_examples::failure::Failure;

use super::claims::short;
use super::{Check, NodePlace, Places, open};
use crate::orders::{Body, Kind};
use crate::sql::{Row, Sql};
use crate::values;

pub(super) const NAME: &str = "equal presignatures at all signers, but for spent ones";

/// The epoch of each key's shares.
type Epochs = BTreeMap<[u8; 16], u32>;

/// A finished job for presignatures: its parties, the key with the epoch of its shares, and what each has answered.
struct Job {
    parties: Vec<PartyId>,
    key: [u8; 16],
    epoch: u32,
    answers: BTreeMap<PartyId, Vec<u8>>,
}

/// What a node has.
struct Has {
    held: BTreeSet<[u8; 32]>,
    spent: BTreeSet<[u8; 32]>,
    /// Whether it has begun anew, without what it had made ahead.
    rejoined: bool,
}

pub(super) fn check(places: &Places) -> Result<Check, Failure> {
    let mut check = Check::new(NAME);
    let (jobs, epochs) = jobs(places)?;
    let mut nodes = BTreeMap::new();
    for place in &places.nodes {
        nodes.insert(place.node, has(place)?);
    }
    for job in &jobs {
        // Those of old shares are dropped.
        let old = epochs.get(&job.key).is_some_and(|now| *now > job.epoch);
        let Some((first, list)) = job.answers.first_key_value() else { continue };
        if let Some((other, _)) = job.answers.iter().find(|(_, answer)| *answer != list) {
            check.found(format!("nodes {first} and {other} tell different lists of a job"));
        }
        for name in names(list)? {
            check.looked();
            for party in job.parties.iter().filter(|_| !old) {
                let Some(has) = nodes.get(party) else { continue };
                if !has.held.contains(&name) && !has.spent.contains(&name) && !has.rejoined {
                    check.found(format!(
                        "node {party} neither has {} nor has spent it",
                        short(&name)
                    ));
                }
            }
        }
    }
    Ok(check)
}

fn has(place: &NodePlace) -> Result<Has, Failure> {
    let names = |rows: Vec<Row>| rows.iter().map(|row| Ok(row.array(0)?)).collect();
    let mut db = open(&place.database)?;
    let held: Result<_, Failure> = names(db.query("SELECT name FROM presignatures", &[])?);
    let epoch = db.one("SELECT coalesce(max(epoch), 0) FROM marks", &[])?.int(0)?;
    let spent: Result<_, Failure> = names(open(&place.ledger)?.query("SELECT id FROM spent", &[])?);
    Ok(Has { held: held?, spent: spent?, rejoined: epoch > 1 })
}

/// The finished jobs, and the epoch of each key's shares.
fn jobs(places: &Places) -> Result<(Vec<Job>, Epochs), Failure> {
    let mut db = open(&places.gateway)?;
    let mut epochs = BTreeMap::new();
    for row in db.query("SELECT id, epoch FROM keys", &[])? {
        epochs.insert(row.array(0)?, row.number(1)?);
    }
    let mut answers: BTreeMap<[u8; 32], BTreeMap<PartyId, Vec<u8>>> = BTreeMap::new();
    for mut row in db.query("SELECT sid, node, answer FROM answers WHERE done = 1", &[])? {
        let (sid, node) = (row.array(0)?, row.party(1)?);
        answers.entry(sid).or_default().insert(node, row.bytes(2)?);
    }
    let mut jobs = Vec::new();
    let sql = "SELECT sid, parties, body FROM orders WHERE state = 1 AND kind = $1";
    for mut row in db.query(sql, &values![Kind::Presign.code()])? {
        let sid: [u8; 32] = row.array(0)?;
        let (parties, body) = (row.bytes(1)?, Body::from_bytes(&row.bytes(2)?));
        let body = body.ok_or_else(|| Failure::new("an order of the gateway is damaged"))?;
        let numbers = parties.as_chunks::<2>().0.iter().map(|bytes| u16::from_be_bytes(*bytes));
        let parties = numbers.filter_map(PartyId::new).collect();
        let answers = answers.remove(&sid).unwrap_or_default();
        jobs.push(Job { parties, key: body.key.0, epoch: body.epoch, answers });
    }
    Ok((jobs, epochs))
}

/// The names in an answer: public sides of presignatures, each with its length (4) before it.
fn names(list: &[u8]) -> Result<Vec<[u8; 32]>, Failure> {
    let (mut rest, mut names) = (list, Vec::new());
    while let Some((length, after)) = rest.split_first_chunk::<4>() {
        let length = usize::try_from(u32::from_be_bytes(*length))?;
        let cut = after.split_at_checked(length);
        let (info, after) = cut.ok_or_else(|| Failure::new("an answer is cut off"))?;
        names.push(PresignatureInfo::<Secp256k1>::from_bytes(info)?.id().name());
        rest = after;
    }
    Ok(names)
}
