//! The transaction of a request: the object of `eth_signTransaction`.

use quorate_purpose::evm::{
    AccessListItem, Authorization, BlobTransaction, Call, Fees, SetCodeTransaction,
    SignedAuthorization, Transaction, Unsigned,
};
use quorate_purpose::{Integer, Malformed};
use serde::Deserialize;

use crate::error::Error;
use crate::hex;
use crate::transaction::Prepared;

/// The fields, in the names of Ethereum's execution API. A name that is unknown or stands twice is refused.
#[derive(Deserialize, Debug)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TransactionRequest {
    /// The account, by its address.
    pub from: String,
    #[serde(rename = "type")]
    kind: Option<String>,
    chain_id: Option<String>,
    nonce: Option<String>,
    gas: Option<String>,
    gas_price: Option<String>,
    max_fee_per_gas: Option<String>,
    max_priority_fee_per_gas: Option<String>,
    to: Option<String>,
    value: Option<String>,
    data: Option<String>,
    input: Option<String>,
    access_list: Option<Vec<Accessed>>,
    max_fee_per_blob_gas: Option<String>,
    blob_versioned_hashes: Option<Vec<String>>,
    authorization_list: Option<Vec<Delegated>>,
}

#[derive(Deserialize, Debug)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Accessed {
    address: String,
    storage_keys: Vec<String>,
}

/// A delegation with its signature.
#[derive(Deserialize, Debug)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Delegated {
    chain_id: String,
    address: String,
    nonce: String,
    y_parity: String,
    r: String,
    s: String,
}

impl TransactionRequest {
    /// Reads the object.
    ///
    /// # Errors
    /// If it is not JSON, or a name is unknown, missing or twice there.
    pub fn from_json(json: &str) -> Result<Self, Error> {
        serde_json::from_str(json).map_err(|why| Error::params(why.to_string()))
    }

    /// The transaction, on this chain if the request has none.
    ///
    /// # Errors
    /// If a field is malformed, missing, or does not belong to the type.
    pub fn prepare(&self, chain: Option<u64>) -> Result<Prepared, Error> {
        let kind = self.kind()?;
        self.check_fields(kind)?;
        match kind {
            0..=2 => {
                Ok(Prepared::Plain(Transaction::new(self.unsigned(kind, chain)?).map_err(of)?))
            }
            3 => {
                let fee =
                    field("maxFeePerBlobGas", self.max_fee_per_blob_gas.as_deref(), hex::quantity)?;
                let hashes = self.blob_versioned_hashes.iter().flatten();
                let hashes = hashes.map(|hash| hex::fixed("blobVersionedHashes", hash));
                let new =
                    BlobTransaction::new(self.call(chain)?, fee, hashes.collect::<Result<_, _>>()?);
                Ok(Prepared::Blobs(new.map_err(of)?))
            }
            4 => {
                let list = self.authorization_list.iter().flatten().map(Delegated::read);
                let new =
                    SetCodeTransaction::new(self.call(chain)?, list.collect::<Result<_, _>>()?);
                Ok(Prepared::SetCode(new.map_err(of)?))
            }
            _ => Err(Error::params("type: transactions of this type are unknown")),
        }
    }

    /// The type, or the one that the other fields belong to.
    fn kind(&self) -> Result<u64, Error> {
        if let Some(kind) = &self.kind {
            return hex::number("type", kind);
        }
        Ok(if self.authorization_list.is_some() {
            4
        } else if self.blob_versioned_hashes.is_some() {
            3
        } else if self.max_fee_per_gas.is_some() || self.max_priority_fee_per_gas.is_some() {
            2
        } else {
            u64::from(self.access_list.is_some())
        })
    }

    /// Refuses fields that a transaction of the type has not: they would be dropped.
    fn check_fields(&self, kind: u64) -> Result<(), Error> {
        let fields = [
            ("gasPrice", self.gas_price.is_some(), 0..=1),
            ("maxFeePerGas", self.max_fee_per_gas.is_some(), 2..=4),
            ("maxPriorityFeePerGas", self.max_priority_fee_per_gas.is_some(), 2..=4),
            ("accessList", self.access_list.is_some(), 1..=4),
            ("maxFeePerBlobGas", self.max_fee_per_blob_gas.is_some(), 3..=3),
            ("blobVersionedHashes", self.blob_versioned_hashes.is_some(), 3..=3),
            ("authorizationList", self.authorization_list.is_some(), 4..=4),
        ];
        match fields.iter().find(|(_, is_there, kinds)| *is_there && !kinds.contains(&kind)) {
            Some((name, ..)) => Err(Error::params(format!("{name}: no field of type {kind}"))),
            None => Ok(()),
        }
    }

    fn unsigned(&self, kind: u64, chain: Option<u64>) -> Result<Unsigned, Error> {
        let price = |name, value: &Option<String>| field(name, value.as_deref(), hex::wide);
        let gas_price = || price("gasPrice", &self.gas_price);
        let fees = match kind {
            0 => Fees::Legacy { gas_price: gas_price()? },
            1 => Fees::AccessList { gas_price: gas_price()?, access_list: self.access_list()? },
            _ => Fees::Dynamic {
                max_priority_fee: price("maxPriorityFeePerGas", &self.max_priority_fee_per_gas)?,
                max_fee: price("maxFeePerGas", &self.max_fee_per_gas)?,
                access_list: self.access_list()?,
            },
        };
        Ok(Unsigned {
            chain: self.chain(chain)?,
            nonce: field("nonce", self.nonce.as_deref(), hex::number)?,
            fees,
            gas_limit: field("gas", self.gas.as_deref(), hex::number)?,
            to: self.to.as_deref().map(|to| hex::address("to", to)).transpose()?,
            value: self.value()?,
            data: self.data()?,
        })
    }

    fn call(&self, chain: Option<u64>) -> Result<Call, Error> {
        let Unsigned { chain, nonce, fees, gas_limit, to, value, data } =
            self.unsigned(2, chain)?;
        let to = to.ok_or_else(|| Error::params("to: this type makes no contract"))?;
        let Fees::Dynamic { max_priority_fee, max_fee, access_list } = fees else {
            return Err(Error::params("maxFeePerGas is missing"));
        };
        Ok(Call {
            chain,
            nonce,
            max_priority_fee,
            max_fee,
            gas_limit,
            to,
            value,
            data,
            access_list,
        })
    }

    fn chain(&self, own: Option<u64>) -> Result<u64, Error> {
        match (&self.chain_id, own) {
            (Some(chain), _) => hex::number("chainId", chain),
            (None, Some(own)) => Ok(own),
            (None, None) => Err(Error::params("chainId is missing")),
        }
    }

    fn value(&self) -> Result<Integer, Error> {
        self.value.as_deref().map_or(Ok(Integer::ZERO), |value| hex::quantity("value", value))
    }

    /// The data, which has two names. Under both it has to be the same.
    fn data(&self) -> Result<Vec<u8>, Error> {
        let read = |name, text: &Option<String>| {
            text.as_deref().map(|text| hex::data(name, text)).transpose()
        };
        match (read("data", &self.data)?, read("input", &self.input)?) {
            (Some(data), Some(input)) if data != input => {
                Err(Error::params("data and input differ"))
            }
            (data, input) => Ok(data.or(input).unwrap_or_default()),
        }
    }

    fn access_list(&self) -> Result<Vec<AccessListItem>, Error> {
        let item = |item: &Accessed| {
            let slots = item.storage_keys.iter().map(|key| hex::fixed("storageKeys", key));
            let address = hex::address("accessList", &item.address)?;
            Ok(AccessListItem { address, slots: slots.collect::<Result<_, _>>()? })
        };
        self.access_list.iter().flatten().map(item).collect()
    }
}

impl Delegated {
    fn read(&self) -> Result<SignedAuthorization, Error> {
        let Self { chain_id, address, nonce, y_parity, r, s } = self;
        let chain = hex::quantity("authorizationList.chainId", chain_id)?;
        let address = hex::address("authorizationList.address", address)?;
        let nonce = hex::number("authorizationList.nonce", nonce)?;
        let y_parity = u8::try_from(hex::number("authorizationList.yParity", y_parity)?);
        Ok(SignedAuthorization {
            authorization: Authorization::new(chain, address, nonce).map_err(of)?,
            y_parity: y_parity
                .map_err(|_| Error::params("authorizationList.yParity: expected 8 bits"))?,
            r: hex::integer("authorizationList.r", r)?,
            s: hex::integer("authorizationList.s", s)?,
        })
    }
}

/// A field that has to be there.
fn field<T>(
    name: &str,
    value: Option<&str>,
    read: impl Fn(&str, &str) -> Result<T, Error>,
) -> Result<T, Error> {
    read(name, value.ok_or_else(|| Error::params(format!("{name} is missing")))?)
}

fn of(malformed: Malformed) -> Error {
    Error::params(malformed.to_string())
}
