//! Signing: the one place where presignatures and nonces are spent.
//!
//! Orders come in batches. What the ledger has of each is looked up, the others are checked one by one, and the claims go to
//! the ledger together, each with the share that comes of it in one row. No share leaves before that row is committed: the
//! receipt that it was made with is good for nothing else. The same order again is given the same share; another one that
//! wants to spend the same finds it spent.
//!
//! The database, too, loses what is spent, or knows that it is, before a share is sent: a ledger that was put back alone has
//! nothing that it could spend again.

use core::convert::Infallible;
use std::collections::{BTreeMap, BTreeSet};

use quorate::PartyId;
use quorate::frost::ed25519::{self, Ed25519Sha512};
use quorate::keys::ShareState;
use quorate::runner::Time;
use quorate::session::{SpentTable, TableEntry};
use quorate_cggmp::{MessageDigest, Presignature, Secp256k1};
use quorate_examples::failure::Failure;

use super::nonces::put_spent;
use super::{Held, Vault, rows};
use crate::policy::Policy;
use crate::request::{Request, Scheme};
use crate::sql::{Error, Sql, Value};
use crate::store::Claim;
use crate::wire::{Material, Shared, SignOrder};

/// A row of the ledger begins with the order's name, and one of these.
const RELEASED: u8 = 0;
const REFUSED: u8 = 1;

/// The table of spent names while a batch is prepared: it says yes to everything, since nothing is released before the real
/// one has the rows.
struct Ahead;

impl SpentTable for Ahead {
    type Error = Infallible;

    fn record(&mut self, _: &[u8; 32], _: &[u8; 32]) -> Result<TableEntry, Infallible> {
        Ok(TableEntry::New)
    }
}

/// An order on its way.
struct Under<'o> {
    order: &'o SignOrder,
    id: [u8; 32],
    /// What it spends.
    name: [u8; 32],
}

/// What is to be written to the ledger for an order.
struct Claimed {
    at: usize,
    digest: [u8; 32],
    /// `order (32) ‖ kind (1) ‖ share or reason`
    row: Vec<u8>,
}

/// Why nothing is claimed.
enum Withheld {
    /// For this answer.
    Answer(Shared),
    /// Never: what was to be spent is spent on nothing, and the reason is kept.
    Never(String),
}

/// A presignature as it is stored: its key, and it, sealed.
type Stored = ([u8; 16], Vec<u8>);

/// The digest of everything that a share depends on, and the share; or why there is none.
type Prepared = Result<([u8; 32], Vec<u8>), Withheld>;

impl From<Shared> for Withheld {
    fn from(answer: Shared) -> Self {
        Self::Answer(answer)
    }
}

impl Vault {
    /// Answers orders to sign, in their order: what is released is in the ledger when this returns.
    ///
    /// # Errors
    /// A [`Failure`] of a database; then nothing may be sent, and the vault is to be opened again.
    pub fn sign(
        &mut self,
        orders: &[&SignOrder],
        policy: &dyn Policy,
        now: Time,
    ) -> Result<Vec<Shared>, Failure> {
        let mut answers: Vec<Option<Shared>> = orders.iter().map(|_| None).collect();
        let mut under = Vec::new();
        for (order, answer) in orders.iter().zip(&mut answers) {
            match self.name(order) {
                Ok(name) => under.push(Under { order, id: order.id(), name }),
                Err(why) => *answer = Some(why),
            }
        }
        let mut found = self.work(&under, policy, now)?.into_iter();
        let lost = || Shared::NotYet("the node has lost the order".to_owned());
        Ok(answers
            .into_iter()
            .map(|answer| answer.or_else(|| found.next()).unwrap_or_else(lost))
            .collect())
    }

    fn work(
        &mut self,
        under: &[Under<'_>],
        policy: &dyn Policy,
        now: Time,
    ) -> Result<Vec<Shared>, Failure> {
        let names: BTreeSet<[u8; 32]> = under.iter().map(|one| one.name).collect();
        let names: Vec<[u8; 32]> = names.into_iter().collect();
        let spent = self.store.ledger(|ledger| ledger.look_up(&names))?;
        let fresh: Vec<&Under<'_>> =
            under.iter().filter(|one| spent.get(&one.name).is_none()).collect();
        let held = self.presignatures(&fresh)?;
        let mut answers: BTreeMap<usize, Shared> = BTreeMap::new();
        let (mut claims, mut names) = (Vec::new(), BTreeSet::new());
        for (at, one) in under.iter().enumerate() {
            if let Some(row) = spent.get(&one.name) {
                if matches!(one.order.material, Material::Commitments(_)) {
                    let key = one.order.request.request.key_id;
                    self.note_spent(key, &one.name, &row.digest)?;
                }
                let row = row.share.as_deref().unwrap_or_default();
                answers.insert(at, stored(row, &one.id));
            } else if !names.insert(one.name) {
                // Another of this batch spends it. If it is the same order, it is given again.
                answers.insert(at, Shared::NotYet("it is being spent".to_owned()));
            } else {
                match self.claim(one, held.get(&one.name), policy, now)? {
                    Ok((digest, share)) => {
                        claims.push(claimed(at, one, digest, RELEASED, &share));
                    }
                    Err(Withheld::Never(why)) => {
                        claims.push(claimed(at, one, one.id, REFUSED, why.as_bytes()));
                    }
                    Err(Withheld::Answer(answer)) => drop(answers.insert(at, answer)),
                }
            }
        }
        answers.extend(self.record(under, &claims)?);
        Ok(answers.into_values().collect())
    }

    /// What an order spends.
    fn name(&self, order: &SignOrder) -> Result<[u8; 32], Shared> {
        let Request { scheme, key_id, .. } = &order.request.request;
        let none = || Shared::Gone("the order spends nothing of this node".to_owned());
        match (&order.material, scheme) {
            (Material::Presignature(name), Scheme::Ecdsa) => Ok(*name),
            (Material::Commitments(list), Scheme::Ed25519) => {
                let (_, mine) = list.iter().find(|(id, _)| *id == self.me).ok_or_else(none)?;
                let Some(Held::Ed25519(share, _)) = self.signing(*key_id).map(|one| &**one) else {
                    return Err(Shared::NotYet("the node has no such key yet".to_owned()));
                };
                let pair = commitments(self.me, share, mine).ok_or_else(none)?;
                Ok(pair.nonce_id().0)
            }
            _ => Err(Shared::Gone("the order spends what its scheme does not".to_owned())),
        }
    }

    fn presignatures(
        &mut self,
        under: &[&Under<'_>],
    ) -> Result<BTreeMap<[u8; 32], Stored>, Failure> {
        let of = |one: &&&Under<'_>| matches!(one.order.material, Material::Presignature(_));
        let names: BTreeSet<&[u8; 32]> = under.iter().filter(of).map(|one| &one.name).collect();
        let names: Vec<Vec<Value<'_>>> = names.into_iter().map(|name| vec![name.into()]).collect();
        let mut held = BTreeMap::new();
        for mut row in self.store.read(|db| db.query_set(&rows::PRESIGNATURES, &names))? {
            held.insert(row.array(0)?, (row.array(1)?, row.bytes(2)?));
        }
        Ok(held)
    }

    /// Checks an order, and prepares what goes to the ledger: the digest of everything that the share depends on, and the
    /// share.
    fn claim(
        &mut self,
        one: &Under<'_>,
        held: Option<&Stored>,
        policy: &dyn Policy,
        now: Time,
    ) -> Result<Prepared, Failure> {
        let signed = &one.order.request;
        let request = &signed.request;
        if !signed.verifies() {
            let why = "the requester has not signed the request".to_owned();
            return Ok(Err(Shared::Never(why).into()));
        }
        // Only what is there can be spent on a refusal.
        match &one.order.material {
            Material::Presignature(_) => {
                let Some((key, sealed)) = held else { return Ok(Err(gone().into())) };
                if *key != request.key_id.0 {
                    let why = "the presignature is of another key".to_owned();
                    return Ok(Err(Shared::Gone(why).into()));
                }
                if let Err(why) = allowed(signed.requester, request, policy, now) {
                    return Ok(Err(Withheld::Never(why)));
                }
                self.claim_presignature(request, sealed)
            }
            Material::Commitments(list) => {
                if self.batch_of(request.key_id, &one.name)?.is_none() {
                    return Ok(Err(gone().into()));
                }
                if !request.path.indices().is_empty() {
                    let why = "nonces are of one key, and serve none of its children".to_owned();
                    return Ok(Err(Withheld::Never(why)));
                }
                if let Err(why) = allowed(signed.requester, request, policy, now) {
                    return Ok(Err(Withheld::Never(why)));
                }
                self.claim_nonces(request, list, &one.name)
            }
        }
    }

    fn claim_presignature(&self, request: &Request, sealed: &[u8]) -> Result<Prepared, Failure> {
        let (key, sealed) = self.seals.key_of(sealed)?;
        let Ok(presignature) = Presignature::<Secp256k1>::open(sealed, &key) else {
            // It hinders nobody else.
            return Ok(Err(Shared::Gone("it does not open".to_owned()).into()));
        };
        let fits = |held: &&std::sync::Arc<Held>| match &***held {
            Held::Ecdsa(share) => presignature.info().check_belongs_to(share.public()).is_ok(),
            Held::Ed25519(..) => false,
        };
        let Some(Held::Ecdsa(share)) =
            self.shares(request.key_id).iter().find(fits).map(|held| &**held)
        else {
            return Ok(Err(Shared::Gone("the key has other shares now".to_owned()).into()));
        };
        let claim = match presignature.claim(
            share,
            &request.path,
            MessageDigest::sha256(request.message.as_slice()),
        ) {
            Ok(claim) => claim,
            Err(why) => return Ok(Err(Withheld::Never(why.to_string()))),
        };
        let record = claim.record();
        let receipt = record.store(&mut Ahead)?;
        Ok(Ok((record.digest, claim.release(receipt)?.to_bytes())))
    }

    fn claim_nonces(
        &mut self,
        request: &Request,
        list: &[(PartyId, [u8; 64])],
        pair: &[u8; 32],
    ) -> Result<Prepared, Failure> {
        let shares = self.shares(request.key_id).to_vec();
        let Some(batch) = self.batch_of(request.key_id, pair)? else {
            return Ok(Err(gone().into()));
        };
        let of = batch.package_id();
        let fits = |held: &&std::sync::Arc<Held>| match &***held {
            Held::Ed25519(share, _) => share.package_id() == of,
            Held::Ecdsa(_) => false,
        };
        let Some(Held::Ed25519(share, public)) = shares.iter().find(fits).map(|held| &**held)
        else {
            return Ok(Err(Shared::Gone("the key has other shares now".to_owned()).into()));
        };
        if share.state() == ShareState::Unconfirmed {
            return Ok(Err(Shared::NotYet("the share is not confirmed".to_owned()).into()));
        }
        let all: Option<Vec<_>> =
            list.iter().map(|(id, bytes)| commitments(*id, share, bytes)).collect();
        let Some(all) = all else {
            return Ok(Err(Withheld::Never("commitments that are none".to_owned())));
        };
        let package = match ed25519::SigningPackage::new(public, all, &request.message) {
            Ok(package) => package,
            Err(why) => return Ok(Err(Withheld::Never(why.to_string()))),
        };
        let Some(claim) = batch.claim_for(&package) else { return Ok(Err(gone().into())) };
        let record = claim.record();
        let nonces = claim.release(record.store(&mut Ahead)?)?;
        match share.sign(&package, nonces) {
            Ok(signed) => Ok(Ok((record.digest, signed.to_bytes()))),
            Err(why) => Ok(Err(Withheld::Never(why.to_string()))),
        }
    }

    /// Writes claims to the ledger, each with its row, and gives out what is in it then.
    fn record(
        &mut self,
        under: &[Under<'_>],
        claims: &[Claimed],
    ) -> Result<Vec<(usize, Shared)>, Failure> {
        if claims.is_empty() {
            return Ok(Vec::new());
        }
        let named: Vec<(&Claimed, &Under<'_>)> =
            claims.iter().filter_map(|claim| Some((claim, under.get(claim.at)?))).collect();
        let all: Vec<Claim> =
            named.iter().map(|(claim, one)| Claim { id: one.name, digest: claim.digest }).collect();
        let mut all_spent = Vec::new();
        let answers = self.store.ledger(|ledger| {
            ledger.spend(&all, |recorded| {
                let (mut rows, mut answers) = (Vec::new(), Vec::new());
                for (claim, one) in &named {
                    let Some(spent) = recorded.get(&one.name) else { continue };
                    all_spent.push((one.name, spent.digest));
                    let row = match &spent.share {
                        // Another worker has spent it meanwhile: on the same order, perhaps.
                        Some(row) => row,
                        None if spent.digest == claim.digest => {
                            rows.push((one.name, claim.row.clone()));
                            &claim.row
                        }
                        None => &Vec::new(),
                    };
                    answers.push((claim.at, stored(row, &one.id)));
                }
                Ok::<_, Error>((rows, answers))
            })
        })?;
        let gone: Vec<Vec<Value<'_>>> =
            named.iter().map(|(_, one)| vec![(&one.name).into()]).collect();
        let pairs = self.spend_pairs(&all_spent);
        self.store.work(|work| {
            // The chain of what was released goes on: peers are told.
            named.iter().for_each(|(claim, _)| work.release(&claim.digest));
            work.execute_set(&rows::DROP_PRESIGNATURES, &gone)?;
            put_spent(work, &pairs)
        })?;
        Ok(answers)
    }
}

/// Whether a request may be signed now.
fn allowed(
    requester: [u8; 32],
    request: &Request,
    policy: &dyn Policy,
    now: Time,
) -> Result<(), String> {
    policy.allows(&requester, request)?;
    if request.deadline <= now {
        return Err("the deadline of the request has passed".to_owned());
    }
    Ok(())
}

fn commitments(
    id: PartyId,
    share: &ed25519::KeyShare,
    bytes: &[u8; 64],
) -> Option<ed25519::Commitments> {
    let (hiding, binding) = bytes.split_at_checked(32)?;
    quorate::frost::generic::Commitments::<Ed25519Sha512>::from_parts(
        id,
        share.package_id(),
        hiding,
        binding,
    )
    .ok()
}

fn gone() -> Shared {
    Shared::Gone("this node does not hold it, or has spent it".to_owned())
}

fn claimed(at: usize, one: &Under<'_>, digest: [u8; 32], kind: u8, rest: &[u8]) -> Claimed {
    Claimed { at, digest, row: [one.id.as_slice(), &[kind], rest].concat() }
}

/// The answer that a row of the ledger gives to an order.
fn stored(row: &[u8], id: &[u8; 32]) -> Shared {
    let other = || Shared::Gone("already spent on something else".to_owned());
    let Some((order, rest)) = row.split_first_chunk::<32>() else { return other() };
    match rest.split_first() {
        Some((&RELEASED, share)) if order == id => Shared::Share(share.to_vec()),
        Some((&REFUSED, why)) if order == id => {
            Shared::Never(String::from_utf8_lossy(why).into_owned())
        }
        _ => other(),
    }
}
