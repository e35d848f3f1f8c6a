//! Helpers of the tests: bytes as texts, and an example of each kind.
#![allow(
    dead_code,
    unreachable_pub,
    clippy::cast_possible_truncation,
    clippy::indexing_slicing,
    clippy::integer_division_remainder_used,
    clippy::unwrap_used,
    reason = "each test has its own copy"
)]

pub mod certificates;
pub mod delegations;
pub mod spends;

use quorate_purpose::comet::{BlockId, Place, Proposal, Vote, VoteExtension, VoteStep};
use quorate_purpose::evm::{AccessListItem, Fees, PersonalMessage, Transaction, Unsigned};
use quorate_purpose::{
    Hash, JwtClaims, OpaqueDigest, OpaqueMessage, Purpose, SshHash, SshSignature, SshUserAuth,
    Time, Tls13CertificateVerify, TlsRole, TypedData,
};

pub fn hex(text: &str) -> Vec<u8> {
    let digits: Vec<u8> = text
        .bytes()
        .filter(u8::is_ascii_hexdigit)
        .map(|digit| char::from(digit).to_digit(16).unwrap() as u8)
        .collect();
    assert_eq!(digits.len() % 2, 0);
    digits.chunks(2).map(|pair| pair[0] << 4 | pair[1]).collect()
}

pub fn to_hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A message of protobuf behind its length.
pub fn delimited(message: &str) -> Vec<u8> {
    let mut message = hex(message);
    assert!(message.len() < 256, "of one or two bytes");
    let length = message.len() as u8;
    let length = if length < 128 { vec![length] } else { vec![length, 1] };
    message.splice(..0, length);
    message
}

/// Bytes that count up from the first.
pub fn sequence(first: u8) -> [u8; 32] {
    core::array::from_fn(|place| first + place as u8)
}

pub const BLOCK: fn() -> BlockId =
    || BlockId { hash: sequence(0), parts: 1_000_000, parts_hash: sequence(100) };
/// 2017-12-25, 03:00:01.234.
pub const TIME: Time = Time { seconds: 1_514_170_801, nanoseconds: 234_000_000 };

pub fn place(height: u64, round: u32) -> Place {
    Place::new("test_chain_id", height, round).unwrap()
}

pub fn vote(step: VoteStep, block: Option<BlockId>) -> Vote {
    Vote::new(step, place(12_345, 2), block, TIME).unwrap()
}

/// The example of EIP-155.
pub fn eip155() -> Unsigned {
    Unsigned {
        chain: 1,
        nonce: 9,
        fees: Fees::Legacy { gas_price: 20_000_000_000 },
        gas_limit: 21_000,
        to: Some([0x35; 20]),
        value: 1_000_000_000_000_000_000_u64.into(),
        data: Vec::new(),
    }
}

pub fn access_list() -> Vec<AccessListItem> {
    vec![
        AccessListItem { address: [0xaa; 20], slots: vec![[1; 32], [2; 32]] },
        AccessListItem { address: [0xbb; 20], slots: vec![] },
    ]
}

pub fn dynamic() -> Unsigned {
    let fees = Fees::Dynamic {
        max_priority_fee: 1_000_000_000,
        max_fee: 30_000_000_000,
        access_list: access_list(),
    };
    let data = [&hex("a9059cbb")[..], &[0x11; 64]].concat();
    Unsigned { chain: 8453, fees, gas_limit: 60_000, data, ..eip155() }
}

/// The example of EIP-712.
pub const MAIL: &str = include_str!("../vectors/eip712-mail.json");

fn string(bytes: &[u8]) -> Vec<u8> {
    [&u32::try_from(bytes.len()).unwrap().to_be_bytes()[..], bytes].concat()
}

/// The bytes that an agent is given at a login, with the server's key or without.
pub fn login(user: &str, algorithm: &str, host_key: Option<&[u8]>) -> Vec<u8> {
    let key = [string(algorithm.as_bytes()), string(&[7; 32])].concat();
    let method =
        if host_key.is_some() { "publickey-hostbound-v00@openssh.com" } else { "publickey" };
    let fields = [string(user.as_bytes()), string(b"ssh-connection"), string(method.as_bytes())];
    let host_key = host_key.map(string).unwrap_or_default();
    [
        string(&[9; 32]),
        vec![50],
        fields.concat(),
        vec![1],
        string(algorithm.as_bytes()),
        string(&key),
        host_key,
    ]
    .concat()
}

/// An example of each kind, and of each of its forms.
pub fn examples() -> Vec<Purpose> {
    let legacy = eip155();
    let older = Unsigned {
        fees: Fees::AccessList { gas_price: 7, access_list: access_list() },
        to: None,
        data: vec![0x60; 60],
        ..eip155()
    };
    let claims =
        r#"{"iss":"joe","exp":1300819380,"kubernetes.io":{"namespace":"x"},"aud":["a","b"]}"#;
    vec![
        OpaqueMessage::raw(*b"hello").unwrap().into(),
        OpaqueMessage::hashed(Hash::Keccak256, *b"").unwrap().into(),
        OpaqueDigest::new(Hash::Sha384, [5; 48]).unwrap().into(),
        Transaction::new(legacy).unwrap().into(),
        Transaction::new(older).unwrap().into(),
        Transaction::new(dynamic()).unwrap().into(),
        TypedData::from_json(MAIL).unwrap().into(),
        vote(VoteStep::Prevote, Some(BLOCK())).into(),
        vote(VoteStep::Precommit, None).into(),
        Proposal::new(place(12_345, 23), None, BLOCK(), TIME).unwrap().into(),
        Proposal::new(place(12_345, 23), Some(2), BLOCK(), TIME).unwrap().into(),
        VoteExtension::new(place(1, 0), *b"signed").unwrap().into(),
        Tls13CertificateVerify::new(TlsRole::Server, [1; 32]).unwrap().into(),
        Tls13CertificateVerify::new(TlsRole::Client, [1; 48]).unwrap().into(),
        SshSignature::new("git", SshHash::Sha512([3; 64])).unwrap().into(),
        SshSignature::new("file", SshHash::Sha256([3; 32])).unwrap().into(),
        SshUserAuth::from_signed_bytes(&login("root", "ssh-ed25519", None)).unwrap().into(),
        SshUserAuth::from_signed_bytes(&login("ann", "ssh-ed448", Some(b"host"))).unwrap().into(),
        JwtClaims::new(claims, "key-1", "JWT").unwrap().into(),
        spends::bip341_key().into(),
        spends::core_script().into(),
        spends::p2wpkh().into(),
        spends::p2wsh().into(),
        certificates::certificate(certificates::CA).into(),
        certificates::certificate(certificates::EC).into(),
        certificates::crl().into(),
        delegations::authorization().into(),
        delegations::everywhere().into(),
        delegations::set_code().into(),
        delegations::blobs().into(),
        PersonalMessage::new(*b"5 tickets for Ann").unwrap().into(),
    ]
}
