//! The accounts of a backend, and their signatures.

use core::time::Duration;
use std::sync::Arc;

use k256::ecdsa::{RecoveryId, VerifyingKey};
use quorate_purpose::evm::Signature;
use quorate_purpose::{Integer, KeyKind, Purpose};
use sockets_backend::{Asked, Backend};

use crate::account::{Account, find};
use crate::error::{Error, ErrorKind};

/// The accounts of a backend, as programs of Ethereum see them.
pub struct Signer {
    backend: Arc<dyn Backend>,
    chain: Option<u64>,
    within: Duration,
}

impl Signer {
    /// The accounts of a backend, on a chain or on all.
    #[must_use]
    pub fn new(backend: Arc<dyn Backend>, chain: Option<u64>) -> Self {
        Self { backend, chain, within: Asked::WITHIN }
    }

    /// Sets the time that a signature may take.
    #[must_use]
    pub fn within(self, within: Duration) -> Self {
        Self { within, ..self }
    }

    /// The chain, if there is one alone.
    #[must_use]
    pub const fn chain(&self) -> Option<u64> {
        self.chain
    }

    /// The accounts, by ascending name of their keys.
    pub(crate) async fn accounts(&self) -> Result<Vec<Account>, Error> {
        Ok(self.backend.keys().await?.into_iter().filter_map(Account::of).collect())
    }

    /// The account of an address or a public key.
    pub(crate) async fn account(&self, named: &str) -> Result<Account, Error> {
        find(self.accounts().await?, named)
    }

    /// Has a purpose signed for an access key.
    pub(crate) async fn sign(
        &self,
        account: &Account,
        purpose: impl Into<Purpose>,
        access_key: &str,
    ) -> Result<Signature, Error> {
        let purpose = purpose.into();
        self.check_chain(&purpose)?;
        let kind = purpose.kind();
        let asked = Asked::new(purpose).on_behalf(access_key).within(self.within);
        let made = self.backend.sign(account.key.id, &asked).await?;
        let broken = |why: &str| Error::new(ErrorKind::Internal, why);
        if made.signed != asked.purpose {
            return Err(broken("something else was signed"));
        }
        let signature = recoverable(account, &asked.purpose, &made.bytes);
        let signature = signature.ok_or_else(|| broken("no such signature of the account"))?;
        tracing::info!(access_key, key = account.key.name, %kind, "signed");
        Ok(signature)
    }

    /// Refuses what is for another chain, or for all, if the socket is for one. Messages name no chain.
    fn check_chain(&self, purpose: &Purpose) -> Result<(), Error> {
        let Some(own) = self.chain else { return Ok(()) };
        let facts = purpose.facts();
        let is_other = facts.integer("chain").is_some_and(|chain| *chain != Integer::from(own));
        if is_other || facts.is_true("every_chain") {
            return Err(Error::params(format!("this socket signs for the chain {own} alone")));
        }
        Ok(())
    }
}

/// The signature with the parity under which it gives the account's own key. The chain would take another parity for the signature of
/// some other account.
fn recoverable(account: &Account, purpose: &Purpose, bytes: &[u8]) -> Option<Signature> {
    let digest = purpose.message(KeyKind::EcdsaSecp256k1).ok()?.ecdsa_digest()?;
    let signature = k256::ecdsa::Signature::from_slice(bytes).ok()?;
    let is_low = signature.normalize_s() == signature;
    let recovers = |is_y_odd: &bool| {
        let id = RecoveryId::new(*is_y_odd, false);
        let key = VerifyingKey::recover_from_prehash(&digest, &signature, id);
        key.is_ok_and(|key| key == account.verifying)
    };
    let is_y_odd = [false, true].into_iter().find(recovers).filter(|_| is_low)?;
    let (r, s) = (bytes.first_chunk()?, bytes.last_chunk()?);
    Some(Signature { is_y_odd, r: *r, s: *s })
}

impl core::fmt::Debug for Signer {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Signer").field("chain", &self.chain).finish_non_exhaustive()
    }
}
