//! Hardened children: a PRF key beside the key that signs, with which its parties derive children that nobody else can.
//!
//! | file | what it is, beside those of every [wallet](crate::home) |
//! |---|---|
//! | `prf.key`, `party-1.prf` | the public side of the PRF key, and the party's share of it, secret |
//! | `prf.next`, `party-1.prf-next` | the same in the next epoch, in the middle of a [change](crate::change) |
//! | `prf.bound` | the names of the key that signs and of the PRF key that was made for it, the same in all epochs |
//!
//! The secret difference of a child and its parent is derived again for each use. Neither it nor a share of a child is stored.

use std::path::Path;
use std::sync::Arc;

use getrandom::SysRng;
use quorate::frost::generic::{Dkg, DkgOutput, DkgParams, Frost, KeyShare, PublicKeyPackage};
use quorate::keys::derive::{DerivationPath, Shifted};
use quorate::keys::{Family, KeyTypes, SecretShare, SharedKey};
use quorate::prf::{
    ChildTweak, EvaluationExchange, EvaluationExchangeParams, Kdf, Query, Ristretto255Sha512,
};
use quorate::session::Transcript;
use quorate::session::rand_core::UnwrapErr;
use quorate::session::zeroize::Zeroizing;
use quorate::{PartyId, SessionId};
use quorate_examples::{Failure, Out, Result, ensure, failure};

use super::change::enough;
use super::commands::{self, Statement};
use super::disk::{self, Privacy};
use super::family::{KeyFamily, StoredKey};
use super::frost::KEYGEN_ROUNDS;
use super::home::Home;
use super::making::{Form, Making, New};
use super::rounds;
use super::shares;

/// One kind of PRF keys serves the keys of every suite: a tweak is hashed to each order.
type Prf = Kdf<Ristretto255Sha512>;
/// The family of the PRF key.
pub(crate) type PrfKey = Frost<Prf>;

/// The file with the names of the two keys.
pub(crate) const BOUND: &str = "prf.bound";

impl StoredKey for PrfKey {
    const OF: &'static str = "the PRF key";
    const PUBLIC: &'static str = "prf.key";
    const NEXT_PUBLIC: &'static str = "prf.next";
    const SHARE: &'static str = "prf";
    const NEXT: &'static str = "prf-next";

    fn read_public(dir: &Path) -> Result<Vec<u8>> {
        let path = dir.join(Self::PUBLIC);
        disk::read(&path)?.ok_or_else(|| missing(&path))
    }

    fn public_bytes(public: &PublicKeyPackage<Prf>) -> Vec<u8> {
        public.to_bytes()
    }

    fn share_bytes(share: &KeyShare<Prf>) -> Zeroizing<Vec<u8>> {
        share.to_bytes()
    }
}

fn missing(path: &Path) -> Failure {
    Failure::at(path, "is not there, and is public: put a copy in its place")
}

/// `keygen --hardened`: the PRF key is made by the same parties, and the wallet is complete with both keys.
pub(crate) fn keygen<F: KeyFamily>(new: &New, out: &mut Out) -> Result {
    commands::keygen_with::<F>(new, generate::<F>, out)
}

fn generate<F: KeyFamily>(making: &Making, own: &F::Package, out: &mut Out) -> Result {
    writeln!(out, "\nThe parties make a PRF key for the hardened children of this key.");
    let own = SharedKey::<F>::from_bytes(&F::package_bytes(own))?.package_id().key_id();
    let form = Form::<DkgOutput<Prf>> {
        public: |output| output.public.to_bytes(),
        made: PrfKey::PUBLIC,
        file: PrfKey::SHARE,
        secret: |output| output.share.to_bytes(),
    };
    let params = |_| Ok(DkgParams::new(making.new.threshold));
    let run = making.run::<Dkg<Prf>>(session(&own), params, &form)?;
    run.traffic.print(&KEYGEN_ROUNDS, "checks, key kept", out);
    let names = [own, run.first()?.public.package_id().key_id()].concat();
    disk::replace(&making.home.path(BOUND), &names, Privacy::Everyone)
}

/// The session that makes the PRF key, named after the key that signs. All parties confirm the result under this name.
fn session(own: &[u8; 32]) -> SessionId {
    let mut transcript = Transcript::new("wallet: PRF key");
    transcript.append("key", own);
    SessionId::new(transcript.finish32())
}

/// The PRF key that was made for this key; `None` if there is none.
pub(crate) fn prf_key<F: Family>(
    dir: &Path,
    own: &SharedKey<F>,
) -> Result<Option<SharedKey<PrfKey>>> {
    let path = dir.join(BOUND);
    let Some(names) = disk::read(&path)? else {
        // What is lost is not taken for what never was.
        let is_left = |name: &String| name == PrfKey::PUBLIC || name.ends_with(".prf");
        let is_lost = disk::names(dir)?.iter().any(is_left);
        return if is_lost { Err(missing(&path)) } else { Ok(None) };
    };
    let prf = shares::current::<PrfKey>(dir)?;
    let are = [own.package_id(), prf.package_id()].map(|name| name.key_id()).concat();
    let other = "says that the PRF key was made for another key than this, or is another PRF key";
    if names == are { Ok(Some(prf)) } else { Err(Failure::at(&path, other)) }
}

/// The hardened child at a path, as each of these signers derives it, in their order: the parent and a secret difference.
pub(crate) fn children<F: KeyFamily>(
    home: &Home,
    parent: &SharedKey<F>,
    signers: &[PartyId],
    path: &DerivationPath,
    out: &mut Out,
) -> Result<Vec<Shifted<F>>> {
    let dir = home.dir().display();
    ensure!(
        prf_key(home.dir(), parent)?.is_some(),
        "the key of the wallet in {dir} has no hardened children: it was made without a PRF key. Make another wallet with \
         `keygen --hardened`, or derive with `--path`"
    );
    let (prf, shares) = shares::of_signers::<PrfKey>(home, signers)?;
    let (parties, public) = (enough(&prf, signers)?, Arc::new(Frost::public(prf.clone())));
    // A signer makes the query itself, of the path that it is asked for.
    let query = Arc::new(Query::hardened(&public, parent, path.indices())?);
    let params = shares.into_iter().map(|share| {
        let own = query.evaluate(&Frost::key_share(share, &prf), &mut UnwrapErr(SysRng))?;
        Ok(EvaluationExchangeParams::new(Arc::clone(&public), Arc::clone(&query), own))
    });
    let params = params.collect::<Result<Vec<_>>>()?;
    let run = rounds::run::<EvaluationExchange<Prf>>(&parties, params, |_| {})?;
    run.traffic.print(&["evaluations, proofs"], "checks, child", out);
    let each = run.results.iter().map(|result| {
        let tweak = ChildTweak::new(&public, &query, result, parent, path.indices())?;
        Ok(tweak.shifted(parent, F::child_extra(parent, tweak.chain_code()))?)
    });
    each.collect()
}

/// The key that signs a statement, or the one of which it is a descendant, and the signers' shares of it. Each signer derives
/// its own.
pub(crate) fn of_signers<F: KeyFamily>(
    home: &Home,
    signers: &[PartyId],
    what: Statement<'_>,
    out: &mut Out,
) -> Result<(SharedKey<F>, Vec<SecretShare<F>>)> {
    let (key, shares) = shares::of_signers::<F>(home, signers)?;
    let Some(path) = what.hardened else { return Ok((key, shares)) };
    let children = children(home, &key, signers, path, out)?;
    let own = shares.iter().zip(&children).map(|(share, child)| Ok(share.shift(child)?));
    let own = own.collect::<Result<_>>()?;
    let child = children.into_iter().next().ok_or_else(|| failure!("there are no signers"))?;
    Ok((child.into_key(), own))
}
