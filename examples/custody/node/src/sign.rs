//! Shares of signatures: decided, recorded and let out, in this order.

mod attempt;
mod ready;
mod release;

use custody_core::{Answer, KeyId, Material, Refusal, Sign, SignedRequest};
use quorate::runner::Runner;
use quorate_store::{AnyStore, Error, Ledger, Records};

pub(crate) use self::attempt::{End, attempt};
use self::ready::{Content, Ready, prepare};
use self::release::{answer, spend};
use crate::audit::Log;
use crate::decide::decide;
use crate::request::Asked;
use crate::rows::{Stored, internal, space};
use crate::vault::Vault;
use crate::{state, watermark};

/// An order to sign whose request verifies.
pub(crate) struct SignOrder {
    pub(crate) asked: Asked,
    /// The request as its caller signed it.
    pub(crate) request: SignedRequest,
    pub(crate) key: KeyId,
    pub(crate) sign: Sign,
    pub(crate) material: Material,
}

/// A share, or the one that was given of an earlier vote.
type Outcome = Result<Answer, Refusal>;

/// Raises the watermark of a request that other members sign. The policy decides, as about a share.
pub(crate) fn mark(
    runner: &mut Runner<AnyStore, Vault>,
    (asked, id, sign): (&Asked, &KeyId, &Sign),
    now: u64,
) -> Result<Answer, Refusal> {
    let (store, vault) = runner.store_and_app();
    let key = vault.key(id)?;
    let (content, threshold) = (Content::of(key, sign)?, key.signing()?.threshold());
    let question = content.question((id, key), (asked, sign), now);
    let marked = store.spend(|rows| {
        if let Err(why) = state::check_enabled(rows, id)? {
            return Ok(Err(why));
        }
        match decide(rows, &mut Log::new(&vault.settings), &question)? {
            Ok(_) => watermark::raise(rows, (id, threshold), &content.purpose),
            Err(why) => Ok(Err(why)),
        }
    });
    marked.map_err(internal)?.map(|()| Answer::Done)
}

/// Answers orders to sign, together: one transaction of the ledger has all of their claims, decisions and shares.
///
/// If an order may be at fault that this fails, each is answered alone, so that only this one is refused. A refusal for an error of
/// the databases loses nothing: an order that comes again gets the share that is recorded, or spends the material then.
pub(crate) fn sign_all(
    runner: &mut Runner<AnyStore, Vault>,
    orders: &[SignOrder],
    now: u64,
) -> Vec<Outcome> {
    let (store, vault) = runner.store_and_app();
    let read = |order| (order, prepare(store, vault, order));
    let orders: Vec<Read<'_>> = orders.iter().map(read).collect();
    let mut sign = |some: &[Read<'_>]| match sign_together(store, vault, some, now) {
        Ok(outcomes) => (outcomes, None),
        Err(why) => (vec![Err(internal(&why)); some.len()], Some(why)),
    };
    match sign(&orders) {
        (_, Some(why)) if is_of_one(&why) && orders.len() > 1 => {
            orders.chunks(1).flat_map(|one| sign(one).0).collect()
        }
        (outcomes, _) => outcomes,
    }
}

/// An order, and what the node has read for it.
type Read<'a> = (&'a SignOrder, Result<Ready, Refusal>);

/// Returns whether another order may be stored, though one is not.
const fn is_of_one(why: &Error) -> bool {
    matches!(why, Error::Damaged(_) | Error::Refused(_) | Error::Database(_))
}

/// Answers these orders in one transaction of the ledger, and removes what they have spent.
fn sign_together(
    store: &mut AnyStore,
    vault: &Vault,
    orders: &[Read<'_>],
    now: u64,
) -> Stored<Vec<Outcome>> {
    let sign = |rows: &mut Ledger<'_>| {
        let mut log = Log::new(&vault.settings);
        let each = orders.iter().map(|(order, ready)| match ready {
            Ok(ready) => {
                let named = (*order, &ready.content, ready.spends.name);
                let give = |_: &mut Ledger<'_>| Ok(spend(&vault.settings, ready));
                answer(rows, &mut log, vault, named, now, give)
            }
            Err(why) => Ok(Err(why.clone())),
        });
        each.collect::<Stored<Vec<Outcome>>>()
    };
    // If this fails, the claims and shares may remain: what was spent is never spent again.
    let remove = |rows: &mut Records<'_>, answers: &Vec<Outcome>| {
        let spent = orders.iter().zip(answers);
        let spent = spent.filter(|(_, answer)| matches!(answer, Ok(Answer::Share { .. })));
        let mut gone = spent.filter_map(|((_, ready), _)| ready.as_ref().ok()?.made.as_ref());
        gone.try_for_each(|made| rows.remove(space::MATERIAL, &made.row).map(drop))
    };
    store.spend_then(sign, remove)
}
