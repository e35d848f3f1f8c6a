//! Transactions that carry delegations.

use alloc::vec::Vec;

use super::authorization::Authorization;
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

const TYPE: u8 = 4;

/// A delegation with the signature of the account that delegates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SignedAuthorization {
    /// The delegation.
    pub authorization: Authorization,
    /// The parity of the point's second coordinate.
    pub y_parity: u8,
    /// The signature's first number.
    pub r: Integer,
    /// The signature's second number.
    pub s: Integer,
}

/// A transaction that puts delegations of accounts into force (EIP-7702), type 4.
///
/// The delegations are signed by the accounts that delegate, which may be others than the sender. The sender pays for them,
/// and its call runs after they are in force.
///
/// The body is what wallets hash: the type and the RLP of the fields.
///
/// Facts: those of an [`evm-transaction`](crate::evm::Transaction), `delegations` (how many), and lists in their order:
/// `delegates` (the contracts), `delegation_chains` (0 is every chain), `delegation_nonces`; `every_chain` says that one
/// holds on every chain. The accounts that delegate are not in it: only their signatures tell them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetCodeTransaction {
    call: Call,
    authorizations: Vec<SignedAuthorization>,
}

impl SetCodeTransaction {
    /// A transaction with these delegations.
    ///
    /// # Errors
    /// If a field is out of range, or there is no delegation.
    pub fn new(call: Call, authorizations: Vec<SignedAuthorization>) -> Result<Self, Malformed> {
        let new = Self { call, authorizations };
        new.check()?;
        Ok(new)
    }

    /// Reads the bytes that wallets hash.
    ///
    /// # Errors
    /// If they are not the one encoding of a transaction of type 4.
    pub fn from_unsigned_bytes(bytes: &[u8]) -> Result<Self, Malformed> {
        let mut fields = typed(bytes, TYPE)?;
        let call = Call::read(&mut fields)?;
        let mut list = rlp::list(&mut fields)?;
        fields.end()?;
        let mut authorizations = Vec::new();
        while !list.is_empty() {
            authorizations.push(signed(&mut rlp::list(&mut list)?)?);
        }
        Self::new(call, authorizations)
    }

    fn check(&self) -> Result<(), Malformed> {
        self.call.check()?;
        if self.authorizations.is_empty() {
            return Err(Malformed("the transaction has no delegation"));
        }
        let numbers = self.authorizations.iter().flat_map(|each| [each.r, each.s]);
        if numbers.clone().any(|number| number.is_negative()) {
            return Err(Malformed("a number of a signature is negative"));
        }
        check_length(self.unsigned_bytes().len())
    }

    /// The bytes that wallets hash.
    #[must_use]
    pub fn unsigned_bytes(&self) -> Vec<u8> {
        self.bytes_before(&[])
    }

    /// The bytes that a node takes (`eth_sendRawTransaction`), with the signature of [`unsigned_bytes`](Self::unsigned_bytes).
    #[must_use]
    pub fn signed_bytes(&self, signature: &Signature) -> Vec<u8> {
        self.bytes_before(&signature.typed())
    }

    /// The fields that both forms have, and the last ones behind them.
    fn bytes_before(&self, end: &[u8]) -> Vec<u8> {
        let (mut fields, mut list) = (Vec::new(), Vec::new());
        self.call.write(&mut fields);
        for SignedAuthorization { authorization, y_parity, r, s } in &self.authorizations {
            let mut item = Vec::new();
            authorization.write_fields(&mut item);
            rlp::put_integer(&mut item, u64::from(*y_parity));
            rlp::put_integer(&mut item, *r);
            rlp::put_integer(&mut item, *s);
            rlp::put_list(&mut list, &item);
        }
        rlp::put_list(&mut fields, &list);
        fields.extend_from_slice(end);
        let mut bytes = alloc::vec![TYPE];
        rlp::put_list(&mut bytes, &fields);
        bytes
    }

    /// The fields apart from the delegations.
    #[must_use]
    pub const fn call(&self) -> &Call {
        &self.call
    }

    /// The delegations.
    #[must_use]
    pub fn authorizations(&self) -> &[SignedAuthorization] {
        &self.authorizations
    }
}

fn signed(item: &mut Reader<'_>) -> Result<SignedAuthorization, Malformed> {
    let authorization = Authorization::read_fields(item)?;
    let y_parity = u8::try_from(rlp::number(item)?);
    let y_parity = y_parity.map_err(|_| Malformed("a parity has more than 8 bits"))?;
    let (r, s) = (rlp::integer(item)?, rlp::integer(item)?);
    if !item.is_empty() {
        return Err(Malformed("bytes follow the end"));
    }
    Ok(SignedAuthorization { authorization, y_parity, r, s })
}

impl Body for SetCodeTransaction {
    const KIND: Kind = Kind::EvmSetCode;

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
        let each = || self.authorizations.iter().map(|signed| &signed.authorization);
        facts.add("delegations", wide(self.authorizations.len()));
        facts.add("every_chain", each().any(Authorization::is_for_every_chain));
        facts.add("delegates", each().map(|it| it.delegate()[..].into()).collect::<Vec<Value>>());
        facts.add("delegation_chains", each().map(|it| it.chain().into()).collect::<Vec<Value>>());
        facts.add("delegation_nonces", each().map(|it| it.nonce().into()).collect::<Vec<Value>>());
    }
}
