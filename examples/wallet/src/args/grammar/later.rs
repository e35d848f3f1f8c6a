//! The commands for a key that is there.

use clap::{Arg, Command};
use quorate_examples::args::{level, party};

use super::{
    key, new_secrets, number, option, parties, passphrase_file, path, plaintext, suite, wallet,
};

/// All of them.
pub(super) fn commands() -> [Command; 8] {
    [refresh(), reshare(), repair(), derive(), backup_key(), backup(), drill(), restore()]
}

fn refresh() -> Command {
    Command::new("refresh")
        .about(
            "Give every party a new share of the same key, so that shares that were stolen are worth nothing. Run it \
             again if it was interrupted",
        )
        .args(wallet())
        .arg(passphrase_file())
}

fn reshare() -> Command {
    Command::new("reshare")
        .about(
            "Give the key to other parties, or change the threshold: the public key stays. Run it again if it was \
             interrupted",
        )
        .args(wallet())
        .args([
            passphrase_file(),
            parties("to", "PARTIES").required(true).help("The parties that have shares from then on, such as 1,2,5"),
            number("threshold", "THRESHOLD").help("How many of them it takes to sign; as many as now unless given"),
            parties("dealers", "PARTIES")
                .help("The parties that give their shares, as many as it takes to sign; all that have one unless given"),
        ])
}

fn repair() -> Command {
    Command::new("repair")
        .about(
            "Give PARTY its lost share back, with the help of as many others as it takes to sign",
        )
        .args(wallet())
        .args([
            passphrase_file(),
            one_party("The party that has lost its share"),
            parties("helpers", "PARTIES")
                .help("The parties that help; all others that have their shares unless given"),
        ])
}

fn derive() -> Command {
    Command::new("derive")
        .about("Print the child key at PATH, and what wallets need that only watch; sign for it with sign --path")
        .args(wallet())
        .arg(key().required(true))
}

fn backup_key() -> Command {
    Command::new("backup-key")
        .about("Make an offline key, which opens backups: FILE for its custodian, and FILE.pub for the parties")
        .args([
            option("suite", "SUITE").required(true).value_parser(suite()).help("The suite of the wallet to back up"),
            path("to", "FILE").required(true).help("Where the secret half goes"),
            key_passphrase_file(),
            plaintext().conflicts_with("key-passphrase-file"),
        ])
}

fn backup() -> Command {
    Command::new("backup")
        .about("Encrypt the share of PARTY to an offline key, and prove that it is this share")
        .args(wallet())
        .args([
            passphrase_file(),
            one_party("The party whose share it is"),
            path("for", "KEY.pub").required(true).help("The public half of the offline key"),
            path("to", "FILE").required(true).help("Where the backup goes"),
            option("label", "TEXT").help("Words that anybody can read in it: a date, a place"),
        ])
}

fn drill() -> Command {
    Command::new("drill")
        .about("Show that a backup could be restored: it is opened and its share proved, and nothing is written")
        .args(wallet())
        .args(opening())
}

fn restore() -> Command {
    Command::new("restore")
        .about("Give a party that has lost its share the one in a backup")
        .args(wallet())
        .args(opening())
        .args(new_secrets())
        .arg(option("level", "LEVEL").value_parser(level()).help(
            "The level of the big moduli of ECDSA, if no party has its own left: 128 unless given",
        ))
}

fn opening() -> [Arg; 3] {
    [
        path("backup", "FILE").required(true).help("The backup"),
        path("key", "KEY").required(true).help("The secret half of the offline key"),
        key_passphrase_file(),
    ]
}

fn one_party(help: &'static str) -> Arg {
    option("party", "PARTY").required(true).value_parser(party).help(help)
}

fn key_passphrase_file() -> Arg {
    path("key-passphrase-file", "FILE").help(
        "A file that holds the passphrase of the offline key. Without one, it is taken from the environment variable \
         QUORATE_OFFLINE_PASSPHRASE, or asked for",
    )
}
