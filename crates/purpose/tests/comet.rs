//! CometBFT: sign bytes as CometBFT 0.38.17 itself makes them (`types.VoteSignBytes`, `ProposalSignBytes` and
//! `VoteExtensionSignBytes`), with the values of its test vectors (`types/vote_test.go`) where these may be signed.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::integer_division_remainder_used,
    reason = "tests"
)]

mod common;

use common::*;
use quorate_purpose::comet::{BlockId, Place, Proposal, Vote, VoteExtension, VoteStep};
use quorate_purpose::{Hash, KeyKind, Message, Order, Purpose, Time, Value};

const ID: &str = "0a20000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f\
    122608c0843d12206465666768696a6b6c6d6e6f707172737475767778797a7b7c7d7e7f80818283";
const STAMP: &str = "0b08b1d381d20510809dca6f";
const CHAIN: &str = "0d746573745f636861696e5f6964";

#[test]
fn votes_have_the_sign_bytes_of_cometbft() {
    let at = "11393000000000000019020000000000000022".trim_end_matches("22");
    for (step, code) in [(VoteStep::Prevote, "01"), (VoteStep::Precommit, "02")] {
        let expected = hex(&format!("7c08{code}{at}224a{ID}2a{STAMP}32{CHAIN}"));
        assert_eq!(vote(step, Some(BLOCK())).sign_bytes(), expected);
        assert_eq!(Vote::from_sign_bytes(&expected).unwrap(), vote(step, Some(BLOCK())));
        let expected = hex(&format!("3008{code}{at}2a{STAMP}32{CHAIN}"));
        assert_eq!(vote(step, None).sign_bytes(), expected);
        assert_eq!(Vote::from_sign_bytes(&expected).unwrap(), vote(step, None));
    }
}

/// A time stamp of zero is an empty message, and a round of zero is no field. Go's zero time is in the year 1.
#[test]
fn zeros_are_left_out_as_cometbft_does() {
    let first = Vote::new(VoteStep::Prevote, place(1, 0), Some(BLOCK()), Time::from_seconds(0));
    let expected = hex(&format!("680801110100000000000000224a{ID}2a0032{CHAIN}"));
    assert_eq!(first.unwrap().sign_bytes(), expected);
    let never = Time::from_seconds(-62_135_596_800);
    let zero = Vote::new(VoteStep::Precommit, place(1, 0), None, never).unwrap();
    let expected = hex(&format!("2708021101000000000000002a0b088092b8c398feffffff0132{CHAIN}"));
    assert_eq!(zero.sign_bytes(), expected);
    assert_eq!(Vote::from_sign_bytes(&expected).unwrap(), zero);
    // `TestVoteSignBytesTestVectors`, 1 and 2, have no chain; with the field of 4 they are these.
    for (step, code) in [(VoteStep::Precommit, "02"), (VoteStep::Prevote, "01")] {
        let one = Vote::new(step, place(1, 1), None, never).unwrap();
        let expected = format!(
            "3008{code}11010000000000000019010000000000000\
             02a0b088092b8c398feffffff01320d746573745f636861696e5f6964"
        );
        assert_eq!(one.sign_bytes(), hex(&expected));
    }
}

#[test]
fn proposals_and_extensions_have_the_sign_bytes_of_cometbft() {
    let end = format!("2a4a{ID}32{STAMP}3a{CHAIN}");
    for (pol_round, head, field) in
        [(None, "8701", "20ffffffffffffffffff01"), (Some(0), "7c", ""), (Some(2), "7e", "2002")]
    {
        let proposal = Proposal::new(place(12_345, 23), pol_round, BLOCK(), TIME).unwrap();
        let at = "08201139300000000000001917000000000000 00";
        let expected = hex(&format!("{head}{at}{field}{end}"));
        assert_eq!(proposal.sign_bytes(), expected);
        assert_eq!(Proposal::from_sign_bytes(&expected).unwrap(), proposal);
    }
    let extension = VoteExtension::new(place(12_345, 2), *b"signed").unwrap();
    let expected = format!("290a067369676e656411393000000000000019020000000000000022{CHAIN}");
    assert_eq!(extension.sign_bytes(), hex(&expected));
    let empty = VoteExtension::new(place(1, 0), *b"").unwrap();
    assert_eq!(empty.sign_bytes(), hex(&format!("1811010000000000000022{CHAIN}")));
}

#[test]
fn votes_are_signed_whole_by_ed25519_and_hashed_for_secp256k1() {
    let purpose = Purpose::from(vote(VoteStep::Prevote, Some(BLOCK())));
    let bytes = vote(VoteStep::Prevote, Some(BLOCK())).sign_bytes();
    assert_eq!(purpose.message(KeyKind::Ed25519), Ok(Message::Raw(bytes.clone())));
    let hashed = Message::Hashed { hash: Hash::Sha256, bytes };
    assert_eq!(purpose.message(KeyKind::EcdsaSecp256k1), Ok(hashed));
    assert!(purpose.message(KeyKind::EcdsaP256).is_err());
}

#[test]
fn watermarks_order_height_round_and_step_and_ignore_the_time() {
    let at = |step, block, time| {
        let vote = Vote::new(step, place(5, 1), block, Time::from_seconds(time)).unwrap();
        Purpose::from(vote).watermark().unwrap()
    };
    let prevote = at(VoteStep::Prevote, Some(BLOCK()), 1);
    assert_eq!(prevote.slot(), "cometbft/test_chain_id");
    assert_eq!(prevote.mark().order, Order([5, 1, 2]));
    assert_eq!(prevote, at(VoteStep::Prevote, Some(BLOCK()), 2));
    let nil = at(VoteStep::Prevote, None, 1);
    let other = at(VoteStep::Prevote, Some(BlockId { parts: 1, ..BLOCK() }), 1);
    assert!(nil.mark().value != prevote.mark().value && other.mark().value != prevote.mark().value);
    let precommit = at(VoteStep::Precommit, Some(BLOCK()), 1);
    assert_eq!(precommit.mark().order, Order([5, 1, 3]));
    let proposal = |seconds| {
        let time = Time::from_seconds(seconds);
        let proposal = Proposal::new(place(5, 1), None, BLOCK(), time).unwrap();
        Purpose::from(proposal).watermark().unwrap()
    };
    assert_eq!(proposal(1).mark().order, Order([5, 1, 1]));
    assert_eq!(proposal(1), proposal(2));
    let elsewhere = Place::new("other", 5, 1).unwrap();
    let elsewhere = Vote::new(VoteStep::Prevote, elsewhere, None, TIME).unwrap();
    assert_eq!(Purpose::from(elsewhere).watermark().unwrap().slot(), "cometbft/other");
    let extension = VoteExtension::new(place(5, 1), *b"").unwrap();
    assert_eq!(Purpose::from(extension).watermark(), None);
}

#[test]
fn facts_of_votes_and_proposals() {
    let facts = Purpose::from(vote(VoteStep::Precommit, Some(BLOCK()))).facts();
    assert_eq!(facts.text("purpose"), Some("cometbft-vote"));
    assert_eq!(facts.text("chain"), Some("test_chain_id"));
    assert_eq!(facts.integer("height"), Some(&12_345_u64.into()));
    assert_eq!(facts.integer("round"), Some(&2_u64.into()));
    assert_eq!(facts.text("step"), Some("precommit"));
    assert_eq!(facts.bytes("block"), Some(&sequence(0)[..]));
    assert_eq!(facts.get("time"), Some(&Value::Time(TIME)));
    assert_eq!(Purpose::from(vote(VoteStep::Precommit, None)).facts().get("block"), None);
    let proposal = Proposal::new(place(12_345, 23), Some(2), BLOCK(), TIME).unwrap();
    let facts = Purpose::from(proposal).facts();
    assert_eq!(facts.integer("pol_round"), Some(&2_u64.into()));
    assert_eq!(facts.text("step"), Some("proposal"));
    let extension = VoteExtension::new(place(1, 0), *b"more").unwrap();
    assert_eq!(Purpose::from(extension).facts().bytes("extension"), Some(&b"more"[..]));
}

/// Why a message is refused, without its length.
fn vote_error(message: &str) -> &'static str {
    Vote::from_sign_bytes(&delimited(message)).unwrap_err().reason()
}

#[test]
fn votes_that_no_validator_signs_are_refused() {
    // `TestVoteSignBytesTestVectors`: 0 and 4 lack the type, 1 lacks the chain.
    assert_eq!(vote_error("2a0b088092b8c398feffffff01"), "this is no vote");
    let nowhere = "08021101000000000000001901000000000000002a0b088092b8c398feffffff01";
    assert_eq!(vote_error(nowhere), "this is no id of a chain");
    let untyped =
        format!("1101000000000000001901000000000000002a0b088092b8c398feffffff0132{CHAIN}");
    assert_eq!(vote_error(&untyped), "this is no vote");
    let end = format!("2a0032{CHAIN}");
    assert_eq!(vote_error(&format!("0801{end}")), "the height is out of range");
    assert_eq!(vote_error(&format!("08011100000000000000ff{end}")), "the height is out of range");
    for round in ["0000008000000000", "0000000001000000"] {
        let late = format!("080111010000000000000019{round}{end}");
        assert_eq!(vote_error(&late), "the round is out of range");
    }
    assert_eq!(vote_error(&format!("080111010000000000000032{CHAIN}")), "it has no time stamp");
    let time = |inner: &str| {
        let length = inner.len() / 2;
        vote_error(&format!("08011101000000000000002a{length:02x}{inner}32{CHAIN}"))
    };
    for nanoseconds in ["10ffffffffffffffffff01", "108094ebdc03", "1080808080808001"] {
        assert_eq!(time(nanoseconds), "the time stamp is out of range", "{nanoseconds}");
    }
    // A second before the year 1.
    assert_eq!(time("08ff91b8c398feffffff01"), "the time stamp is out of range");
    assert_eq!(time("08ffffffffffffffffffff01"), "a varint is too long");
    assert_eq!(Vote::from_sign_bytes(&[]).unwrap_err().reason(), "it ends too early");
}

#[test]
fn other_encodings_of_the_same_vote_are_refused() {
    let good = format!("08011101000000000000002a0032{CHAIN}");
    assert!(Vote::from_sign_bytes(&delimited(&good)).is_ok());
    let others = [
        ("round 0 as a field", good.replace("2a00", "1900000000000000002a00")),
        ("a longer varint", good.replacen("0801", "088100", 1)),
        ("second 0 as a field", good.replace("2a00", "2a020800")),
    ];
    for (why, other) in others {
        assert_eq!(vote_error(&other), "it is not in the canonical encoding", "{why}");
    }
    let length = [&[delimited(&good)[0] | 0x80, 0], &delimited(&good)[1..]].concat();
    let refused = Vote::from_sign_bytes(&length).unwrap_err();
    assert_eq!(refused.reason(), "it is not in the canonical encoding");
    let refused = Vote::from_sign_bytes(&[&delimited(&good)[..], &[0]].concat()).unwrap_err();
    assert_eq!(refused.reason(), "bytes follow the end");
    let order = format!("110100000000000000 08012a0032{CHAIN}");
    assert_eq!(vote_error(&order), "this is no vote");
}

#[test]
fn blocks_without_parts_or_with_short_hashes_are_refused() {
    let none = BlockId { parts: 0, ..BLOCK() };
    let refused = Vote::new(VoteStep::Prevote, place(1, 0), Some(none), TIME).unwrap_err();
    assert_eq!(refused.reason(), "a block has no parts");
    let with = |block: &str| {
        let length = block.len() / 2;
        vote_error(&format!("080111010000000000000022{length:02x}{block}2a0032{CHAIN}"))
    };
    let id = ID.replace(' ', "");
    assert_eq!(with(""), "a hash of a block has not 32 bytes");
    assert_eq!(with(&id[..68]), "a hash of a block has not 32 bytes");
    assert_eq!(with(&id.replace("08c0843d", "").replace("1226", "1222")), "a block has no parts");
    // 2³² parts.
    let many = id.replace("08c0843d", "088080808010").replace("1226", "1228");
    assert_eq!(with(&many), "a block has too many parts");
}

#[test]
fn proposals_that_no_validator_makes_are_refused() {
    let refused = Proposal::new(place(1, 2), Some(2), BLOCK(), TIME).unwrap_err();
    assert_eq!(refused.reason(), "the proof of lock is not from an earlier round");
    let error = |text: &str| Proposal::from_sign_bytes(&hex(text)).unwrap_err().reason();
    let good = Proposal::new(place(12_345, 23), Some(2), BLOCK(), TIME).unwrap().sign_bytes();
    let vote = vote(VoteStep::Prevote, None).sign_bytes();
    assert_eq!(error(&to_hex(&vote)), "this is no proposal");
    let bare = to_hex(&good).replace(&format!("2a4a{ID}"), "").replace("7e08", "3208");
    assert_eq!(error(&bare), "the proposal has no block");
    let negative =
        to_hex(&good).replace("2002", "20feffffffffffffffff01").replace("7e08", "870108");
    assert_eq!(error(&negative), "the proof of lock is not from an earlier round");
}

#[test]
fn names_of_chains_are_short_and_visible() {
    for name in ["", "a b", "ä", &"c".repeat(51)] {
        assert_eq!(Place::new(name, 1, 0).unwrap_err().reason(), "this is no id of a chain");
    }
    assert!(Place::new("c".repeat(50), 1, 0).is_ok());
    assert!(Place::new("c", u64::MAX / 2, u32::MAX / 2).is_ok());
    assert!(Place::new("c", u64::MAX / 2 + 1, 0).is_err());
    assert!(Place::new("c", 1, u32::MAX / 2 + 1).is_err());
    assert!(Place::new("c", 0, 0).is_err());
}
