//! A transaction as a purpose.

use alloc::vec::Vec;

use super::signature::Signature;
use super::unsigned::{Fees, Unsigned};
use crate::body::Body;
use crate::error::Malformed;
use crate::facts::Facts;
use crate::kind::Kind;
use crate::message::{Hash, KeyKind, Message};
use crate::wire::wide;

/// A transaction of an EVM chain: legacy with the id of its chain (EIP-155), EIP-2930 or EIP-1559.
///
/// The body is what wallets hash: the RLP of the fields, behind the type if there is one. A transaction without a chain, or
/// of another type, is refused: blobs (EIP-4844) and delegations of an account (EIP-7702) are kinds of their own.
///
/// Facts: `chain`, `nonce`, `type`, `to`, `contract_creation`, `value`, `gas_limit`, `max_fee` (the gas price in the older
/// types), `max_priority_fee`, `data`, `data_length`, `selector` (of a call: its first four bytes, or fewer if it has no more),
/// `access_list_length`. A plain payment has no `selector`. A call of one to three bytes reaches code as any other does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transaction(Unsigned);

impl Transaction {
    /// A transaction of these fields.
    ///
    /// # Errors
    /// If a field is out of the range that its documentation gives.
    pub fn new(fields: Unsigned) -> Result<Self, Malformed> {
        fields.check().map(Self)
    }

    /// Reads the bytes that wallets hash; `encoded_for_signing` in alloy, `unsignedSerialized` in ethers.
    ///
    /// # Errors
    /// If they are not the one encoding of a transaction.
    pub fn from_unsigned_bytes(bytes: &[u8]) -> Result<Self, Malformed> {
        Unsigned::read(bytes).map(Self)
    }

    /// The bytes that wallets hash.
    #[must_use]
    pub fn unsigned_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.0.write(&mut bytes);
        bytes
    }

    /// The bytes that a node takes (`eth_sendRawTransaction`), with the signature of [`unsigned_bytes`](Self::unsigned_bytes).
    #[must_use]
    pub fn signed_bytes(&self, signature: &Signature) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.0.write_signed(signature, &mut bytes);
        bytes
    }

    /// The fields.
    #[must_use]
    pub const fn fields(&self) -> &Unsigned {
        &self.0
    }
}

impl Body for Transaction {
    const KIND: Kind = Kind::EvmTransaction;

    fn read(body: &[u8]) -> Result<Self, Malformed> {
        Self::from_unsigned_bytes(body)
    }

    fn write(&self, to: &mut Vec<u8>) {
        self.0.write(to);
    }

    fn signed(&self, key: KeyKind) -> Option<Message> {
        (key == KeyKind::EcdsaSecp256k1)
            .then(|| Message::Hashed { hash: Hash::Keccak256, bytes: self.unsigned_bytes() })
    }

    fn add_facts(&self, facts: &mut Facts) {
        let Unsigned { chain, nonce, fees, gas_limit, to, value, data } = &self.0;
        facts.add("chain", *chain);
        facts.add("nonce", *nonce);
        facts.add("type", u64::from(fees.transaction_type()));
        facts.add("contract_creation", to.is_none());
        facts.add("value", *value);
        facts.add("gas_limit", *gas_limit);
        facts.add("max_fee", fees.max_fee());
        if let Fees::Dynamic { max_priority_fee, .. } = fees {
            facts.add("max_priority_fee", *max_priority_fee);
        }
        facts.add("data", &data[..]);
        facts.add("data_length", wide(data.len()));
        facts.add("access_list_length", wide(fees.access_list().len()));
        if let Some(to) = to {
            facts.add("to", &to[..]);
            if !data.is_empty() {
                facts.add("selector", data.get(..4).unwrap_or(data));
            }
        }
    }
}
