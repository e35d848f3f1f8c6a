//! Delegations (EIP-7702) and blobs (EIP-4844): digests of go-ethereum, viem, EDR and a public chain, and what is refused.
//!
//! The signatures of the transactions recover to their known senders from the digests here; so do those of go-ethereum's
//! two delegations.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

mod common;

use common::delegations::*;
use common::*;
use quorate_purpose::evm::{
    Authorization, BlobTransaction, Call, SetCodeTransaction, SignedAuthorization, Transaction,
};
use quorate_purpose::*;

fn digest(purpose: impl Into<Purpose>) -> String {
    let purpose = purpose.into();
    for key in KeyKind::ALL {
        assert_eq!(purpose.message(key).is_ok(), key == KeyKind::EcdsaSecp256k1, "{key:?}");
    }
    let message = purpose.message(KeyKind::EcdsaSecp256k1).unwrap();
    to_hex(&message.ecdsa_digest().unwrap())
}

#[test]
fn delegations_have_the_hashes_of_viem() {
    assert_eq!(
        digest(authorization()),
        "5919da563810a99caf657d42bd10905adbd28b3b89b8a4577efa471e5e4b3914"
    );
    assert_eq!(
        digest(everywhere()),
        "70f22b957bc18cbaa757a12cc3e5fa5268b98b24afe15a35a76e6874748a8bfa"
    );
    let contract = hex("fba3912ca04dd458c843e2ee08967fc04f3579c2").try_into().unwrap();
    assert_eq!(
        digest(Authorization::new(69_u64, contract, 420).unwrap()),
        "9aeacccc1b8571dfc4fb4ba734dbde6e94d6c0188484413585144a755c359aac"
    );
}

/// The signatures in the transaction recover to 0x71562b71999873db5b286df957af199ec94617f7 and
/// 0x703c4b2bd70c169f5717101caee543299fc946c7.
#[test]
fn delegations_of_go_ethereum_have_the_hashes_that_their_accounts_signed() {
    let hashes = [
        "c7f3c5ca924520c5319d699d0933eb578d918b01a8dbabbb5228468c0520e97c",
        "3bb49fcf9dbc174fc6fa1fd2276ab7ae2dbc6dff2b35cc96b3f30873388dc17c",
    ];
    let transaction = set_code();
    for (signed, hash) in transaction.authorizations().iter().zip(hashes) {
        assert_eq!(digest(signed.authorization), hash);
    }
}

/// The senders are 0x71562b71999873db5b286df957af199ec94617f7, 0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc and
/// 0xa83c816d4f9b2783761a22ba6fadb0eb0606d7b2.
#[test]
fn transactions_have_the_hashes_that_their_senders_signed() {
    assert_eq!(
        digest(set_code()),
        "d78c17d49c5fd456c88a69b144774553806ec07a9339689adfbfc1d55ec3ae13"
    );
    assert_eq!(
        digest(SetCodeTransaction::from_unsigned_bytes(&hex(EDR)).unwrap()),
        "b6dac2e4c90df50e369a1a7ea6ff8fbf001bbc79d95c6c9fbe3afbd6680ee881"
    );
    assert_eq!(digest(blobs()), "1acf60247481a7d9b8bea78b62af1db72d9034c50b9f3bf99daec97a98075e87");
    assert_eq!(to_hex(&set_code().unsigned_bytes()), GETH);
    assert_eq!(to_hex(&blobs().unsigned_bytes()), SEPOLIA);
}

#[test]
fn facts_of_a_delegation_name_the_contract_and_the_chain() {
    let facts = Purpose::from(authorization()).facts();
    assert_eq!(facts.text("purpose"), Some("evm-authorization"));
    assert_eq!(facts.integer("chain"), Some(&1_u64.into()));
    assert_eq!(facts.integer("nonce"), Some(&40_u64.into()));
    assert_eq!(facts.bytes("delegate"), Some(&contract()[..]));
    assert!(!facts.is_true("every_chain") && !facts.is_true("revokes"));
    let everywhere = Purpose::from(everywhere()).facts();
    assert!(everywhere.is_true("every_chain"));
    assert_eq!(everywhere.get("chain"), None, "a rule for one chain must not hold");
    let end = Purpose::from(Authorization::new(1_u64, [0; 20], 1).unwrap()).facts();
    assert!(end.is_true("revokes"));
}

fn list(facts: &Facts, name: &str) -> Vec<String> {
    match facts.get(name) {
        Some(Value::List(values)) => values.iter().map(ToString::to_string).collect(),
        other => unreachable!("{name}: {other:?}"),
    }
}

#[test]
fn facts_of_a_transaction_with_delegations_or_blobs() {
    let facts = Purpose::from(set_code()).facts();
    let integer = |facts: &Facts, name| facts.integer(name).and_then(Integer::to_u128);
    assert_eq!(facts.text("purpose"), Some("evm-set-code"));
    assert_eq!((integer(&facts, "chain"), integer(&facts, "type")), (Some(1337), Some(4)));
    assert_eq!(integer(&facts, "delegations"), Some(2));
    assert!(facts.is_true("every_chain"));
    let zeros = "0".repeat(36);
    assert_eq!(list(&facts, "delegates"), [format!("0x{zeros}aaaa"), format!("0x{zeros}bbbb")]);
    assert_eq!(list(&facts, "delegation_chains"), ["1337", "0"]);
    assert_eq!(list(&facts, "delegation_nonces"), ["1", "0"]);
    assert_eq!(facts.bytes("to"), Some(&hex("71562b71999873db5b286df957af199ec94617f7")[..]));
    let facts = Purpose::from(blobs()).facts();
    assert_eq!(facts.text("purpose"), Some("evm-blobs"));
    assert_eq!((integer(&facts, "chain"), integer(&facts, "type")), (Some(11_155_111), Some(3)));
    assert_eq!(
        (integer(&facts, "nonce"), integer(&facts, "gas_limit")),
        (Some(4002), Some(21_000))
    );
    assert_eq!(integer(&facts, "max_fee"), Some(200_000_000_000));
    assert_eq!(integer(&facts, "max_priority_fee"), Some(2_000_000_000));
    assert_eq!(integer(&facts, "max_blob_fee"), Some(20_000_000_000));
    assert_eq!(integer(&facts, "blobs"), Some(5));
    assert_eq!(list(&facts, "blob_hashes").len(), 5);
    assert_eq!(facts.get("selector"), None);
    let call = Call { data: vec![1, 2, 3], ..set_code().call().clone() };
    let short = SetCodeTransaction::new(call, set_code().authorizations().to_vec()).unwrap();
    assert_eq!(Purpose::from(short).facts().bytes("selector"), Some(&[1, 2, 3][..]));
}

/// A key that is bound to transactions never delegates its account.
#[test]
fn a_plain_transaction_is_no_delegation_and_a_delegation_no_plain_transaction() {
    for bytes in [hex(GETH), hex(SEPOLIA), authorization().unsigned_bytes()] {
        let refused = Transaction::from_unsigned_bytes(&bytes).unwrap_err();
        assert_eq!(refused.reason(), "transactions of this type are unknown");
    }
    let plain = Transaction::new(dynamic()).unwrap().unsigned_bytes();
    let other = "transactions of this type are another kind";
    assert_eq!(SetCodeTransaction::from_unsigned_bytes(&plain).unwrap_err().reason(), other);
    assert_eq!(BlobTransaction::from_unsigned_bytes(&plain).unwrap_err().reason(), other);
    assert_eq!(Authorization::from_unsigned_bytes(&hex(GETH)).unwrap_err().reason(), other);
    assert_eq!(BlobTransaction::from_unsigned_bytes(&[]).unwrap_err().reason(), other);
}

#[test]
fn fields_of_delegations_and_blobs_out_of_range_are_refused() {
    let negative = Integer::from(-1_i64);
    let reason = |refused: Malformed| refused.reason();
    let authorization = |chain, nonce| Authorization::new(chain, [1; 20], nonce).map_err(reason);
    assert_eq!(authorization(negative, 0), Err("the id of the chain is negative"));
    assert_eq!(authorization(Integer::ZERO, u64::MAX), Err("no nonce is that high"));
    let signed = set_code().authorizations().to_vec();
    let set_code = |call, list| SetCodeTransaction::new(call, list).map_err(reason);
    let blobs = |call, fee, hashes| BlobTransaction::new(call, fee, hashes).map_err(reason);
    let call = delegations::blobs().call().clone();
    assert_eq!(set_code(call.clone(), vec![]), Err("the transaction has no delegation"));
    let wrong = SignedAuthorization { r: negative, ..signed[0] };
    let refused = set_code(call.clone(), vec![wrong]);
    assert_eq!(refused, Err("a number of a signature is negative"));
    let hash = |version| [&[version], &[7; 31][..]].concat().try_into().unwrap();
    let price = Integer::from(1_u64);
    let refused = blobs(call.clone(), price, vec![]);
    assert_eq!(refused, Err("the transaction has no blob"));
    let refused = blobs(call.clone(), price, vec![hash(1), hash(2)]);
    assert_eq!(refused, Err("the hash of a blob is of an unknown version"));
    assert_eq!(blobs(call.clone(), negative, vec![hash(1)]), Err("the price is negative"));
    for (wrong, reason) in [
        (Call { chain: 0, ..call.clone() }, "the id of the chain is zero"),
        (Call { nonce: u64::MAX, ..call.clone() }, "no nonce is that high"),
        (Call { value: negative, ..call.clone() }, "the value is negative"),
        (Call { max_fee: 1, ..call.clone() }, "the priority fee is above the highest fee"),
        (Call { data: vec![0; MAX_LENGTH], ..call.clone() }, "it is too long"),
    ] {
        assert_eq!(set_code(wrong.clone(), signed.clone()).map(drop), Err(reason));
        assert_eq!(blobs(wrong, price, vec![hash(1)]).map(drop), Err(reason));
    }
    assert!(set_code(call.clone(), signed).is_ok() && blobs(call, price, vec![hash(1)]).is_ok());
}

#[test]
fn other_encodings_of_delegations_and_blobs_are_refused() {
    let set_code =
        |text: String| SetCodeTransaction::from_unsigned_bytes(&hex(&text)).unwrap_err().reason();
    let parity = GETH.replacen("aaaa0101a0", "aaaa0180a0", 1);
    assert!(SetCodeTransaction::from_unsigned_bytes(&hex(&parity)).is_ok(), "a parity of 0");
    let zero = GETH.replacen("aaaa0101a0", "aaaa0100a0", 1);
    assert_eq!(set_code(zero), "a number of RLP begins with zeros");
    let number = GETH.replacen("a001b73b", "a000b73b", 1);
    assert_eq!(set_code(number), "a number of RLP begins with zeros");
    assert_eq!(set_code(format!("{GETH}00")), "bytes follow the end");
    let address = GETH.replacen("8094000000", "8093000000", 1);
    assert_eq!(set_code(address), "no address is that long");
    let nobody = GETH.replacen("9471562b71999873db5b286df957af199ec94617f7", "80", 1);
    assert_eq!(set_code(nobody.replacen("04f8e3", "04f8cf", 1)), "no address is that long");
    let wide = GETH.replacen("aaaa0101a0", "aaaa01820101a0", 1);
    let wide = wide.replacen("f8e3", "f8e5", 1).replacen("f8baf85c", "f8bcf85e", 1);
    assert_eq!(set_code(wide), "a parity has more than 8 bits");
    let more = GETH.replacen("0669f85a", "066980f85a", 1);
    let more = more.replacen("f8e3", "f8e4", 1).replacen("f8baf85c", "f8bbf85d", 1);
    assert_eq!(set_code(more), "bytes follow the end");
    let blobs =
        |text: String| BlobTransaction::from_unsigned_bytes(&hex(&text)).unwrap_err().reason();
    let hash = SEPOLIA.replacen("a0012ec3", "9f012ec3", 1);
    assert_eq!(blobs(hash), "the hash of a blob has not 32 bytes");
    let signed = SEPOLIA.replacen("f8da", "f8db", 1) + "80";
    assert_eq!(blobs(signed), "bytes follow the end");
    let authorization =
        |text: &str| Authorization::from_unsigned_bytes(&hex(text)).unwrap_err().reason();
    let address = "be95c3f554e9fc85ec51be69a3d807a0d55bcf2c";
    for (head, tail, reason) in [
        ("05d70094", "80", "a number of RLP begins with zeros"),
        ("05d88094", "8000", "bytes follow the end"),
        ("05d68094", "", "it ends too early"),
        ("05d88094", "8105", "a length of RLP is not in its shortest form"),
        ("05d78094", "00", "a number of RLP begins with zeros"),
    ] {
        let text = format!("{head}{address}{tail}");
        assert_eq!(authorization(&text), reason, "{text}");
    }
}

#[test]
fn delegations_and_blobs_are_refused_at_each_length_but_their_own() {
    for purpose in
        [Purpose::from(authorization()), everywhere().into(), set_code().into(), blobs().into()]
    {
        let bytes = purpose.to_bytes();
        for end in 2..bytes.len() {
            assert!(Purpose::from_bytes(&bytes[..end]).is_err(), "{end}");
        }
        assert!(Purpose::from_bytes(&[&bytes[..], &[0]].concat()).is_err());
    }
}
