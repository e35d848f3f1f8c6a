//! The fields of a transaction, and their encoding.

use alloc::vec::Vec;

use super::rlp;
use super::signature::Signature;
use crate::error::Malformed;
use crate::integer::Integer;
use crate::wire::{Reader, check_length};

/// The price of the gas, which is also the type of the transaction. Prices are in wei.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fees {
    /// Without a type, with the chain's id of EIP-155.
    Legacy {
        /// The price.
        gas_price: u128,
    },
    /// Type 1 (EIP-2930).
    AccessList {
        /// The price.
        gas_price: u128,
        /// The accounts and slots that are accessed.
        access_list: Vec<AccessListItem>,
    },
    /// Type 2 (EIP-1559).
    Dynamic {
        /// The most that goes to whoever makes the block. At most the highest price.
        max_priority_fee: u128,
        /// The highest price.
        max_fee: u128,
        /// The accounts and slots that are accessed.
        access_list: Vec<AccessListItem>,
    },
}

impl Fees {
    /// The number of the transaction's type.
    #[must_use]
    pub const fn transaction_type(&self) -> u8 {
        match self {
            Self::Legacy { .. } => 0,
            Self::AccessList { .. } => 1,
            Self::Dynamic { .. } => 2,
        }
    }

    /// The highest price of a unit of gas.
    #[must_use]
    pub const fn max_fee(&self) -> u128 {
        match self {
            Self::Legacy { gas_price } | Self::AccessList { gas_price, .. } => *gas_price,
            Self::Dynamic { max_fee, .. } => *max_fee,
        }
    }

    /// The accounts and slots that are accessed, as the transaction declares them.
    #[must_use]
    pub fn access_list(&self) -> &[AccessListItem] {
        match self {
            Self::Legacy { .. } => &[],
            Self::AccessList { access_list, .. } | Self::Dynamic { access_list, .. } => access_list,
        }
    }
}

/// An account and slots of its storage (EIP-2930).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccessListItem {
    /// The account.
    pub address: [u8; 20],
    /// The slots.
    pub slots: Vec<[u8; 32]>,
}

/// The fields of a transaction that is not yet signed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsigned {
    /// The chain (EIP-155). Not zero.
    pub chain: u64,
    /// How many transactions the account has made. Below 2⁶⁴ − 1 (EIP-2681).
    pub nonce: u64,
    /// The type, and what the gas may cost.
    pub fees: Fees,
    /// The most gas that is used.
    pub gas_limit: u64,
    /// The recipient; `None` makes a contract.
    pub to: Option<[u8; 20]>,
    /// How many wei are sent.
    pub value: Integer,
    /// The call, or the code that makes the contract.
    pub data: Vec<u8>,
}

impl Unsigned {
    pub(crate) fn check(self) -> Result<Self, Malformed> {
        let mut bytes = Vec::new();
        self.write(&mut bytes);
        check_length(bytes.len())?;
        if self.chain == 0 {
            return Err(Malformed("the id of the chain is zero"));
        }
        if self.nonce == u64::MAX {
            return Err(Malformed("no nonce is that high"));
        }
        if self.value.is_negative() {
            return Err(Malformed("the value is negative"));
        }
        match self.fees {
            Fees::Dynamic { max_priority_fee, max_fee, .. } if max_priority_fee > max_fee => {
                Err(Malformed("the priority fee is above the highest fee"))
            }
            _ => Ok(self),
        }
    }

    pub(crate) fn read(bytes: &[u8]) -> Result<Self, Malformed> {
        let mut reader = Reader::new(bytes);
        let kind = match bytes.first() {
            Some(0xc0..) => 0,
            Some(kind @ 1..=2) => {
                reader.byte()?;
                *kind
            }
            _ => return Err(Malformed("transactions of this type are unknown")),
        };
        let mut fields = rlp::list(&mut reader)?;
        reader.end()?;
        let unsigned =
            if kind == 0 { legacy(&mut fields)? } else { typed(&mut fields, kind == 1)? };
        fields.end()?;
        unsigned.check()
    }

    pub(crate) fn write(&self, to: &mut Vec<u8>) {
        let mut end = Vec::new();
        if matches!(self.fees, Fees::Legacy { .. }) {
            rlp::put_integer(&mut end, self.chain);
            rlp::put_integer(&mut end, 0_u64);
            rlp::put_integer(&mut end, 0_u64);
        }
        self.write_before(&end, to);
    }

    pub(crate) fn write_signed(&self, signature: &Signature, to: &mut Vec<u8>) {
        let end = match self.fees {
            Fees::Legacy { .. } => signature.legacy(self.chain),
            Fees::AccessList { .. } | Fees::Dynamic { .. } => signature.typed(),
        };
        self.write_before(&end, to);
    }

    /// Writes the fields that both forms have, and the last ones behind them.
    fn write_before(&self, end: &[u8], to: &mut Vec<u8>) {
        let mut fields = Vec::new();
        if !matches!(self.fees, Fees::Legacy { .. }) {
            to.push(self.fees.transaction_type());
            rlp::put_integer(&mut fields, self.chain);
        }
        rlp::put_integer(&mut fields, self.nonce);
        if let Fees::Dynamic { max_priority_fee, .. } = self.fees {
            rlp::put_integer(&mut fields, max_priority_fee);
        }
        rlp::put_integer(&mut fields, self.fees.max_fee());
        rlp::put_integer(&mut fields, self.gas_limit);
        rlp::put_string(&mut fields, self.to.as_ref().map_or(&[], |to| &to[..]));
        rlp::put_integer(&mut fields, self.value);
        rlp::put_string(&mut fields, &self.data);
        if !matches!(self.fees, Fees::Legacy { .. }) {
            put_access_list(&mut fields, self.fees.access_list());
        }
        fields.extend_from_slice(end);
        rlp::put_list(to, &fields);
    }
}

fn legacy(fields: &mut Reader<'_>) -> Result<Unsigned, Malformed> {
    let nonce = rlp::number(fields)?;
    let fees = Fees::Legacy { gas_price: rlp::wide(fields)? };
    let (gas_limit, to) = (rlp::number(fields)?, recipient(fields)?);
    let (value, data) = (rlp::integer(fields)?, rlp::string(fields)?.into());
    if fields.is_empty() {
        return Err(Malformed("it has no id of a chain: it could be repeated on every chain"));
    }
    let chain = rlp::number(fields)?;
    if rlp::string(fields)?.is_empty() && rlp::string(fields)?.is_empty() {
        Ok(Unsigned { chain, nonce, fees, gas_limit, to, value, data })
    } else {
        Err(Malformed("it has a signature already"))
    }
}

fn typed(fields: &mut Reader<'_>, is_2930: bool) -> Result<Unsigned, Malformed> {
    let (chain, nonce) = (rlp::number(fields)?, rlp::number(fields)?);
    let priority = if is_2930 { None } else { Some(rlp::wide(fields)?) };
    let (highest, gas_limit) = (rlp::wide(fields)?, rlp::number(fields)?);
    let to = recipient(fields)?;
    let (value, data) = (rlp::integer(fields)?, rlp::string(fields)?.into());
    let access_list = access_list(fields)?;
    let fees = match priority {
        None => Fees::AccessList { gas_price: highest, access_list },
        Some(max_priority_fee) => Fees::Dynamic { max_priority_fee, max_fee: highest, access_list },
    };
    Ok(Unsigned { chain, nonce, fees, gas_limit, to, value, data })
}

fn recipient(fields: &mut Reader<'_>) -> Result<Option<[u8; 20]>, Malformed> {
    match rlp::string(fields)? {
        [] => Ok(None),
        address => address.try_into().map(Some).map_err(|_| Malformed("no address is that long")),
    }
}

pub(super) fn access_list(fields: &mut Reader<'_>) -> Result<Vec<AccessListItem>, Malformed> {
    let (mut list, mut items) = (rlp::list(fields)?, Vec::new());
    while !list.is_empty() {
        let mut item = rlp::list(&mut list)?;
        let address = rlp::string(&mut item)?.try_into();
        let address = address.map_err(|_| Malformed("no address is that long"))?;
        let (mut read, mut slots) = (rlp::list(&mut item)?, Vec::new());
        item.end()?;
        while !read.is_empty() {
            let slot = rlp::string(&mut read)?.try_into();
            slots.push(slot.map_err(|_| Malformed("a slot of storage has not 32 bytes"))?);
        }
        items.push(AccessListItem { address, slots });
    }
    Ok(items)
}

pub(super) fn put_access_list(to: &mut Vec<u8>, items: &[AccessListItem]) {
    let mut list = Vec::new();
    for item in items {
        let (mut fields, mut slots) = (Vec::new(), Vec::new());
        item.slots.iter().for_each(|slot| rlp::put_string(&mut slots, slot));
        rlp::put_string(&mut fields, &item.address);
        rlp::put_list(&mut fields, &slots);
        rlp::put_list(&mut list, &fields);
    }
    rlp::put_list(to, &list);
}
