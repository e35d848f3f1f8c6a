//! A transfer of Tron: SHA-256 of `raw_data`, and a signature in which the sender is found.

use bitcoin::base58;
use bitcoin::secp256k1::PublicKey;
use quorate_purpose::{Hash, Kind, OpaqueMessage};
use sha2::{Digest as _, Sha256};

use super::{Service, account, recovered};

/// The byte in front of every address.
const MAIN: u8 = 0x41;

/// A field of protobuf with a length.
fn bytes(number: u8, content: &[u8]) -> Vec<u8> {
    [&[number << 3 | 2, u8::try_from(content.len()).unwrap()], content].concat()
}

/// A field of protobuf with a number.
fn number(number: u8, mut value: u64) -> Vec<u8> {
    let mut field = vec![number << 3];
    while value >= 0x80 {
        field.push(value as u8 | 0x80);
        value >>= 7;
    }
    field.push(value as u8);
    field
}

/// `Transaction.raw` with a `TransferContract` of 1 TRX.
fn raw_data(from: [u8; 21], to: [u8; 21]) -> Vec<u8> {
    let transfer = [bytes(1, &from), bytes(2, &to), number(3, 1_000_000)].concat();
    let url = b"type.googleapis.com/protocol.TransferContract";
    let any = [bytes(1, url), bytes(2, &transfer)].concat();
    let contract = [number(1, 1), bytes(2, &any)].concat();
    let block = [bytes(1, &[0xab, 0xcd]), bytes(4, &[7; 8])].concat();
    let (expiration, timestamp) = (number(8, 1_800_000_060_000), number(14, 1_800_000_000_000));
    [block, expiration, bytes(11, &contract), timestamp].concat()
}

fn address(key: &PublicKey) -> [u8; 21] {
    let mut address = [MAIN; 21];
    address[1..].copy_from_slice(&account(key));
    address
}

#[tokio::test(flavor = "multi_thread")]
async fn sender_of_a_transfer_is_found_in_its_signature() {
    let service = Service::start("acceptance-tron", "ecdsa-secp256k1", Kind::OpaqueMessage).await;
    let own = PublicKey::from_slice(&service.describe("m").await.public_key).unwrap();
    let raw = raw_data(address(&own), [MAIN; 21]);
    let purpose = OpaqueMessage::hashed(Hash::Sha256, &raw[..]).unwrap();
    let made = service.sign(purpose, "m").await;
    let sender = address(&recovered(Sha256::digest(&raw).into(), &made));
    assert!(raw.windows(21).any(|part| part == sender), "the owner in the contract");
    let text = base58::encode_check(&sender);
    assert!(text.starts_with('T') && text.len() == 34, "{text}");
    assert_eq!(base58::decode_check(&text).unwrap(), address(&own));
    // Another digest is another sender's.
    assert_ne!(address(&recovered(Sha256::digest(b"other").into(), &made)), sender);
}
