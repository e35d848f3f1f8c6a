//! Delegations of an account to a contract.

use alloc::vec::Vec;

use super::call::{address, typed};
use super::rlp;
use crate::body::Body;
use crate::error::Malformed;
use crate::facts::Facts;
use crate::integer::Integer;
use crate::kind::Kind;
use crate::message::{Hash, KeyKind, Message};
use crate::wire::Reader;

/// The byte that stands before what is signed.
const MAGIC: u8 = 5;

/// The delegation of an account to the code of a contract (EIP-7702): whoever calls the account runs that code, with all that
/// the account owns, until another delegation replaces it.
///
/// A key that signs this hands over its account. Allow known contracts on known chains, and nothing else.
///
/// The body is what wallets hash: `0x05` and the RLP of chain, address and nonce. Facts: `chain`, or `every_chain` if the
/// delegation holds on every chain (`chain` is absent then), `delegate` (the contract), `revokes` (the zero address ends a
/// delegation), `nonce` (of the account).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Authorization {
    chain: Integer,
    delegate: [u8; 20],
    nonce: u64,
}

impl Authorization {
    /// The delegation to a contract on a chain; 0 is every chain. The nonce is that of the account.
    ///
    /// # Errors
    /// If the chain is negative, or the nonce is 2⁶⁴ − 1.
    pub fn new(
        chain: impl Into<Integer>,
        delegate: [u8; 20],
        nonce: u64,
    ) -> Result<Self, Malformed> {
        let new = Self { chain: chain.into(), delegate, nonce };
        if new.chain.is_negative() {
            return Err(Malformed("the id of the chain is negative"));
        }
        if nonce == u64::MAX {
            return Err(Malformed("no nonce is that high"));
        }
        Ok(new)
    }

    /// Reads the bytes that wallets hash.
    ///
    /// # Errors
    /// If they are not the one encoding of a delegation.
    pub fn from_unsigned_bytes(bytes: &[u8]) -> Result<Self, Malformed> {
        let mut fields = typed(bytes, MAGIC)?;
        let new = Self::read_fields(&mut fields)?;
        fields.end()?;
        Ok(new)
    }

    pub(super) fn read_fields(fields: &mut Reader<'_>) -> Result<Self, Malformed> {
        let chain = rlp::integer(fields)?;
        Self::new(chain, address(fields)?, rlp::number(fields)?)
    }

    pub(super) fn write_fields(&self, to: &mut Vec<u8>) {
        rlp::put_integer(to, self.chain);
        rlp::put_string(to, &self.delegate);
        rlp::put_integer(to, self.nonce);
    }

    /// The bytes that wallets hash.
    #[must_use]
    pub fn unsigned_bytes(&self) -> Vec<u8> {
        let (mut fields, mut bytes) = (Vec::new(), alloc::vec![MAGIC]);
        self.write_fields(&mut fields);
        rlp::put_list(&mut bytes, &fields);
        bytes
    }

    /// The chain; 0 is every chain.
    #[must_use]
    pub const fn chain(&self) -> Integer {
        self.chain
    }

    /// The contract whose code runs; the zero address ends a delegation.
    #[must_use]
    pub const fn delegate(&self) -> [u8; 20] {
        self.delegate
    }

    /// The account's nonce.
    #[must_use]
    pub const fn nonce(&self) -> u64 {
        self.nonce
    }

    pub(super) fn is_for_every_chain(&self) -> bool {
        self.chain == Integer::ZERO
    }
}

impl Body for Authorization {
    const KIND: Kind = Kind::EvmAuthorization;

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
        facts.add("every_chain", self.is_for_every_chain());
        if !self.is_for_every_chain() {
            facts.add("chain", self.chain);
        }
        facts.add("delegate", &self.delegate[..]);
        facts.add("revokes", self.delegate == [0; 20]);
        facts.add("nonce", self.nonce);
    }
}
