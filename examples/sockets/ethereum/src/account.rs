//! Accounts: keys by their addresses.

use k256::ecdsa::VerifyingKey;
use quorate_purpose::Hash;
use sockets_backend::{Key, Scheme};

use crate::error::{Error, ErrorKind};
use crate::hex;

/// An account.
#[derive(Clone, Debug)]
pub(crate) struct Account {
    pub(crate) key: Key,
    pub(crate) verifying: VerifyingKey,
    /// The coordinates of the point.
    pub(crate) public_key: [u8; 64],
    pub(crate) address: [u8; 20],
}

impl Account {
    /// The account of a key, if there is one: keys of ECDSA over secp256k1 have accounts.
    pub(crate) fn of(key: Key) -> Option<Self> {
        if key.scheme != Scheme::EcdsaSecp256k1 {
            return None;
        }
        let verifying = VerifyingKey::from_sec1_bytes(&key.public_key).ok()?;
        let point = verifying.to_sec1_point(false);
        let public_key: [u8; 64] = point.as_bytes().get(1..)?.try_into().ok()?;
        let address = *Hash::Keccak256.digest(&public_key).last_chunk()?;
        Some(Self { key, verifying, public_key, address })
    }

    /// The address as a text, in lower case.
    pub(crate) fn address(&self) -> String {
        hex::encode(&self.address)
    }
}

/// A name of an account: its address, or its public key without or with the byte `04`, in digits of either case.
pub(crate) fn find(accounts: Vec<Account>, named: &str) -> Result<Account, Error> {
    let lower = named.to_ascii_lowercase();
    let text = if lower.starts_with("0x") { lower } else { format!("0x{lower}") };
    let name = hex::data("the account", &text)?;
    let is_it = |account: &Account| match name.as_slice() {
        [4, point @ ..] if point.len() == 64 => point == account.public_key,
        name if name.len() == 64 => name == account.public_key,
        name => name == account.address,
    };
    let unknown = || Error::new(ErrorKind::Account, format!("there is no account {text}"));
    if ![20, 64, 65].contains(&name.len()) {
        return Err(Error::params("expected an address or an uncompressed public key"));
    }
    accounts.into_iter().find(is_it).ok_or_else(unknown)
}
