//! The files of an ML-DSA wallet, beside those of every wallet's [folder](crate::home).
//!
//! | file | what it is |
//! |---|---|
//! | `public.pem` | the public key for others (RFC 9881) |
//! | `attempts/7.party-1` | the record that party 1 has begun attempt 7 to sign; never deleted: see [`attempts`] |

use std::path::Path;
use std::sync::Arc;

use quorate::PartyId;
use quorate::mldsa::{KeyShare, PublicKeyPackage};
use quorate_examples::failure::Failure;

use super::{MldsaSuite, attempts};
use crate::disk::private_dir;
use crate::home::{Home, check_pem, name, no_such_party, public_as, write_pem};
use crate::shares::SHARE;

/// The public side of the key.
///
/// # Errors
/// A [`Failure`] if it is not there or is damaged.
pub fn public<L: MldsaSuite>(dir: &Path) -> Result<PublicKeyPackage, Failure> {
    public_as(dir, |bytes| PublicKeyPackage::from_bytes(L::LEVEL, bytes))
}

/// Makes what a complete wallet has besides its parties' secrets and the public side of the key.
pub(crate) fn fill(home: &Home, public: &PublicKeyPackage) -> Result<(), Failure> {
    private_dir(&attempts::folder(home.dir()))?;
    write_pem(home.dir(), &public.verifying_key().to_spki_pem())
}

/// The shares of the signers, exactly as many as it takes.
///
/// # Errors
/// A [`Failure`] for another number of signers, if one has no share of this key, or if `public.pem` is another key.
pub fn open_signers<L: MldsaSuite>(
    home: &Home,
    signers: &[PartyId],
) -> Result<Vec<Arc<KeyShare>>, Failure> {
    let public = public::<L>(home.dir())?;
    check_pem(home.dir(), &public.verifying_key().to_spki_pem())?;
    let (need, got) = (public.threshold(), signers.len());
    if got != usize::from(need) {
        return Err(Failure::new(format!("got {got} signers, it takes exactly {need}")));
    }
    let share = |signer: &PartyId| Ok(Arc::new(share::<L>(home, *signer, &public)?));
    signers.iter().map(share).collect()
}

fn share<L: MldsaSuite>(
    home: &Home,
    party: PartyId,
    public: &PublicKeyPackage,
) -> Result<KeyShare, Failure> {
    if !public.parties().contains(party) {
        return Err(no_such_party(party, public.parties()));
    }
    let file = name(party, SHARE);
    let path = home.dir().join(&file);
    let path = path.display();
    let Some(bytes) = home.secret_if_there(&file)? else {
        return Err(Failure::new(format!(
            "cannot read {path}: party {party} has lost its share, and only a copy of it can come back"
        )));
    };
    let share = KeyShare::from_bytes(L::LEVEL, &bytes).map_err(|error| {
        Failure::new(format!("{path} is no usable key share for {}: {error}", L::SUITE))
    })?;
    if share.id() == party && share.public() == public {
        return Ok(share);
    }
    Err(Failure::new(format!("{path} is not party {party}'s share of this wallet's key")))
}
