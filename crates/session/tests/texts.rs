//! How numbers and errors read: what a caller prints or logs.
#![allow(missing_docs, clippy::unwrap_used, reason = "tests")]

use quorate_session::{Abort, Blame, Fault, ParamError, PartyId, Round};

#[test]
fn parties_and_rounds_print_as_plain_numbers() {
    let party = PartyId::new(7).unwrap();
    assert_eq!((party.to_string(), format!("{party:>3}")), ("7".to_owned(), "  7".to_owned()));
    assert_eq!(
        (Round(2).to_string(), format!("{:02}", Round(2))),
        ("2".to_owned(), "02".to_owned())
    );
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
