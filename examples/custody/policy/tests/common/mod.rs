//! Helpers of the tests: requests, and purposes of the kinds that policies are tried with.
#![allow(
    dead_code,
    unreachable_pub,
    clippy::cast_possible_truncation,
    clippy::indexing_slicing,
    clippy::integer_division_remainder_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "each test has its own copy"
)]

use std::collections::BTreeMap;

use custody_policy::{
    Action, Caller, Context, Decision, KeyFacts, MemoryWindows, Policies, Policy, Unavailable,
    Windows,
};
use quorate_purpose::evm::{Fees, Transaction, Unsigned};
use quorate_purpose::{Facts, Integer, Purpose, TypedData};

pub const NOW: i64 = 1_800_000_000;

pub fn load(text: &str) -> Policies {
    Policies::load([("test.cedar", text)]).unwrap()
}

pub fn load_error(text: &str) -> String {
    Policies::load([("test.cedar", text)]).unwrap_err().to_string()
}

/// A permit with this action and condition.
pub fn permit(action: &str, condition: &str) -> Policies {
    load(&permit_text(action, condition))
}

pub fn permit_text(action: &str, condition: &str) -> String {
    format!(
        r#"@id("p") permit (principal, action == Action::"{action}", resource) when {{ {condition} }};"#
    )
}

/// A request that a test alters.
pub struct Ask<'a> {
    pub caller: Caller<'a>,
    pub approvers: Vec<Caller<'a>>,
    pub action: Action,
    pub scope: &'a str,
    pub labels: BTreeMap<String, String>,
    pub facts: Facts,
    pub child: Option<&'a str>,
    pub merkle_root: Option<[u8; 32]>,
    pub on_behalf: Option<&'a str>,
    pub signature_context: &'a [u8],
    pub now: i64,
}

pub fn caller(name: &str) -> Caller<'_> {
    Caller { name, key: name.as_bytes(), roles: &["request", "approve"] }
}

impl<'a> Ask<'a> {
    pub fn sign(purpose: &Purpose) -> Self {
        Self { facts: purpose.facts(), ..Self::change(Action::Sign(purpose.kind())) }
    }

    pub fn change(action: Action) -> Self {
        Self {
            caller: caller("treasurer"),
            approvers: Vec::new(),
            action,
            scope: "treasury",
            labels: BTreeMap::new(),
            facts: Facts::default(),
            child: None,
            merkle_root: None,
            on_behalf: None,
            signature_context: &[],
            now: NOW,
        }
    }

    pub fn scope(self, scope: &'a str) -> Self {
        Self { scope, ..self }
    }

    pub fn by(self, name: &'a str) -> Self {
        Self { caller: caller(name), ..self }
    }

    pub fn approved(self, names: &[&'a str]) -> Self {
        Self { approvers: names.iter().map(|name| caller(name)).collect(), ..self }
    }

    pub fn at(self, now: i64) -> Self {
        Self { now, ..self }
    }

    pub fn decide(&self, policies: &Policies) -> Decision {
        self.decide_with(policies, &MemoryWindows::default())
    }

    pub fn decide_with(&self, policies: &Policies, windows: &dyn Windows) -> Decision {
        policies.decide(&Context {
            caller: self.caller,
            approvers: &self.approvers,
            action: self.action,
            key: KeyFacts {
                id: "5f",
                scheme: "ecdsa-secp256k1",
                scope: self.scope,
                labels: &self.labels,
                purposes: &["evm-transaction"],
            },
            facts: &self.facts,
            child: self.child,
            merkle_root: self.merkle_root,
            on_behalf: self.on_behalf,
            signature_context: self.signature_context,
            now: self.now,
            deadline: self.now + 60,
            windows,
        })
    }
}

/// Counters that cannot be read.
pub struct Broken;

impl Windows for Broken {
    fn slots(&self, _: &str) -> Result<Vec<(i64, Integer)>, Unavailable> {
        Err(Unavailable("the ledger is away".into()))
    }
}

pub fn hex(text: &str) -> Vec<u8> {
    let digits: Vec<u8> =
        text.chars().filter_map(|digit| digit.to_digit(16)).map(|digit| digit as u8).collect();
    digits.chunks(2).map(|pair| pair[0] << 4 | pair[1]).collect()
}

/// A word of a call: 32 bytes that end with these.
pub fn word(bytes: &[u8]) -> Vec<u8> {
    [&vec![0; 32 - bytes.len()][..], bytes].concat()
}

pub fn integer(text: &str) -> Integer {
    text.parse().unwrap()
}

pub const FRIEND: [u8; 20] = [0x35; 20];
pub const STRANGER: [u8; 20] = [0x66; 20];
pub const ETHER: &str = "1000000000000000000";

pub fn fields(to: [u8; 20], value: &str, data: Vec<u8>) -> Unsigned {
    Unsigned {
        chain: 1,
        nonce: 9,
        fees: Fees::Legacy { gas_price: 20_000_000_000 },
        gas_limit: 60_000,
        to: Some(to),
        value: integer(value),
        data,
    }
}

pub fn transaction(to: [u8; 20], value: &str, data: Vec<u8>) -> Purpose {
    Transaction::new(fields(to, value, data)).unwrap().into()
}

/// Typed data of one struct over the domain of a contract on chain 1, with fields of name, type and value in JSON.
pub fn typed(contract: &str, primary: &str, fields: &[(&str, &str, &str)]) -> Purpose {
    let types: Vec<String> = fields
        .iter()
        .map(|(name, of, _)| format!(r#"{{"name":"{name}","type":"{of}"}}"#))
        .collect();
    let values: Vec<String> =
        fields.iter().map(|(name, _, value)| format!(r#""{name}":{value}"#)).collect();
    let json = format!(
        r#"{{"types":{{"EIP712Domain":[{{"name":"chainId","type":"uint256"}},{{"name":"verifyingContract","type":"address"}}],
        "{primary}":[{}]}},"primaryType":"{primary}","domain":{{"chainId":1,"verifyingContract":"{contract}"}},"message":{{{}}}}}"#,
        types.join(","),
        values.join(",")
    );
    TypedData::from_json(&json).unwrap().into()
}

pub const SAFE: &str = "0x5afe5afe5afe5afe5afe5afe5afe5afe5afe5afe";
pub const USDC: &str = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";

pub fn text_of(bytes: &[u8]) -> String {
    let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("0x{digits}")
}

/// A transaction of the Safe.
pub fn safe_tx(to: &str, value: &str, data: &[u8], operation: u8) -> Purpose {
    let zero = format!("\"0x{}\"", "00".repeat(20));
    let (to, value, data) =
        (format!("{to:?}"), format!("{value:?}"), format!("{:?}", text_of(data)));
    typed(
        SAFE,
        "SafeTx",
        &[
            ("to", "address", &to),
            ("value", "uint256", &value),
            ("data", "bytes", &data),
            ("operation", "uint8", &operation.to_string()),
            ("safeTxGas", "uint256", "0"),
            ("baseGas", "uint256", "0"),
            ("gasPrice", "uint256", "0"),
            ("gasToken", "address", &zero),
            ("refundReceiver", "address", &zero),
            ("nonce", "uint256", "7"),
        ],
    )
}

/// A permit of USDC.
pub fn token_permit(spender: &str, value: &str, deadline: &str) -> Purpose {
    let quoted = |text: &str| format!("{text:?}");
    typed(
        USDC,
        "Permit",
        &[
            ("owner", "address", &quoted(&text_of(&[7; 20]))),
            ("spender", "address", &quoted(spender)),
            ("value", "uint256", &quoted(value)),
            ("nonce", "uint256", "0"),
            ("deadline", "uint256", &quoted(deadline)),
        ],
    )
}

/// A file of `policies`.
pub fn shipped(name: &str) -> String {
    let path = format!("{}/../policies/{name}.cedar", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).unwrap()
}

/// Purposes of every kind and form: the examples of `quorate-purpose`.
pub fn examples() -> Vec<(String, Purpose)> {
    include_str!("../../../../../crates/purpose/tests/golden/v1/purposes.hex")
        .lines()
        .filter_map(|line| line.split_once(' '))
        .map(|(name, bytes)| (name.into(), Purpose::from_bytes(&hex(bytes)).unwrap()))
        .collect()
}
