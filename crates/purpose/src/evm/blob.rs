//! Transactions with blobs.

use alloc::vec::Vec;

use super::call::{Call, typed};
use super::rlp;
use super::signature::Signature;
use crate::body::Body;
use crate::error::Malformed;
use crate::facts::{Facts, Value};
use crate::integer::Integer;
use crate::kind::Kind;
use crate::message::{Hash, KeyKind, Message};
use crate::wire::{Reader, check_length, wide};

const TYPE: u8 = 3;
/// The version of hashes of KZG commitments.
const KZG: u8 = 1;

/// A transaction that carries blobs (EIP-4844), type 3. The blobs are elsewhere: the transaction has their hashes.
///
/// The body is what wallets hash: the type and the RLP of the fields.
///
/// Facts: those of an [`evm-transaction`](crate::evm::Transaction), `max_blob_fee` (wei for a unit of a blob's gas),
/// `blobs` (how many), `blob_hashes`. Nobody can see the blobs from their hashes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlobTransaction {
    call: Call,
    max_blob_fee: Integer,
    hashes: Vec<[u8; 32]>,
}

impl BlobTransaction {
    /// A transaction with these versioned hashes of blobs, of which each unit of gas costs at most `max_blob_fee` wei.
    ///
    /// # Errors
    /// If a field is out of range, there is no hash, or one is not of version 1.
    pub fn new(
        call: Call,
        max_blob_fee: Integer,
        hashes: Vec<[u8; 32]>,
    ) -> Result<Self, Malformed> {
        let new = Self { call, max_blob_fee, hashes };
        new.check()?;
        Ok(new)
    }

    /// Reads the bytes that wallets hash.
    ///
    /// # Errors
    /// If they are not the one encoding of a transaction of type 3.
    pub fn from_unsigned_bytes(bytes: &[u8]) -> Result<Self, Malformed> {
        let mut fields = typed(bytes, TYPE)?;
        let call = Call::read(&mut fields)?;
        let max_blob_fee = rlp::integer(&mut fields)?;
        let mut list: Reader<'_> = rlp::list(&mut fields)?;
        fields.end()?;
        let mut hashes = Vec::new();
        while !list.is_empty() {
            let hash = rlp::string(&mut list)?.try_into();
            hashes.push(hash.map_err(|_| Malformed("the hash of a blob has not 32 bytes"))?);
        }
        Self::new(call, max_blob_fee, hashes)
    }

    fn check(&self) -> Result<(), Malformed> {
        self.call.check()?;
        if self.max_blob_fee.is_negative() {
            return Err(Malformed("the price is negative"));
        }
        if self.hashes.is_empty() {
            return Err(Malformed("the transaction has no blob"));
        }
        if self.hashes.iter().any(|hash| hash.first() != Some(&KZG)) {
            return Err(Malformed("the hash of a blob is of an unknown version"));
        }
        check_length(self.unsigned_bytes().len())
    }

    /// The bytes that wallets hash.
    #[must_use]
    pub fn unsigned_bytes(&self) -> Vec<u8> {
        self.bytes_before(&[])
    }

    /// The bytes that a node takes (`eth_sendRawTransaction`), with the signature of [`unsigned_bytes`](Self::unsigned_bytes). A node
    /// that makes them known to others wants the blobs beside them.
    #[must_use]
    pub fn signed_bytes(&self, signature: &Signature) -> Vec<u8> {
        self.bytes_before(&signature.typed())
    }

    /// The fields that both forms have, and the last ones behind them.
    fn bytes_before(&self, end: &[u8]) -> Vec<u8> {
        let (mut fields, mut hashes) = (Vec::new(), Vec::new());
        self.call.write(&mut fields);
        rlp::put_integer(&mut fields, self.max_blob_fee);
        self.hashes.iter().for_each(|hash| rlp::put_string(&mut hashes, hash));
        rlp::put_list(&mut fields, &hashes);
        fields.extend_from_slice(end);
        let mut bytes = alloc::vec![TYPE];
        rlp::put_list(&mut bytes, &fields);
        bytes
    }

    /// The fields apart from the blobs.
    #[must_use]
    pub const fn call(&self) -> &Call {
        &self.call
    }
}

impl Body for BlobTransaction {
    const KIND: Kind = Kind::EvmBlobs;

    fn read(body: &[u8]) -> Result<Self, Malformed> {
        Self::from_unsigned_bytes(body)
    }

    fn write(&self, to: &mut Vec<u8>) {
        to.extend(self.unsigned_bytes());
    }

    fn signed(&self, key: KeyKind) -> Option<Message> {
        (key == KeyKind::EcdsaSecp256k1)
            .then(|| Message::Hashed { hash: Hash::Keccak256, bytes: self.unsigned_bytes() })
    }

    fn add_facts(&self, facts: &mut Facts) {
        self.call.add_facts(TYPE, facts);
        facts.add("max_blob_fee", self.max_blob_fee);
        facts.add("blobs", wide(self.hashes.len()));
        let hashes: Vec<Value> = self.hashes.iter().map(|hash| hash[..].into()).collect();
        facts.add("blob_hashes", hashes);
    }
}
