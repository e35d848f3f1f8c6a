//! Replays of incidents: approved requests under intact keys. Each is refused by a shipped policy, and allowed by one that
//! leaves out the rule in question, so that the test can tell.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod common;

use common::*;
use custody_policy::{Decision, Outcome, Policies};
use quorate_purpose::evm::{
    Authorization, Call, PersonalMessage, SetCodeTransaction, SignedAuthorization,
};
use quorate_purpose::{Integer, Purpose};

const FRIEND_TEXT: &str = "0x3535353535353535353535353535353535353535";
const EXCHANGE: &str = "0x1111111254eeb25477b68fb85ed929f73a960582";

fn treasury(purpose: &Purpose) -> Decision {
    Ask::sign(purpose).decide(&load(&shipped("ethereum-treasury")))
}

fn safe(purpose: &Purpose) -> Decision {
    // With every approval that the file asks for: the people were deceived too.
    let ask = Ask::sign(purpose).scope("safe").by("safe-desk").approved(&["ann", "bob", "eve"]);
    ask.decide(&load(&shipped("safe")))
}

/// The decision of a policy that allows all of a kind.
fn careless(purpose: &Purpose) -> bool {
    let policies = permit(purpose.kind().name(), "true");
    Ask::sign(purpose).scope("safe").by("safe-desk").decide(&policies).is_allowed()
}

/// A shipped file in which a text is replaced.
fn altered(name: &str, from: &str, to: &str) -> Policies {
    let text = shipped(name);
    assert!(text.contains(from), "{name} has {from}");
    load(&text.replace(from, to))
}

#[test]
fn honest_transactions_of_the_safe_are_allowed() {
    let payment = safe(&safe_tx(FRIEND_TEXT, ETHER, &[], 0));
    assert_eq!(payment.policies, ["safe-payment"], "{}", payment.why);
    let data = [hex("a9059cbb"), word(&FRIEND), word(&[1, 0])].concat();
    let transfer = safe(&safe_tx(USDC, "0", &data, 0));
    assert_eq!(transfer.policies, ["safe-token-transfer"], "{}", transfer.why);
}

#[test]
fn delegatecall_through_a_safe_is_refused() {
    // transfer(address,uint256) of a contract that writes the address over the Safe's own code, shown as a transfer.
    let data = [hex("a9059cbb"), word(&STRANGER), word(&[])].concat();
    let attack = safe_tx("0x9622142200000000000000000000000000002516", "0", &data, 1);
    let decision = safe(&attack);
    assert_eq!(decision.outcome, Outcome::Forbidden);
    assert_eq!(decision.policies, ["safe-no-delegatecall"]);
    assert!(careless(&attack));
    // The same call is not forbidden, but it is none of the known ones.
    let call = safe_tx("0x9622142200000000000000000000000000002516", "0", &data, 0);
    assert_eq!(safe(&call).outcome, Outcome::NotAllowed);
}

#[test]
fn delegatecall_to_a_known_recipient_is_refused() {
    let attack = safe_tx(FRIEND_TEXT, ETHER, &[], 1);
    assert_eq!(safe(&attack).policies, ["safe-no-delegatecall"]);
    let ask = || Ask::sign(&attack).scope("safe").by("safe-desk");
    let without =
        altered("safe", r#"context.holds.contains("message.operation == 0")"#, "context.now > 0");
    assert!(ask().decide(&without).is_allowed());
}

#[test]
fn operation_in_a_type_of_its_own_is_refused() {
    // The requester chooses the types: an operation that is a text is not the number 0, and a type without one has none.
    let fields = |operation: &[(&'static str, &'static str, &'static str)]| {
        let to = format!("{FRIEND_TEXT:?}");
        let mut fields = vec![
            ("to", "address", &to[..]),
            ("value", "uint256", "1"),
            ("data", "bytes", "\"0x\""),
            ("gasPrice", "uint256", "0"),
        ];
        fields.extend(operation);
        typed(SAFE, "SafeTx", &fields)
    };
    assert!(safe(&fields(&[("operation", "uint8", "0")])).is_allowed());
    for operation in [("operation", "string", "\"0\""), ("operations", "uint8", "0")] {
        assert_eq!(safe(&fields(&[operation])).policies, ["safe-no-delegatecall"]);
    }
}

/// One transaction of a batch, as `multiSend(bytes)` packs it.
fn packed(to: [u8; 20], data: &[u8]) -> Vec<u8> {
    let length = u64::try_from(data.len()).unwrap();
    [&[0][..], &to, &word(&[]), &word(&length.to_be_bytes()), data].concat()
}

#[test]
fn authority_change_hidden_in_another_instruction_is_refused() {
    // A batch: the transfer that everybody expects, and behind it swapOwner of the Safe.
    let own: [u8; 20] = hex(&SAFE[2..]).try_into().unwrap();
    let transfer = [hex("a9059cbb"), word(&FRIEND), word(&[1, 0])].concat();
    let swap = [hex("e318b52b"), word(&[1]), word(&FRIEND), word(&STRANGER)].concat();
    let usdc: [u8; 20] = hex(&USDC[2..]).try_into().unwrap();
    let batch = [packed(usdc, &transfer), packed(own, &swap)].concat();
    let length = u64::try_from(batch.len()).unwrap().to_be_bytes();
    let data = [hex("8d80ff0a"), word(&[32]), word(&length), batch].concat();
    let batches = "0x40a2accbd92bca938b02010e17a5b8929b49130d";
    for operation in [0, 1] {
        let attack = safe_tx(batches, "0", &data, operation);
        let decision = safe(&attack);
        assert_eq!(decision.outcome, Outcome::Forbidden);
        assert!(decision.policies.contains(&"safe-no-hidden-authority-change".into()));
        assert!(careless(&attack));
    }
    // A policy that allows batches of a known contract, and nothing that forbids.
    let attack = safe_tx(batches, "0", &data, 1);
    let batch = format!(
        r#"@id("batch") permit (principal, action == Action::"eip712", resource)
           when {{ context.primary_type == "SafeTx" && context.hex.hasTag("message.to") &&
                   context.hex.getTag("message.to") == "{batches}" }};"#
    );
    let ask = || Ask::sign(&attack).scope("safe").by("safe-desk");
    assert_eq!(ask().decide(&load(&batch)).policies, ["batch"]);
    let both = load(&(batch + &shipped("safe")));
    assert_eq!(
        ask().decide(&both).policies,
        ["safe-no-delegatecall", "safe-no-hidden-authority-change"]
    );
}

#[test]
fn authority_change_of_the_safe_itself_is_refused() {
    for call in [
        "0d582f13", "f8dc5dd9", "e318b52b", "694e80c3", "610b5925", "e19a9dd9", "f08a0323",
        "7de7edef",
    ] {
        let data = [hex(call), word(&STRANGER), word(&[1])].concat();
        let attack = safe_tx(SAFE, "0", &data, 0);
        assert_eq!(
            safe(&attack).policies,
            ["safe-no-call-of-itself", "safe-no-hidden-authority-change"],
            "{call}"
        );
        assert!(careless(&attack));
    }
}

#[test]
fn owner_key_of_a_safe_signs_nothing_but_typed_data() {
    let payment = transaction(FRIEND, ETHER, vec![]);
    assert_eq!(safe(&payment).policies, ["safe-typed-data-only"]);
    assert!(careless(&payment));
    // A Safe takes the message of its transaction's hash as an approval (`eth_sign`).
    let approval = PersonalMessage::new([7; 32]).unwrap().into();
    assert_eq!(safe(&approval).policies, ["safe-typed-data-only"]);
    assert!(careless(&approval));
}

#[test]
fn permit_without_expiry_is_refused() {
    let never = Integer::from_be_bytes(&[0xff; 32]).unwrap().to_string();
    let soon = (NOW + 3600).to_string();
    let honest = token_permit(EXCHANGE, "25000000000", &soon);
    assert_eq!(treasury(&honest).policies, ["treasury-token-permit"], "{}", treasury(&honest).why);
    let without = altered(
        "ethereum-treasury",
        r#"context.holds.contains("message.deadline <= now + 3600")"#,
        "context.now > 0",
    );
    for deadline in [&never[..], "9223372036854775808", &(NOW + 3601).to_string()] {
        let attack = token_permit(EXCHANGE, "25000000000", deadline);
        assert_eq!(treasury(&attack).outcome, Outcome::NotAllowed, "{deadline}");
        assert!(treasury(&attack).why.contains("treasury-token-permit"));
        assert!(Ask::sign(&attack).decide(&without).is_allowed());
    }
}

#[test]
fn token_without_expiry_is_refused() {
    use quorate_purpose::JwtClaims;
    let ask = |claims: &str, policies: &Policies| {
        Ask::sign(&JwtClaims::new(claims, "", "").unwrap().into()).decide(policies).is_allowed()
    };
    let bounded = permit("jwt-claims", r#"context.holds.contains("claim/exp <= now + 3600")"#);
    let careless = permit("jwt-claims", "true");
    for (claims, expected) in [
        (format!(r#"{{"sub":"x","exp":{}}}"#, NOW + 3600), true),
        (format!(r#"{{"sub":"x","exp":{}}}"#, NOW + 3601), false),
        (r#"{"sub":"x"}"#.into(), false),
    ] {
        assert_eq!(ask(&claims, &bounded), expected, "{claims}");
        assert!(ask(&claims, &careless));
    }
}

#[test]
fn unlimited_approval_is_refused() {
    let usdc: [u8; 20] = hex(&USDC[2..]).try_into().unwrap();
    for (call, amount) in
        [("095ea7b3", vec![0xff; 32]), ("39509351", word(&[0x80, 0, 0, 0, 0, 0, 0, 0]))]
    {
        let attack = transaction(usdc, "0", [hex(call), word(&STRANGER), amount].concat());
        assert_eq!(treasury(&attack).policies, ["treasury-no-unlimited-approval"]);
        assert!(careless(&attack));
    }
    let all = transaction(usdc, "0", [hex("a22cb465"), word(&STRANGER), word(&[1])].concat());
    assert_eq!(treasury(&all).policies, ["treasury-no-approval-for-all"]);
    // A call without its second word has no amount that could be low.
    let short = transaction(usdc, "0", [hex("095ea7b3"), word(&STRANGER)].concat());
    assert_eq!(treasury(&short).policies, ["treasury-no-unlimited-approval"]);
}

#[test]
fn delegatecall_by_a_transaction_to_a_safe_is_refused() {
    // execTransaction(to, value, data, operation, …) with operation 1.
    let call = |operation: u8| {
        let words = [word(&STRANGER), word(&[]), word(&[1, 0x40]), word(&[operation])].concat();
        transaction(hex(&SAFE[2..]).try_into().unwrap(), "0", [hex("6a761202"), words].concat())
    };
    assert_eq!(treasury(&call(1)).policies, ["treasury-no-delegatecall"]);
    assert!(careless(&call(1)));
    assert_eq!(treasury(&call(0)).outcome, Outcome::NotAllowed);
}

#[test]
fn changed_recipient_with_the_same_amount_is_refused() {
    let honest = transaction(FRIEND, ETHER, vec![]);
    assert_eq!(treasury(&honest).policies, ["treasury-payment"], "{}", treasury(&honest).why);
    let attack = transaction(STRANGER, ETHER, vec![]);
    let decision = treasury(&attack);
    assert_eq!(decision.outcome, Outcome::NotAllowed);
    assert!(decision.why.contains("treasury-payment"), "{}", decision.why);
    let stranger = text_of(&STRANGER);
    let open = altered("ethereum-treasury", FRIEND_TEXT, &stranger);
    assert_eq!(Ask::sign(&attack).decide(&open).policies, ["treasury-payment"]);
    assert!(careless(&attack));
}

#[test]
fn changed_recipient_of_a_token_with_the_same_amount_is_refused() {
    let usdc: [u8; 20] = hex(&USDC[2..]).try_into().unwrap();
    let transfer =
        |to: &[u8]| transaction(usdc, "0", [hex("a9059cbb"), word(to), word(&[1, 0])].concat());
    let honest = treasury(&transfer(&FRIEND));
    assert_eq!(honest.policies, ["treasury-token-transfer"], "{}", honest.why);
    let attack = transfer(&STRANGER);
    assert_eq!(treasury(&attack).outcome, Outcome::NotAllowed);
    let (friend, stranger) = (text_of(&word(&FRIEND)), text_of(&word(&STRANGER)));
    let open = altered("ethereum-treasury", &friend, &stranger);
    assert!(Ask::sign(&attack).decide(&open).is_allowed());
    // Twelve bytes before the address that are not zero are another word.
    assert_eq!(treasury(&transfer(&[&[1; 12][..], &FRIEND].concat())).outcome, Outcome::NotAllowed);
}

#[test]
fn approval_of_one_recipient_does_not_allow_another() {
    let large =
        |to| Ask::sign(&transaction(to, "20000000000000000000", vec![])).approved(&["ann", "eve"]);
    let policies = load(&shipped("ethereum-treasury"));
    assert_eq!(large(FRIEND).decide(&policies).policies, ["treasury-large-payment"]);
    assert_eq!(large(STRANGER).decide(&policies).outcome, Outcome::NotAllowed);
    let alone = Ask::sign(&transaction(FRIEND, "20000000000000000000", vec![]));
    assert_eq!(alone.decide(&policies).outcome, Outcome::ApprovalsMissing);
}

#[test]
fn delegation_of_the_account_is_refused() {
    let authorization = Authorization::new(1_u64, STRANGER, 9).unwrap();
    let set_code = SetCodeTransaction::new(
        Call {
            chain: 1,
            nonce: 9,
            max_priority_fee: 1,
            max_fee: 20_000_000_000,
            gas_limit: 60_000,
            to: FRIEND,
            value: integer(ETHER),
            data: vec![],
            access_list: vec![],
        },
        vec![SignedAuthorization { authorization, y_parity: 0, r: 1_u64.into(), s: 1_u64.into() }],
    );
    for attack in [Purpose::from(authorization), set_code.unwrap().into()] {
        let decision = treasury(&attack);
        assert_eq!(decision.outcome, Outcome::Forbidden);
        assert_eq!(decision.policies, ["treasury-no-delegation"]);
        assert!(careless(&attack));
        // A policy for all kinds is none for delegations.
        let all = load(r#"@id("all") permit (principal, action, resource);"#);
        assert_eq!(Ask::sign(&attack).decide(&all).outcome, Outcome::NotAllowed);
    }
}
