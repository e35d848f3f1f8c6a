//! The files that an ECDSA wallet adds to a wallet's [folder](crate::home).
//!
//! | file | what it is |
//! |---|---|
//! | `public.pem` | the public key for others |
//! | `party-1.aux` | the party's auxiliary information with its primes, secret: see `aux` |
//! | `presignatures/ID.party-1` | its part of a presignature, sealed with `party-1.seal` |
//! | `spent/ID.party-1` | the record that it is spent; never deleted |

use core::fmt::Write;
use std::sync::Arc;

use quorate::PartyId;
use quorate::keys::{KeyTypes, SharedKey};
use quorate_cggmp::{Ecdsa, KeyInfo};
use quorate_examples::failure::Failure;
use quorate_examples::out::Out;

use super::signing::{Signer, enough};
use super::{EcdsaSuite, aux, stock};
use crate::disk::private_dir;
use crate::home::{Home, check_pem, write_pem};
use crate::shares;

/// Makes what a complete wallet has besides its parties' secrets and the public side of the key.
pub(crate) fn fill<C: EcdsaSuite>(home: &Home, public: &KeyInfo<C>) -> Result<(), Failure> {
    for folder in [stock::STOCK, stock::SPENT] {
        private_dir(&home.dir().join(folder))?;
    }
    write_pem(home.dir(), &public.verifying_key().to_spki_pem())
}

/// Reads what the signers bring along, all of one package, and makes sure that it is theirs, and `public.pem` their key.
pub(crate) fn open_signers<C: EcdsaSuite>(
    home: &Home,
    signers: &[PartyId],
) -> Result<Vec<Signer<C>>, Failure> {
    let (key, shares) = shares::of_signers::<Ecdsa<C>>(home, signers)?;
    check_pem(home.dir(), &KeyInfo::from(key.clone()).verifying_key().to_spki_pem())?;
    let aux = aux::of_signers(home, &enough(signers.iter().copied(), key.threshold())?)?;
    let signer =
        |(share, aux)| Signer { key: Arc::new(Ecdsa::share(share, &key)), aux: Arc::new(aux) };
    Ok(shares.into_iter().zip(aux).map(signer).collect())
}

/// Puts in its place what was made for the parties of `key`, and drops presignatures that it has no use for.
pub(crate) fn settle<C: EcdsaSuite>(
    home: &Home,
    key: &SharedKey<Ecdsa<C>>,
    out: &mut Out,
) -> Result<(), Failure> {
    aux::settle(home, key.parties())?;
    for party in key.parties().iter() {
        home.make_seal_key(party)?;
    }
    fill(home, &KeyInfo::from(key.clone()))?;
    let dropped = stock::keep_only(home, key)?;
    if dropped > 0 {
        let presignatures = if dropped == 1 { "presignature is" } else { "presignatures are" };
        writeln!(out, "  {dropped} {presignatures} of no use any more, and deleted")?;
    }
    Ok(())
}
