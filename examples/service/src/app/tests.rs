//! A node without a network: what its policy forbids, and its primes.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::fs;

use quorate::Parties;
use quorate::frost::ed25519::Dealing;

use super::*;
use crate::demo;

/// A folder for a test, with what a node needs before its first start.
fn end(name: &str) -> Arc<End> {
    let folder =
        std::env::temp_dir().join(format!("quorate-service-{name}-{}", std::process::id()));
    drop(fs::remove_dir_all(&folder));
    demo::set_up(&folder).unwrap();
    Arc::new(End::open(&folder, "n1").unwrap())
}

fn runner(name: &str) -> (Runner, DkgOutput) {
    let me = PartyId::new(1).unwrap();
    let mut runner = open(me, Level::Toy, end(name)).unwrap();
    let dealing = Dealing::new(2, &Parties::numbered(3).unwrap(), &mut UnwrapErr(SysRng)).unwrap();
    let public = dealing.public;
    let mut shares = dealing.shares.into_iter().map(|dealt| {
        let (share, public) = (dealt.accept(2, &public).unwrap(), public.clone());
        DkgOutput { share, public }
    });
    runner.app().ed25519 = shares.next();
    (runner, shares.next().unwrap())
}

#[test]
fn a_message_against_the_policy_gets_no_share_and_keeps_its_nonces() {
    let (mut runner, other) = runner("policy");
    let mut ask = |order: &[&[u8]]| {
        let order = order.iter().map(|part| part.to_vec().into()).collect();
        answer(&mut runner, &order).map(|results| results.concat())
    };
    let own = ask(&[b"commit"]).unwrap();
    let (_, theirs) = other.share.commit(&mut UnwrapErr(SysRng));
    let package = |message: &[u8]| {
        let coordinator = quorate::frost::ed25519::Coordinator::new(other.public.clone());
        let sent = [(PartyId::new(1).unwrap(), own.clone()), (other.share.id(), theirs.to_bytes())];
        coordinator.start(sent, message).unwrap().package().to_bytes()
    };
    for (message, rule) in [
        ("pay 101 to Carol", "the limit of Carol is 100"),
        ("pay 1 to Eve", "Eve is not a recipient"),
        ("pay -1 to Carol", "invalid digit found in string"),
        ("give 1 to Carol", "it is no payment"),
        ("pay +1 to Carol", "it is no payment"),
        ("pay 01 to Carol", "it is no payment"),
    ] {
        let why = ask(&[b"sign", &package(message.as_bytes()), &own]).unwrap_err();
        assert_eq!(why.to_string(), rule);
    }
    let allowed = package(b"pay 100 to Carol");
    assert!(!ask(&[b"sign", &allowed, &own]).unwrap().is_empty());
    let again = ask(&[b"sign", &allowed, &own]).unwrap_err();
    assert_eq!(again.to_string(), "these nonces are gone");
    fs::remove_dir_all(runner.app().end.folder.join("..")).unwrap();
}

#[test]
fn nonces_survive_those_that_a_client_asked_for_before_and_never_used() {
    let (mut runner, other) = runner("nonces");
    let node = runner.app();
    for _ in 0..1000 {
        node.commit().unwrap();
    }
    let own = node.commit().unwrap();
    for _ in 0..63 {
        node.commit().unwrap();
    }
    let (_, theirs) = other.share.commit(&mut UnwrapErr(SysRng));
    let coordinator = quorate::frost::ed25519::Coordinator::new(other.public.clone());
    let sent = [(PartyId::new(1).unwrap(), own.clone()), (other.share.id(), theirs.to_bytes())];
    let package = coordinator.start(sent, b"pay 1 to Dave").unwrap().package().to_bytes();
    assert!(node.sign(&package, &own).is_ok());
    assert_eq!(node.nonces.len(), 63);
    fs::remove_dir_all(node.end.folder.join("..")).unwrap();
}

#[test]
fn a_line_of_the_policy_for_a_longer_name_does_not_hide_the_one_for_a_shorter() {
    let end = end("lines");
    let policy = "Carol Smith 100\nCarol 50\n";
    fs::write(end.folder.join("policy"), policy).unwrap();
    let check = |message: &str| policy::check(&end.folder, message.as_bytes());
    check("pay 50 to Carol").unwrap();
    check("pay 100 to Carol Smith").unwrap();
    assert_eq!(check("pay 51 to Carol").unwrap_err().to_string(), "the limit of Carol is 50");
    fs::remove_dir_all(end.folder.join("..")).unwrap();
}

#[test]
fn a_search_gives_the_same_primes_after_each_restart() {
    let end = end("primes");
    let search = || search(&end.folder.join("primes"), &end.key, Level::Toy).unwrap();
    assert_eq!(search().encryption_key(), search().encryption_key());
    fs::remove_dir_all(end.folder.join("..")).unwrap();
}
