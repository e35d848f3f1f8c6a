//! A committee as a signer of `alloy`: whatever takes a wallet of that library takes this one.
//!
//! Such a wallet is `'static`, and lives where it likes; the share and the sockets stay with one thread. So an [`Account`] sends
//! what it wants signed as an [`Order`], and waits.

use std::pin::pin;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::task::{Context, Poll, Waker};

use alloy_consensus::SignableTransaction;
use alloy_network::{TxSigner, TxSignerSync};
use alloy_primitives::{Address, B256, ChainId, Signature, keccak256};
use alloy_signer::UnsupportedSignerOperation::SignHash;
use alloy_signer::{Error, Result, Signer, SignerSync, sign_transaction_with_chain_id};
use alloy_sol_types::{Eip712Domain, SolStruct};
use async_trait::async_trait;
use quorate::ecdsa::{self, MessageDigest, Secp256k1, VerifyingKey};

use crate::Failure;
use crate::signer::Committee;

/// A full transaction or typed data to sign, and the channel for the signature.
pub type Order = (Vec<u8>, Sender<Signature>);

/// An account whose key lies with a committee.
pub struct Account {
    address: Address,
    chain: Option<ChainId>,
    committee: Committee<'static, Signature>,
}

impl Account {
    /// The account of a key on a chain, and its orders.
    #[must_use]
    pub fn new(address: Address, chain: ChainId) -> (Self, Receiver<Order>) {
        let (orders, taken) = channel();
        let committee = Committee::new(move |shown: &[u8]| {
            let (reply, answer) = channel();
            orders.send((shown.to_vec(), reply))?;
            Ok(answer.recv()?)
        });
        (Self { address, chain: Some(chain), committee }, taken)
    }

    fn sign(&self, shown: &[u8]) -> Result<Signature> {
        signature::Signer::try_sign(&self.committee, shown).map_err(Error::other)
    }
}

/// The address of a key: the last 20 bytes of the hash of its coordinates.
#[must_use]
pub fn address(key: &VerifyingKey<Secp256k1>) -> Address {
    Address::from_raw_public_key(&key.to_uncompressed()[1..])
}

/// A signature as alloy has it. Our s is the low one already, and the recovery id knows the parity of y.
///
/// # Errors
/// If x was not below the order, which a transaction cannot say; by chance once in 2^127.
pub fn recoverable(
    signature: &ecdsa::Signature<Secp256k1>,
) -> core::result::Result<Signature, Failure> {
    match signature.recovery_id() {
        Some(id) if !id.x_is_reduced() => {
            Ok(Signature::from_bytes_and_parity(&signature.to_compact(), id.y_is_odd()))
        }
        _ => Err("no parity says which point this was".into()),
    }
}

/// Typed data (EIP-712) in full: 0x1901 ‖ domain ‖ type ‖ values. Signers see the values, and not only their hash.
pub fn typed<T: SolStruct>(data: &T, domain: &Eip712Domain) -> Vec<u8> {
    let (domain, kind) = (domain.hash_struct(), data.eip712_type_hash());
    [&[0x19, 1][..], domain.as_slice(), kind.as_slice(), &data.eip712_encode_data()].concat()
}

/// Hashes what was shown by Keccak-256. Of typed data, type and values are hashed first.
#[must_use]
pub fn digest(shown: &[u8]) -> MessageDigest {
    MessageDigest::hashed_with(shown, |shown| match shown.split_at_checked(34) {
        Some((head, data)) if head.starts_with(&[0x19, 1]) => {
            keccak256([head, keccak256(data).as_slice()].concat()).0
        }
        _ => keccak256(shown).0,
    })
}

/// The output of a future that waits for nothing but an [`Account`], which does not give way.
///
/// # Errors
/// If it waits for something else.
pub fn ready<T>(future: impl Future<Output = T>) -> core::result::Result<T, Failure> {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => Ok(output),
        Poll::Pending => Err("this future needs a runtime".into()),
    }
}

impl SignerSync for Account {
    /// A committee signs nothing that it can't see.
    fn sign_hash_sync(&self, _: &B256) -> Result<Signature> {
        Err(Error::UnsupportedOperation(SignHash))
    }

    fn sign_typed_data_sync<T: SolStruct>(
        &self,
        data: &T,
        domain: &Eip712Domain,
    ) -> Result<Signature> {
        self.sign(&typed(data, domain))
    }

    fn chain_id_sync(&self) -> Option<ChainId> {
        self.chain
    }
}

#[async_trait]
impl Signer for Account {
    async fn sign_hash(&self, hash: &B256) -> Result<Signature> {
        self.sign_hash_sync(hash)
    }

    async fn sign_typed_data<T: SolStruct + Send + Sync>(
        &self,
        data: &T,
        domain: &Eip712Domain,
    ) -> Result<Signature> {
        self.sign_typed_data_sync(data, domain)
    }

    fn address(&self) -> Address {
        self.address
    }

    fn chain_id(&self) -> Option<ChainId> {
        self.chain
    }

    fn set_chain_id(&mut self, chain: Option<ChainId>) {
        self.chain = chain;
    }
}

impl TxSignerSync<Signature> for Account {
    fn address(&self) -> Address {
        self.address
    }

    fn sign_transaction_sync(
        &self,
        tx: &mut dyn SignableTransaction<Signature>,
    ) -> Result<Signature> {
        sign_transaction_with_chain_id!(self, tx, self.sign(&tx.encoded_for_signing()))
    }
}

#[async_trait]
impl TxSigner<Signature> for Account {
    fn address(&self) -> Address {
        self.address
    }

    async fn sign_transaction(
        &self,
        tx: &mut dyn SignableTransaction<Signature>,
    ) -> Result<Signature> {
        self.sign_transaction_sync(tx)
    }
}
