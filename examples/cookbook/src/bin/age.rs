//! age: each file has a key of its own, derived from its name by three parties; `age` itself encrypts and decrypts.
//!
//! Nobody stores the keys of files. Any two parties derive the one of a file again, and one party alone cannot.

use bitcoin::bech32::{Bech32, Hrp, encode_upper_to_fmt};
use getrandom::SysRng;
use quorate::PartyId;
use quorate::prf::{AggregateError, EvaluationShare, Kdf, Query, Ristretto255Sha512};
use quorate::session::rand_core::UnwrapErr;
use quorate_cookbook::Failure;
use quorate_cookbook::mesh::{self, Mesh};
use quorate_cookbook::prf::{ASKING, Key, REFUSAL, ask, spoiled};
use quorate_cookbook::tool::{Desk, check, run};
use zeroize::Zeroizing;

type Files = Kdf<Ristretto255Sha512>;

/// Another use of the same key has another purpose, and gets other keys.
const PURPOSE: &[u8] = b"identities of age, version 1";
/// The files whose keys party 1 may have.
const FOLDER: &str = "archive/2026/";
const REPORT: &str = "archive/2026/report.txt";
const MINUTES: &str = "archive/2026/minutes.txt";
const TEXT: &str = "All is well.";

fn main() -> Result<(), Failure> {
    mesh::main(3, party)
}

fn party(mesh: &mut Mesh) -> Result<(), Failure> {
    let all = mesh.parties.clone();
    let key = Key::<Files>::make(mesh, &all)?;
    if mesh.me.get() != 1 {
        return answer(mesh, &key);
    }
    let (two, three) = (PartyId::new(2).ok_or("zero")?, PartyId::new(3).ok_or("zero")?);

    // The key of the report is the same, whichever two parties derive it.
    let query = query(&key, REPORT)?;
    let own = query.evaluate(&key.share, &mut UnwrapErr(SysRng))?;
    let second = share_of(mesh, two, REPORT)?;
    let third = share_of(mesh, three, REPORT)?;
    let report = identity(&key, &query, &[&own, &second])?;
    for pair in [[&own, &third], [&second, &third]] {
        check(identity(&key, &query, &pair)? == report, "two other parties derive another key")?;
    }

    // Party 1 alone has no key, and party 2 refuses that of a file outside of the folder.
    let alone = query.aggregate(&key.public, [&own]).err();
    let too_few = AggregateError::TooFewShares { got: 1, need: 2 };
    check(alone == Some(too_few), "one party derives a key alone")?;
    let refused = share_of(mesh, two, "payroll/2026/salaries.txt").err().ok_or("nobody refuses")?;
    check(refused.to_string() == "party 2 refuses", "it is another error")?;

    let minutes = minutes(mesh, &key)?;
    encrypt_and_decrypt(&report, &minutes)?;
    println!(
        "age: decrypts a file by the key that any two parties derive; party 3 is named for a wrong share"
    );
    Ok(())
}

/// Party 3 lies about the key of the minutes: it is named, and party 2 helps instead.
fn minutes(mesh: &mut Mesh, key: &Key<Files>) -> Result<Zeroizing<String>, Failure> {
    let query = query(key, MINUTES)?;
    let own = query.evaluate(&key.share, &mut UnwrapErr(SysRng))?;
    let mut cheaters = Vec::new();
    for number in [3, 2] {
        let other = PartyId::new(number).ok_or("zero")?;
        let theirs = share_of(mesh, other, MINUTES)?;
        match query.verify_share(&key.public, &theirs) {
            Err(AggregateError::Cheaters(parties)) => cheaters.extend(parties),
            other => {
                other?;
                check(cheaters == [PartyId::new(3).ok_or("zero")?], "party 3 is not named")?;
                return identity(key, &query, &[&own, &theirs]);
            }
        }
    }
    Err("nobody answers".into())
}

/// The others: give party 1 their shares for the files that it may read. The answers are secret, as the key is: in life the
/// transport encrypts them. A log of the names says who has read what.
fn answer(mesh: &mut Mesh, key: &Key<Files>) -> Result<(), Failure> {
    while let Some((from, file)) = mesh.order(ASKING) {
        let file = String::from_utf8(file)?;
        if !file.starts_with(FOLDER) {
            mesh.send(from, ASKING, REFUSAL)?;
            continue;
        }
        let share = query(key, &file)?.evaluate(&key.share, &mut UnwrapErr(SysRng))?;
        let mut answer = share.to_bytes();
        if mesh.me.get() == 3 && file == MINUTES {
            answer = spoiled::<Files>(&answer);
        }
        mesh.send(from, ASKING, &answer)?;
    }
    Ok(())
}

fn share_of(
    mesh: &mut Mesh,
    party: PartyId,
    file: &str,
) -> Result<EvaluationShare<Files>, Failure> {
    Ok(EvaluationShare::from_bytes(party, &ask(mesh, party, file.as_bytes())?)?)
}

/// The query for a file. Each party makes it itself, from the name.
fn query(key: &Key<Files>, file: &str) -> Result<Query<Files>, Failure> {
    Ok(Query::derive(&key.public, PURPOSE, file.as_bytes())?)
}

/// The secret key of a file, as age writes it: 32 bytes in Bech32.
fn identity(
    key: &Key<Files>,
    query: &Query<Files>,
    shares: &[&EvaluationShare<Files>],
) -> Result<Zeroizing<String>, Failure> {
    let evaluation = query.aggregate(&key.public, shares.iter().copied())?;
    let secret = evaluation.bytes(b"X25519", 32).ok_or("too many bytes")?;
    let mut text = Zeroizing::new(String::with_capacity(128));
    encode_upper_to_fmt::<Bech32, _>(&mut *text, Hrp::parse("age-secret-key-")?, &secret)?;
    Ok(text)
}

/// By the programs `age` and `age-keygen`, which get identities as their input and leave none on the disk.
fn encrypt_and_decrypt(identity: &str, of_another: &str) -> Result<(), Failure> {
    let desk = Desk::new()?;
    let encrypted = desk.file("report.txt.age", "")?;
    let recipient = run("age-keygen", &["-y"], identity.as_bytes())?;
    // To encrypt, the recipient is enough, and it is no secret.
    run("age", &["-r", &recipient, "-o", &encrypted], TEXT.as_bytes())?;
    let decrypt = ["-d", "-i", "-", &encrypted];
    let text = run("age", &decrypt, identity.as_bytes())?;
    check(text == TEXT, "age decrypts another text")?;
    run("age", &decrypt, of_another.as_bytes()).err().ok_or("another key was taken")?;
    Ok(())
}
