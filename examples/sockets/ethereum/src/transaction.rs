//! Transactions of all types, between a request and the bytes for a node.

use quorate_purpose::Purpose;
use quorate_purpose::evm::{BlobTransaction, SetCodeTransaction, Signature, Transaction};

/// A transaction that is to be signed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Prepared {
    /// Legacy with a chain, EIP-2930 or EIP-1559.
    Plain(Transaction),
    /// EIP-4844.
    Blobs(BlobTransaction),
    /// EIP-7702.
    SetCode(SetCodeTransaction),
}

impl Prepared {
    /// The bytes that a node takes.
    #[must_use]
    pub fn signed_bytes(&self, signature: &Signature) -> Vec<u8> {
        match self {
            Self::Plain(transaction) => transaction.signed_bytes(signature),
            Self::Blobs(transaction) => transaction.signed_bytes(signature),
            Self::SetCode(transaction) => transaction.signed_bytes(signature),
        }
    }

    /// The purpose that every signer reads.
    #[must_use]
    pub fn purpose(&self) -> Purpose {
        match self.clone() {
            Self::Plain(transaction) => transaction.into(),
            Self::Blobs(transaction) => transaction.into(),
            Self::SetCode(transaction) => transaction.into(),
        }
    }
}
