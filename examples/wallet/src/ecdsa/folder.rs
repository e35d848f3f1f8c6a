//! The files that an ECDSA wallet adds to a wallet's [folder](crate::home).
//!
//! | file | what it is |
//! |---|---|
//! | `public.pem` | the public key for others |
//! | `party-1.aux` | the party's auxiliary information with its primes, secret |
//! | `presignatures/ID.party-1` | its part of a presignature, sealed with `party-1.seal` |
//! | `spent/ID.party-1` | the record that it is spent; never deleted |

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use quorate::session::SpentTable;
use quorate::{Parties, PartyId, SealKey};
use quorate_bignum::Engine;
use quorate_cggmp::{AuxInfo, DecodeError, KeyInfo, KeyShare, Presignature};
use quorate_examples::failure::Failure;
use quorate_examples::files::hex;
use quorate_paillier::Level;

use super::EcdsaSuite;
use super::signing::Signer;
use crate::disk::{self, Privacy, private_dir, write_first, write_whole};
use crate::home::{Home, name, no_such_party, public_as};
use crate::lock::Lock;

const STOCK: &str = "presignatures";
const SPENT: &str = "spent";

/// The public key for others.
pub(crate) fn pem_path(dir: &Path) -> PathBuf {
    dir.join("public.pem")
}

/// The folder of presignatures.
pub(crate) fn stock(dir: &Path) -> PathBuf {
    dir.join(STOCK)
}

/// Makes what a complete wallet has besides its parties' secrets and the public side of the key.
pub(crate) fn fill<C: EcdsaSuite>(home: &Home, public: &KeyInfo<C>) -> Result<(), Failure> {
    for folder in [STOCK, SPENT] {
        private_dir(&home.dir().join(folder))?;
    }
    let pem = public.verifying_key().to_spki_pem();
    write_whole(&pem_path(home.dir()), pem.as_bytes(), Privacy::Everyone)
}

/// Reads the public side of the key.
pub(crate) fn open_public<C: EcdsaSuite>(dir: &Path) -> Result<KeyInfo<C>, Failure> {
    public_as(dir, KeyInfo::from_bytes)
}

/// Reads what the signers bring along, and makes sure that it is theirs.
pub(crate) fn open_signers<C: EcdsaSuite>(
    home: &Home,
    signers: &[PartyId],
    public: &KeyInfo<C>,
) -> Result<Vec<Signer<C>>, Failure> {
    let open = |party: &PartyId| {
        let key = Arc::new(open_share(home, *party, public)?);
        Ok(Signer { key, aux: Arc::new(open_aux(home, *party, public.parties())?) })
    };
    signers.iter().map(open).collect()
}

fn open_share<C: EcdsaSuite>(
    home: &Home,
    party: PartyId,
    public: &KeyInfo<C>,
) -> Result<KeyShare<C>, Failure> {
    if !public.parties().contains(party) {
        return Err(no_such_party(party, public.parties()));
    }
    let open = |bytes: &[u8]| KeyShare::from_bytes(bytes, public);
    let belongs = |share: &KeyShare<C>| share.party() == party;
    home.key_share(party, &name(party, "share"), C::SUITE, open, belongs)
}

fn open_aux(home: &Home, party: PartyId, parties: &Parties) -> Result<AuxInfo, Failure> {
    let file = name(party, "aux");
    let bytes = home.secret(&file)?;
    let open = |level| AuxInfo::from_bytes(&Engine::detect(), level, &bytes);
    let aux = match open(Level::Bits128) {
        Err(DecodeError::WrongCurve { .. }) => open(Level::Bits112),
        other => other,
    };
    let path = home.dir().join(file);
    let path = path.display();
    let aux = aux.map_err(|error| Failure::new(format!("{path} is damaged: {error}")))?;
    if aux.party() != party || aux.parties() != parties {
        return Err(Failure::new(format!("{path} is not party {party}'s in this wallet")));
    }
    Ok(aux)
}

/// Puts every signer's part of a presignature into the stock.
pub(crate) fn keep<C: EcdsaSuite>(
    home: &Home,
    presignatures: &[Presignature<C>],
) -> Result<(), Failure> {
    let stock = stock(home.dir());
    let _lock = Lock::wait(&stock)?;
    for one in presignatures {
        let sealed = one.seal(&home.seal_key(one.party())?);
        write_whole(&stock.join(name_of(&one.id().0, one.party())), &sealed, Privacy::OwnerOnly)?;
    }
    Ok(())
}

/// Takes a presignature of exactly these signers out of the stock: the parts of all of them in
/// ascending order, or none if none is left.
///
/// It never goes back, whatever becomes of it. Several processes take one after the other, and so
/// different ones.
pub(crate) fn take<C: EcdsaSuite>(
    home: &Home,
    signers: &Parties,
) -> Result<Option<Vec<Presignature<C>>>, Failure> {
    let stock = stock(home.dir());
    let _lock = Lock::wait(&stock)?;
    let Some(found) = find::<C>(home, signers)? else { return Ok(None) };
    for part in &found {
        disk::delete(&stock.join(name_of(&part.id().0, part.party())))?;
    }
    Ok(Some(found))
}

/// A presignature of exactly these signers, which stays in the stock.
pub(crate) fn find<C: EcdsaSuite>(
    home: &Home,
    signers: &Parties,
) -> Result<Option<Vec<Presignature<C>>>, Failure> {
    let stock = stock(home.dir());
    let mut names = Vec::new();
    for entry in fs::read_dir(&stock).map_err(Failure::file("read", &stock))? {
        names.extend(entry?.file_name().into_string().ok());
    }
    names.sort_unstable();
    let mut keys = Vec::new();
    for signer in signers.iter() {
        keys.push((signer, home.seal_key(signer)?));
    }
    // One for each presignature that the first of them has a part of.
    let first = signers.as_slice().first().map_or(0, |party| party.get());
    let ending = format!(".party-{first}");
    for id in names.iter().filter_map(|name| name.strip_suffix(&ending)) {
        let parts = keys.iter().map(|(party, key)| open_part(&stock, id, *party, key));
        let Some(parts) = parts.collect::<Result<Option<Vec<_>>, _>>()? else { continue };
        if parts.iter().all(|part: &Presignature<C>| part.info().signers() == signers) {
            return Ok(Some(parts));
        }
    }
    Ok(None)
}

/// One signer's part of a presignature, if it has one.
fn open_part<C: EcdsaSuite>(
    stock: &Path,
    id: &str,
    party: PartyId,
    key: &SealKey,
) -> Result<Option<Presignature<C>>, Failure> {
    let path = stock.join(format!("{id}.party-{}", party.get()));
    let Some(sealed) = disk::read(&path)? else { return Ok(None) };
    let damaged = |why: &str| Failure::new(format!("{} is damaged: {why}", path.display()));
    let part = Presignature::open(&sealed, key).map_err(|error| damaged(&error.to_string()))?;
    if hex(&part.id().0) != id || part.party() != party {
        return Err(damaged("it is another one"));
    }
    Ok(Some(part))
}

fn name_of(id: &[u8; 32], party: PartyId) -> String {
    format!("{}.party-{}", hex(id), party.get())
}

/// One signer's records of what it has spent: a file for each, which is never deleted and never
/// written twice.
pub(crate) struct Spent {
    dir: PathBuf,
    party: PartyId,
}

impl Spent {
    pub(crate) fn of(home: &Home, party: PartyId) -> Self {
        Self { dir: home.dir().join(SPENT), party }
    }
}

impl SpentTable for Spent {
    type Error = Failure;

    fn record(&mut self, id: &[u8; 32], digest: &[u8; 32]) -> Result<[u8; 32], Failure> {
        let path = self.dir.join(name_of(id, self.party));
        // What decides between two processes is that one of them makes the file.
        if write_first(&path, digest, Privacy::OwnerOnly).map_err(Failure::file("write", &path))? {
            return Ok(*digest);
        }
        let stored = fs::read(&path).map_err(Failure::file("read", &path))?;
        let damaged = |_| Failure::new(format!("{} is damaged", path.display()));
        stored.try_into().map_err(damaged)
    }
}
