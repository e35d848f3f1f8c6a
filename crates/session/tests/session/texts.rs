//! How numbers and errors read: what a caller prints or logs.

use quorate_session::{
    Abort, Blame, Fault, ParamError, PartyId, Rejected, Rejection, Round, SealKey,
};

#[test]
fn parties_and_rounds_print_as_plain_numbers() {
    let party = PartyId::new(7).unwrap();
    assert_eq!((party.to_string(), format!("{party:>3}")), ("7".to_owned(), "  7".to_owned()));
    assert_eq!(
        (Round(2).to_string(), format!("{:02}", Round(2))),
        ("2".to_owned(), "02".to_owned())
    );
    assert_eq!(format!("{party:?} {:?} {:?}", Round(2), vec![party]), "7 2 [7]");
}

#[test]
fn sentences_name_what_a_number_counts() {
    let party = PartyId::new(7).unwrap();
    let blame = Blame { party, round: Round(2), fault: Fault::InvalidShare, evidence: None };
    let text = Abort::Misbehaviour(vec![blame]).to_string();
    assert!(text.contains("party 7 in round 2: "), "{text}");
    assert!(ParamError::DuplicateParty(party).to_string().starts_with("party 7 "));
    assert!(ParamError::NotAParty(party).to_string().starts_with("party 7 "));
}

/// Silence and misconfiguration: the silent parties, the senders of refused frames, and the remedy.
#[test]
fn what_is_missing_comes_with_what_was_rejected() {
    let party = |number| PartyId::new(number).unwrap();
    let last = Rejected::OtherParameters { which: "threshold" };
    let rejected = vec![Rejection { from: party(3), count: 2, last }];
    let missing = Abort::Missing { round: Round(2), parties: vec![party(3), party(5)], rejected };
    assert_eq!(
        missing.to_string(),
        "gave up in round 2, still waiting for party 3, party 5; 2 frames rejected from party 3 \
         (the last: the sender was started with another threshold: start all with the same)"
    );
    assert_eq!(
        Rejection { from: party(3), count: 1, last }.to_string(),
        "1 frame rejected from party 3: the sender was started with another threshold: start all \
         with the same"
    );
}

#[test]
fn seals_say_why_they_stay_closed() {
    let (key, other) = (SealKey::new([1; 32]), SealKey::new([2; 32]));
    let sealed = key.seal_bytes("test", b"content");
    let closed = other.open_bytes("test", &sealed).unwrap_err().to_string();
    assert!(closed.starts_with("sealed under another key or for another purpose"), "{closed}");
    let mut later = sealed;
    later[4] = 9;
    let later = key.open_bytes("test", &later).unwrap_err();
    assert_eq!(
        later.to_string(),
        "stored in format version 9 by a later release, this one opens up to 1"
    );
}
