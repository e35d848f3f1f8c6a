//! Spends of Bitcoin: the digests of BIP-341's wallet vectors, of Bitcoin Core's tests and of BIP-143, and what is refused.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

mod common;

use common::spends::*;
use common::*;
use quorate_purpose::bitcoin::{Input, Path, SighashType, Spend, Transaction};
use quorate_purpose::{DecodeError, Integer, KeyKind, Malformed, Purpose, Value};

fn digest(spend: Spend) -> String {
    let message = Purpose::from(spend).message(KeyKind::Bip340).unwrap();
    to_hex(message.raw().unwrap())
}

fn ecdsa_digest(spend: Spend) -> String {
    let message = Purpose::from(spend).message(KeyKind::EcdsaSecp256k1).unwrap();
    to_hex(&message.ecdsa_digest().unwrap())
}

#[test]
fn key_path_spends_of_bip341_have_their_sighashes() {
    for (input, sighash, expected) in [
        (3, SighashType::All, "bf013ea93474aa67815b1b6cc441d23b64fa310911d991e713cd34c7f5d46669"),
        (
            4,
            SighashType::Default,
            "4f900a0bae3f1446fd48490c2958b5a023228f01661cda3496a11da502a7f7ef",
        ),
    ] {
        let spend = Spend::new(bip341(), bip341_spent(), input, Path::TaprootKey, sighash).unwrap();
        assert_eq!(digest(spend), expected, "input {input}");
    }
}

/// Two spends of Bitcoin Core's tests (`feature_taproot.py`), by the output key and by a script.
#[test]
fn taproot_spends_of_bitcoin_core_have_their_sighashes() {
    let spend = Spend::new(core_key(), core_key_spent(), 1, Path::TaprootKey, SighashType::All);
    assert_eq!(
        digest(spend.unwrap()),
        "626ab955d58c9a8a600a0c580549d06dc7da4e802eb2a531f62a588e430967a8"
    );
    let spend = core_script();
    assert_eq!(
        digest(spend.clone()),
        "d66de5274a60400c7b08c86ba6b7f198f40660079edf53aca89d2a9501317f2e"
    );
    let facts = Purpose::from(spend).facts();
    assert_eq!(
        facts.bytes("leaf_hash").map(to_hex).as_deref(),
        Some("15a2530514e399f8b5cf0b3d3112cf5b289eaa3e308ba2071b58392fdc6da68a")
    );
    assert_eq!(facts.bytes("witness_script"), Some(&hex(CORE_SCRIPT)[..]));
    assert_eq!(facts.text("path"), Some("taproot-script"));
}

/// The second of the three outputs is nested in P2SH in the BIP: the digest does not depend on that.
#[test]
fn spends_of_bip143_have_their_sighashes() {
    assert_eq!(
        ecdsa_digest(p2wpkh()),
        "c37af31116d1b27caf68aae9e3ac82f1477929014d5b917657d0eb49478cb670"
    );
    let nested = transaction(
        "0100000001db6b1b20aa0fd7b23880be2ecbd4a98130974cf4748fb66092ac4d3ceb1a54770100000000feff\
         ffff02b8b4eb0b000000001976a914a457b684d7f0d539a46a45bbc043f35b59d0d96388ac0008af2f000000\
         001976a914fd270b1ee6abcaea97fea7ad0402e8bd8ad6d77c88ac92040000",
    );
    let spent = vec![output(1_000_000_000, "001479091972186c449eb1ded22b78e40d009bdf0089")];
    let spend = Spend::new(nested, spent, 0, Path::SegwitKey, SighashType::All).unwrap();
    assert_eq!(
        ecdsa_digest(spend),
        "64f3b0f4dd2bb3aa1ce8566d220cc74dda9df97d8490cc81d89d735c92e59fb6"
    );
    assert_eq!(
        ecdsa_digest(p2wsh()),
        "185c0be5263dce5b4bb50a047973c1b6272bfbd0103a89444597dc40b248ee7c"
    );
}

#[test]
fn keys_of_another_scheme_sign_no_spend() {
    let taproot = Purpose::from(core_script());
    let segwit = Purpose::from(p2wpkh());
    for key in KeyKind::ALL {
        assert_eq!(taproot.message(key).is_ok(), key == KeyKind::Bip340, "{key:?}");
        assert_eq!(segwit.message(key).is_ok(), key == KeyKind::EcdsaSecp256k1, "{key:?}");
    }
}

#[test]
fn facts_of_a_taproot_spend_have_the_fee_and_all_amounts() {
    let facts = Purpose::from(bip341_key()).facts();
    let integer = |name| facts.integer(name).and_then(Integer::to_u128);
    assert_eq!(facts.text("purpose"), Some("bitcoin-spend"));
    assert_eq!(facts.text("path"), Some("taproot-key"));
    assert_eq!(facts.text("sighash"), Some("default"));
    assert_eq!((integer("input"), integer("version")), (Some(4), Some(2)));
    assert_eq!(integer("locktime"), Some(500_000_000));
    assert_eq!(integer("amount"), Some(630_000_000));
    assert_eq!(integer("input_total"), Some(4_494_000_000));
    assert_eq!(integer("output_total"), Some(4_410_000_000));
    assert_eq!(integer("fee"), Some(84_000_000));
    assert!(facts.is_true("locktime_enforced") && facts.is_true("replaceable"));
    assert_eq!(
        facts.text("outpoint"),
        Some("6cbae03912ee525a3cfd5b5ea264921d46b7bbaf02020feed2ccd8f6bd0252aa:0")
    );
    assert_eq!(facts.bytes("script"), Some(&bip341_spent()[4].script[..]));
    assert_eq!(facts.bytes("output_key"), Some(&bip341_spent()[4].script[2..]));
    let list = |name| match facts.get(name) {
        Some(Value::List(values)) => values.clone(),
        other => unreachable!("{name}: {other:?}"),
    };
    assert_eq!(list("output_amounts"), [1_000_000_000_u64.into(), 3_410_000_000_u64.into()]);
    assert_eq!(list("output_types"), ["p2pkh".into(), "other".into()]);
    let scripts: Vec<Value> =
        bip341().outputs.iter().map(|output| output.script[..].into()).collect();
    assert_eq!(list("output_scripts"), scripts);
    assert_eq!(list("sequences")[..2], [0_u64.into(), 0xffff_ffff_u64.into()]);
    for name in ["outpoints", "sequences", "input_amounts", "input_scripts"] {
        assert_eq!(list(name).len(), 9, "{name}");
    }
    for absent in ["key_hash", "script_hash", "witness_script", "leaf_hash"] {
        assert_eq!(facts.get(absent), None, "{absent}");
    }
}

/// BIP-143 commits to one amount alone: two requests that lie about one input each could burn both.
#[test]
fn a_segwit_spend_with_several_inputs_has_no_fee() {
    let facts = Purpose::from(p2wpkh()).facts();
    for absent in ["fee", "input_total", "input_amounts", "input_scripts"] {
        assert_eq!(facts.get(absent), None, "{absent}");
    }
    assert_eq!(facts.integer("amount"), Some(&600_000_000_u64.into()));
    assert_eq!(facts.bytes("key_hash"), Some(&p2wpkh().spent()[1].script[2..]));
    assert_eq!(facts.text("path"), Some("segwit-key"));
    let single = Purpose::from(p2wsh()).facts();
    assert_eq!(single.integer("fee"), Some(&654_321_u64.into()));
    assert_eq!(single.bytes("script_hash"), Some(&p2wsh().spent()[0].script[2..]));
    assert_eq!(single.text("path"), Some("segwit-script"));
    assert!(!single.is_true("locktime_enforced") && !single.is_true("replaceable"));
}

#[test]
fn scripts_have_the_types_that_wallets_name() {
    let types = |script: &str| {
        let mut transaction = bip341();
        transaction.outputs = vec![output(1, script)];
        let spend = Spend::new(transaction, bip341_spent(), 4, Path::TaprootKey, SighashType::All);
        let facts = Purpose::from(spend.unwrap()).facts();
        let Some(Value::List(types)) = facts.get("output_types") else { unreachable!() };
        types[0].clone()
    };
    let hash = "11".repeat(20);
    let long = "22".repeat(32);
    for (script, name) in [
        (format!("0014{hash}"), "p2wpkh"),
        (format!("0020{long}"), "p2wsh"),
        (format!("5120{long}"), "p2tr"),
        (format!("76a914{hash}88ac"), "p2pkh"),
        (format!("a914{hash}87"), "p2sh"),
        ("51024e73".into(), "p2a"),
        ("6a0568656c6c6f".into(), "op_return"),
        (format!("5220{long}"), "other"),
        (format!("0014{hash}00"), "other"),
        (String::new(), "other"),
    ] {
        assert_eq!(types(&script), name.into(), "{script}");
    }
}

fn reason(result: Result<Spend, Malformed>) -> &'static str {
    result.unwrap_err().reason()
}

#[test]
fn a_path_that_is_not_the_outputs_is_refused() {
    let script = hex(CORE_SCRIPT);
    for (input, path) in [
        (2, Path::TaprootKey),
        (2, Path::SegwitKey),
        (4, Path::SegwitKey),
        (4, Path::SegwitScript(script.clone())),
        (5, Path::TaprootKey),
        (5, Path::TaprootScript(script)),
    ] {
        let spend = Spend::new(bip341(), bip341_spent(), input, path, SighashType::All);
        assert_eq!(reason(spend), "the output is not spent in this way", "{input}");
    }
    let mut spent = p2wsh().spent().to_vec();
    spent[0].script[2] ^= 1;
    let other = Path::SegwitScript(hex(BIP143_SCRIPT));
    let spend = Spend::new(p2wsh().transaction().clone(), spent, 0, other, SighashType::All);
    assert_eq!(reason(spend), "the output is not spent in this way");
}

#[test]
fn amounts_that_cannot_be_are_refused() {
    let new = |transaction, spent| {
        reason(Spend::new(transaction, spent, 4, Path::TaprootKey, SighashType::All))
    };
    let more = Transaction { outputs: vec![output(4_494_000_001, "51")], ..bip341() };
    assert_eq!(new(more, bip341_spent()), "the new outputs are more than the old ones");
    let mut spent = bip341_spent();
    spent[0].amount = 2_100_000_000_000_000;
    assert_eq!(new(bip341(), spent.clone()), "the amounts are more than all bitcoins");
    spent[0].amount = u64::MAX;
    assert_eq!(new(bip341(), spent), "the amounts are more than all bitcoins");
    let much = Transaction { outputs: vec![output(u64::MAX, "51"); 2], ..bip341() };
    assert_eq!(new(much, bip341_spent()), "the amounts are more than all bitcoins");
}

#[test]
fn transactions_that_no_node_takes_are_refused() {
    let new = |transaction, spent, input| {
        reason(Spend::new(transaction, spent, input, Path::TaprootKey, SighashType::All))
    };
    let missing = "not each input has the output that it spends";
    assert_eq!(new(bip341(), bip341_spent()[..8].to_vec(), 4), missing);
    assert_eq!(new(bip341(), [bip341_spent(), bip341_spent()].concat(), 4), missing);
    assert_eq!(new(bip341(), bip341_spent(), 9), "no input has this number");
    let none = Transaction { outputs: vec![], ..bip341() };
    assert_eq!(new(none, bip341_spent(), 4), "it has no input, or no output");
    let none = Transaction { inputs: vec![], ..bip341() };
    assert_eq!(new(none, vec![], 0), "it has no input, or no output");
    let mut twice = bip341();
    twice.inputs[1] = Input { sequence: 7, ..twice.inputs[0] };
    assert_eq!(new(twice, bip341_spent(), 4), "an output is spent twice");
    let mut coinbase = bip341();
    coinbase.inputs[0].txid = [0; 32];
    assert_eq!(new(coinbase, bip341_spent(), 4), "an input spends no output");
    let long = Transaction { outputs: vec![output(1, "51"); 10_000], ..bip341() };
    assert_eq!(new(long, bip341_spent(), 4), "no node relays a transaction of this length");
    let spend = Spend::new(
        p2wpkh().transaction().clone(),
        p2wpkh().spent().to_vec(),
        1,
        Path::SegwitKey,
        SighashType::Default,
    );
    assert_eq!(reason(spend), "only Taproot has the default type of signatures");
}

#[test]
fn other_encodings_of_a_transaction_are_refused() {
    let error = |text: &str| Transaction::from_bytes(&hex(text)).unwrap_err().reason();
    assert_eq!(Transaction::from_bytes(&hex(BIP341)), Ok(bip341()));
    assert_eq!(to_hex(&bip341().to_bytes()), BIP341);
    const SHORTEST: &str = "a length of Bitcoin is not in its shortest form";
    for long in ["fd0900", "fe09000000", "ff0900000000000000"] {
        assert_eq!(error(&BIP341.replacen("0200000009", &format!("02000000{long}"), 1)), SHORTEST);
    }
    let script = BIP341.replacen("4e9c010000000000000000d7", "4e9c0100000001ac00000000d7", 1);
    assert_eq!(error(&script), "an input has a script: it is signed already");
    let witness = BIP341.replacen("0200000009", "02000000000109", 1);
    assert!(Transaction::from_bytes(&hex(&witness)).is_err());
    assert_eq!(error(&format!("{BIP341}00")), "bytes follow the end");
    for count in ["fdffff", "feffffffff", "ffffffffffffffffff"] {
        let many = BIP341.replacen("0200000009", &format!("02000000{count}"), 1);
        assert!(Transaction::from_bytes(&hex(&many)).is_err(), "{count}");
    }
    let bytes = hex(BIP341);
    for end in 0..bytes.len() {
        assert!(Transaction::from_bytes(&bytes[..end]).is_err(), "{end}");
    }
}

#[test]
fn bodies_with_unknown_codes_are_refused() {
    let read = |at: usize, byte| {
        let mut bytes = Purpose::from(bip341_key()).to_bytes();
        bytes[at] = byte;
        match Purpose::from_bytes(&bytes) {
            Err(DecodeError::Malformed(_, reason)) => reason.reason(),
            other => unreachable!("{other:?}"),
        }
    };
    assert_eq!(read(2, 4), "the path of the spend is unknown");
    for sighash in [2, 3, 0x80, 0x81, 0x82, 0x83, 0xff] {
        let reason = "the type of the signature leaves parts of the transaction open";
        assert_eq!(read(3, sighash), reason, "{sighash}");
    }
    assert_eq!(read(4, 1), "no input has this number");
    assert_eq!(read(7, 2), "the output is not spent in this way");
}

#[test]
fn bodies_are_refused_at_each_length_but_their_own() {
    for spend in [bip341_key(), core_script(), p2wpkh(), p2wsh()] {
        let bytes = Purpose::from(spend).to_bytes();
        for end in 2..bytes.len() {
            assert!(Purpose::from_bytes(&bytes[..end]).is_err(), "{end}");
        }
        assert!(Purpose::from_bytes(&[&bytes[..], &[0]].concat()).is_err());
    }
}

/// A lie about an amount or a script that is spent changes the digest, so that the signature is of no use (BIP-341).
#[test]
fn a_false_amount_or_script_of_any_input_changes_the_digest_of_taproot() {
    let honest = digest(bip341_key());
    let other = |spent| {
        digest(Spend::new(bip341(), spent, 4, Path::TaprootKey, SighashType::Default).unwrap())
    };
    for input in 0..9 {
        let mut spent = bip341_spent();
        spent[input].amount += 1;
        assert_ne!(other(spent), honest, "{input}");
        let mut spent = bip341_spent();
        *spent[input].script.last_mut().unwrap() ^= 1;
        assert_ne!(other(spent), honest, "{input}");
    }
}
