//! The fields that the later types of transactions share.

use alloc::vec::Vec;

use super::rlp;
use super::unsigned::{AccessListItem, access_list, put_access_list};
use crate::error::Malformed;
use crate::facts::Facts;
use crate::integer::Integer;
use crate::wire::{Reader, wide};

/// The fields of a transaction with blobs (EIP-4844) or delegations (EIP-7702), apart from those. It never makes a
/// contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The chain (EIP-155). Not zero.
    pub chain: u64,
    /// How many transactions the account has made. Below 2⁶⁴ − 1 (EIP-2681).
    pub nonce: u64,
    /// The most wei for a unit of gas that go to whoever makes the block. At most the highest price.
    pub max_priority_fee: u128,
    /// The highest price of a unit of gas, in wei.
    pub max_fee: u128,
    /// The most gas that is used.
    pub gas_limit: u64,
    /// The recipient.
    pub to: [u8; 20],
    /// How many wei are sent.
    pub value: Integer,
    /// The call.
    pub data: Vec<u8>,
    /// The accounts and slots that are accessed, as the transaction declares them.
    pub access_list: Vec<AccessListItem>,
}

impl Call {
    pub(super) fn check(&self) -> Result<(), Malformed> {
        if self.chain == 0 {
            return Err(Malformed("the id of the chain is zero"));
        }
        if self.nonce == u64::MAX {
            return Err(Malformed("no nonce is that high"));
        }
        if self.value.is_negative() {
            return Err(Malformed("the value is negative"));
        }
        if self.max_priority_fee > self.max_fee {
            return Err(Malformed("the priority fee is above the highest fee"));
        }
        Ok(())
    }

    pub(super) fn read(fields: &mut Reader<'_>) -> Result<Self, Malformed> {
        Ok(Self {
            chain: rlp::number(fields)?,
            nonce: rlp::number(fields)?,
            max_priority_fee: rlp::wide(fields)?,
            max_fee: rlp::wide(fields)?,
            gas_limit: rlp::number(fields)?,
            to: address(fields)?,
            value: rlp::integer(fields)?,
            data: rlp::string(fields)?.into(),
            access_list: access_list(fields)?,
        })
    }

    pub(super) fn write(&self, to: &mut Vec<u8>) {
        rlp::put_integer(to, self.chain);
        rlp::put_integer(to, self.nonce);
        rlp::put_integer(to, self.max_priority_fee);
        rlp::put_integer(to, self.max_fee);
        rlp::put_integer(to, self.gas_limit);
        rlp::put_string(to, &self.to);
        rlp::put_integer(to, self.value);
        rlp::put_string(to, &self.data);
        put_access_list(to, &self.access_list);
    }

    /// The facts that an [`EvmTransaction`](crate::Kind::EvmTransaction) has too.
    pub(super) fn add_facts(&self, transaction_type: u8, facts: &mut Facts) {
        facts.add("chain", self.chain);
        facts.add("nonce", self.nonce);
        facts.add("type", u64::from(transaction_type));
        facts.add("to", &self.to[..]);
        facts.add("value", self.value);
        facts.add("gas_limit", self.gas_limit);
        facts.add("max_fee", self.max_fee);
        facts.add("max_priority_fee", self.max_priority_fee);
        facts.add("data", &self.data[..]);
        facts.add("data_length", wide(self.data.len()));
        facts.add("access_list_length", wide(self.access_list.len()));
        if !self.data.is_empty() {
            facts.add("selector", self.data.get(..4).unwrap_or(&self.data));
        }
    }
}

/// An address, which is there.
pub(super) fn address(fields: &mut Reader<'_>) -> Result<[u8; 20], Malformed> {
    rlp::string(fields)?.try_into().map_err(|_| Malformed("no address is that long"))
}

/// The fields of a list of RLP behind a byte, and nothing else.
pub(super) fn typed(bytes: &[u8], first: u8) -> Result<Reader<'_>, Malformed> {
    let rest = bytes.strip_prefix(&[first]);
    let mut reader =
        Reader::new(rest.ok_or(Malformed("transactions of this type are another kind"))?);
    let fields = rlp::list(&mut reader)?;
    reader.end()?;
    Ok(fields)
}
