//! New shares, and the old ones that are still there when messages are withheld.

use std::path::PathBuf;

use quorate::PartyId;
use quorate::frost::ed25519::Ed25519Sha512;
use quorate::frost::generic::Frost;
use quorate::session::To;
use quorate_examples::out::Out;
use quorate_wallet::change::{Wanted, change};
use quorate_wallet::home::Home;
use quorate_wallet::passphrase::Source;
use quorate_wallet::rounds::Message;

use crate::fixture::Fixture;

/// The share files of the parties, `s` for `share` and `n` for `next`, and whether there is a next
/// package.
fn files(fixture: &Fixture) -> (Vec<String>, bool) {
    let there = |name: String| fixture.path("w").join(name).exists();
    let of = |party: u16| {
        let mut found = String::new();
        for (kind, letter) in [("share", 's'), ("next", 'n')] {
            if there(format!("party-{party}.{kind}")) {
                found.push(letter);
            }
        }
        found
    };
    ((1..=3).map(of).collect(), there("public.next".to_owned()))
}

fn signs(fixture: &Fixture, signers: &str) {
    fixture.ok(&format!("sign --replace --dir @w --signers {signers} @letter.txt --out @sig"));
    fixture.ok("verify --dir @w @letter.txt @sig");
}

fn party(number: u16) -> PartyId {
    PartyId::new(number).unwrap()
}

/// Runs the refresh with this network.
fn over(fixture: &Fixture, network: impl FnMut(&mut Message)) -> Result<(), String> {
    let dir: PathBuf = fixture.path("w");
    let home = Home::open_alone(&dir, Source::default(), "refresh").unwrap();
    let out = &mut Out::captured();
    let done = change::<Frost<Ed25519Sha512>>(&home, &Wanted::default(), network, out);
    done.map_err(|failure| failure.to_string())
}

/// Withholds party 2's message of a round, which is for all, from party 1.
fn withheld(code: u8, round: u8) -> impl FnMut(&mut Message) {
    move |frame: &mut Message| {
        // Version, protocol, round.
        let here = frame.bytes[1..3] == [code, round];
        if here && frame.from == party(2) && matches!(frame.to, To::Everyone) {
            frame.to = To::Only(party(3));
        }
    }
}

#[test]
fn every_party_gets_a_new_share() {
    let fixture = Fixture::new();
    fixture.wallet("w", "secp256k1-tr");
    let stolen = std::fs::read(fixture.path("w").join("party-1.share")).unwrap();
    for epoch in 1..=2 {
        let out = fixture.ok("refresh --dir @w");
        assert!(out.contains(&format!("epoch {epoch} of the key")), "{out}");
        assert_eq!(files(&fixture), (vec!["s".to_owned(); 3], false));
        signs(&fixture, "1,2");
        signs(&fixture, "2,3");
    }
    // A share of an epoch that is over is worth nothing with the new ones.
    std::fs::write(fixture.path("w").join("party-1.share"), stolen).unwrap();
    fixture.fails("sign --replace --dir @w --signers 1,2 @letter.txt", "is not party 1's share");
}

#[test]
fn a_withheld_digest_leaves_all_in_the_old_epoch() {
    let fixture = Fixture::new();
    fixture.wallet("w", "ed25519");
    let failure = over(&fixture, withheld(32, 3)).unwrap_err();
    assert!(failure.starts_with("party 1 gave up in round 3"), "{failure}");
    // The others have their new shares, and no party has deleted an old one.
    assert_eq!(files(&fixture), (["s", "sn", "sn"].map(str::to_owned).to_vec(), true));
    for signers in ["1,2", "1,3", "2,3", "1,2,3"] {
        signs(&fixture, signers);
    }
    // Another refresh takes the place of the one that did not end.
    fixture.ok("refresh --dir @w");
    assert_eq!(files(&fixture), (vec!["s".to_owned(); 3], false));
    signs(&fixture, "1,3");
}

#[test]
fn a_withheld_acknowledgement_keeps_both_shares() {
    let fixture = Fixture::new();
    fixture.wallet("w", "ed25519");
    let failure = over(&fixture, withheld(34, 1)).unwrap_err();
    assert!(failure.starts_with("party 1 gave up in round 1"), "{failure}");
    // Party 1 has not heard from all. The others have, and have one share each.
    assert_eq!(files(&fixture), (["sn", "s", "s"].map(str::to_owned).to_vec(), true));
    for signers in ["1,2", "1,3", "2,3"] {
        signs(&fixture, signers);
    }
    // The same command resumes the refresh, and makes no third share.
    let out = fixture.ok("refresh --dir @w");
    assert!(out.contains("epoch 1 of the key"), "{out}");
    assert_eq!(files(&fixture), (vec!["s".to_owned(); 3], false));
    signs(&fixture, "1,2");
}

#[test]
fn a_refresh_needs_a_wallet() {
    let fixture = Fixture::new();
    fixture.fails("refresh --dir @nothing", "there is no wallet in");
}
