//! What an ECDSA wallet adds to a wallet's [folder](crate::folder).
//!
//! | file | what it is |
//! |---|---|
//! | `public.key`, `public.pem` | the public side of the key, for us and for others |
//! | `party-1.share` | the party's share of the key, secret |
//! | `party-1.aux` | its auxiliary information with its primes, secret |
//! | `party-1.seal` | the key that its presignatures are sealed under, secret |
//! | `presignatures/ID.party-1` | its part of a presignature, sealed |
//! | `spent/ID.party-1` | the record that it is spent; never deleted |

use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use getrandom::SysRng;
use quorate::session::rand_core::{Rng, UnwrapErr};
use quorate::session::zeroize::Zeroizing;
use quorate::{Parties, PartyId, SealKey};
use quorate_bignum::Engine;
use quorate_cggmp::{AuxInfo, ClaimRecord, DecodeError, KeyInfo, KeyShare, Presignature};
use quorate_paillier::Level;

use super::EcdsaSuite;
use super::signing::Signer;
use crate::folder::{Privacy, private_dir, public_path, share_path, write_new, write_whole};
use quorate_examples::failure::Failure;
use quorate_examples::files::hex;

/// The public key for others.
pub(crate) fn pem_path(dir: &Path) -> PathBuf {
    dir.join("public.pem")
}

fn party_path(dir: &Path, party: PartyId, what: &str) -> PathBuf {
    dir.join(format!("party-{}.{what}", party.get()))
}

fn part_path(dir: &Path, folder: &str, id: &str, party: PartyId) -> PathBuf {
    dir.join(folder).join(format!("{id}.party-{}", party.get()))
}

/// Writes the files of a new wallet.
pub(crate) fn fill<C: EcdsaSuite>(
    dir: &Path,
    keys: &[KeyShare<C>],
    aux: &[AuxInfo],
) -> Result<(), Failure> {
    for (key, aux) in keys.iter().zip(aux) {
        // In clear, because this is an example. A real wallet encrypts them, and keeps the key that
        // it seals with elsewhere.
        let mut seal = Zeroizing::new([0; 32]);
        UnwrapErr(SysRng).fill_bytes(seal.as_mut_slice());
        let party = key.party();
        let secret = |path: &Path, bytes: &[u8]| write_new(path, bytes, Privacy::OwnerOnly);
        secret(&share_path(dir, party), &key.to_bytes())?;
        secret(&party_path(dir, party, "aux"), &aux.to_bytes())?;
        secret(&party_path(dir, party, "seal"), seal.as_slice())?;
    }
    for folder in ["presignatures", "spent"] {
        let folder = dir.join(folder);
        private_dir(&folder).map_err(Failure::file("create", &folder))?;
    }
    let info = keys.first().ok_or_else(|| Failure::new("there are no parties"))?.info();
    let pem = info.verifying_key().to_spki_pem();
    write_new(&pem_path(dir), pem.as_bytes(), Privacy::Everyone)?;
    write_new(&public_path(dir), &info.to_bytes(), Privacy::Everyone)
}

/// Reads the public side of the key.
pub(crate) fn open_public<C: EcdsaSuite>(dir: &Path) -> Result<KeyInfo<C>, Failure> {
    let path = public_path(dir);
    let bytes = fs::read(&path).map_err(Failure::file("read", &path))?;
    KeyInfo::from_bytes(&bytes)
        .map_err(|error| Failure::new(format!("{} is damaged: {error}", path.display())))
}

/// Reads what the signers bring along, in ascending order, and makes sure that it is theirs.
pub(crate) fn open_signers<C: EcdsaSuite>(
    dir: &Path,
    signers: &[PartyId],
    public: &KeyInfo<C>,
) -> Result<Vec<Signer<C>>, Failure> {
    let mut signers = signers.to_vec();
    signers.sort_unstable();
    let open = |party: PartyId| {
        let key = Arc::new(open_share(dir, party, public)?);
        Ok(Signer { key, aux: Arc::new(open_aux(dir, party, public.parties())?) })
    };
    signers.into_iter().map(open).collect()
}

fn open_share<C: EcdsaSuite>(
    dir: &Path,
    party: PartyId,
    public: &KeyInfo<C>,
) -> Result<KeyShare<C>, Failure> {
    if !public.parties().contains(party) {
        let count = public.parties().len();
        return Err(Failure::new(format!(
            "party {party} is not one of the {count} of this wallet"
        )));
    }
    let path = share_path(dir, party);
    let bytes = Zeroizing::new(fs::read(&path).map_err(Failure::file("read", &path))?);
    let path = path.display();
    let share = KeyShare::<C>::from_bytes(&bytes).map_err(|error| {
        Failure::new(format!("{path} is no usable key share for {}: {error}", C::SUITE))
    })?;
    if share.party() != party || share.info() != public {
        return Err(Failure::new(format!(
            "{path} is not party {party}'s share of this wallet's key"
        )));
    }
    Ok(share)
}

fn open_aux(dir: &Path, party: PartyId, parties: &Parties) -> Result<AuxInfo, Failure> {
    let path = party_path(dir, party, "aux");
    let bytes = Zeroizing::new(fs::read(&path).map_err(Failure::file("read", &path))?);
    let open = |level| AuxInfo::from_bytes(&Engine::detect(), level, &bytes);
    let aux = match open(Level::Bits128) {
        Err(DecodeError::WrongCurve) => open(Level::Bits112),
        other => other,
    };
    let path = path.display();
    let aux = aux.map_err(|error| Failure::new(format!("{path} is damaged: {error}")))?;
    if aux.party() != party || aux.parties() != parties {
        return Err(Failure::new(format!("{path} is not party {party}'s in this wallet")));
    }
    Ok(aux)
}

fn open_seal(dir: &Path, party: PartyId) -> Result<SealKey, Failure> {
    let path = party_path(dir, party, "seal");
    let bytes = Zeroizing::new(fs::read(&path).map_err(Failure::file("read", &path))?);
    let key = <[u8; 32]>::try_from(bytes.as_slice());
    key.map(SealKey::new).map_err(|_| Failure::new(format!("{} is damaged", path.display())))
}

/// Puts every signer's part of a presignature into the folder.
pub(crate) fn keep<C: EcdsaSuite>(
    dir: &Path,
    presignatures: &[Presignature<C>],
) -> Result<(), Failure> {
    for one in presignatures {
        let path = part_path(dir, "presignatures", &hex(&one.id().0), one.party());
        let sealed = one.seal(&open_seal(dir, one.party())?);
        write_whole(&path, &sealed, Privacy::OwnerOnly)?;
    }
    Ok(())
}

/// A presignature of exactly these signers, as the parts of all of them in ascending order; none if
/// there is none left.
pub(crate) fn find<C: EcdsaSuite>(
    dir: &Path,
    signers: &Parties,
) -> Result<Option<Vec<Presignature<C>>>, Failure> {
    let folder = dir.join("presignatures");
    let mut names = Vec::new();
    for entry in fs::read_dir(&folder).map_err(Failure::file("read", &folder))? {
        names.extend(entry?.file_name().into_string().ok());
    }
    names.sort_unstable();
    // One for each presignature that the first of them has a part of.
    let first = signers.as_slice().first().map_or(0, |party| party.get());
    let ending = format!(".party-{first}");
    for id in names.iter().filter_map(|name| name.strip_suffix(&ending)) {
        let parts = signers.iter().map(|party| open_part(dir, id, party));
        let Some(parts) = parts.collect::<Result<Option<Vec<_>>, _>>()? else { continue };
        if parts.iter().all(|part: &Presignature<C>| part.info().signers() == signers) {
            return Ok(Some(parts));
        }
    }
    Ok(None)
}

/// One signer's part of a presignature, if it has one.
fn open_part<C: EcdsaSuite>(
    dir: &Path,
    id: &str,
    party: PartyId,
) -> Result<Option<Presignature<C>>, Failure> {
    let path = part_path(dir, "presignatures", id, party);
    let sealed = match fs::read(&path) {
        Ok(sealed) => sealed,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(Failure::file("read", &path)(error)),
    };
    let damaged = |why: &str| Failure::new(format!("{} is damaged: {why}", path.display()));
    let part = Presignature::open(&sealed, &open_seal(dir, party)?);
    let part = part.map_err(|error| damaged(&error.to_string()))?;
    if hex(&part.id().0) != id || part.party() != party {
        return Err(damaged("it is another one"));
    }
    Ok(Some(part))
}

/// Stores that a signer's part of a presignature is spent, in a file that must not be there yet.
///
/// Called before the share of the signature is released: whatever happens then, no second message
/// will be signed with it.
pub(crate) fn spend(dir: &Path, party: PartyId, record: &ClaimRecord) -> Result<(), Failure> {
    let id = hex(&record.id.0);
    let path = part_path(dir, "spent", &id, party);
    let write = || {
        let mut file = OpenOptions::new().write(true).create_new(true).open(&path)?;
        file.write_all(&record.to_bytes())?;
        file.sync_all()
    };
    match write() {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Err(Failure::new(format!(
            "party {party} has spent presignature {}… before, and must not spend it twice. If it was \
             restored from a backup, delete it from {}",
            id.get(..8).unwrap_or_default(),
            dir.join("presignatures").display()
        ))),
        Err(error) => Err(Failure::file("write", &path)(error)),
    }
}

/// Deletes a signer's part of a presignature, which is spent.
pub(crate) fn discard(dir: &Path, party: PartyId, record: &ClaimRecord) -> Result<(), Failure> {
    let path = part_path(dir, "presignatures", &hex(&record.id.0), party);
    fs::remove_file(&path).map_err(Failure::file("delete", &path))
}
