//! The grammar of the command line. It is written out: the macros that could derive it take longer to compile than the
//! program's own code.

mod later;

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Arg, ArgAction, Command, value_parser};
use quorate::keys::derive::DerivationPath;
use quorate_examples::args::{level, party};

use crate::suites::{SUITES, Suite};

/// The most parties that one process is asked to play.
const MOST_PARTIES: i64 = 100;

/// All of it.
pub(super) fn command() -> Command {
    Command::new("wallet")
        .about("A threshold wallet: its parties make a key together, and any THRESHOLD of them can sign")
        .disable_help_subcommand(true)
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommands([demo(), keygen(), presign(), sign(), verify()])
        .subcommands(later::commands())
}

fn demo() -> Command {
    Command::new("demo")
        .about("Make a 2-of-3 wallet, sign FILE with it, and show what happens to cheaters")
        .args([
            file("The file to sign"),
            option("suite", "SUITE")
                .help("The suite to show, or all of them")
                .value_parser(PossibleValuesParser::new(names().chain(["all"])))
                .default_value("ed25519"),
            path("dir", "DIR").help("Where to put the wallets; a new folder for temporary files unless given"),
            option("level", "LEVEL").value_parser(level()).help(
                "The level of the big moduli of ECDSA: 112, of 2048 bits, or 128, of 3072. The demo takes 112 \
                 unless told otherwise, to be quick",
            ),
        ])
        .args(new_secrets())
}

fn keygen() -> Command {
    Command::new("keygen")
        .about("Make a wallet, or go on with one whose making was interrupted")
        .args([
            path("dir", "DIR").required(true).help("Its folder, which must be new or empty"),
            option("suite", "SUITE").required(true).value_parser(suite()).help(
                "The signatures that it makes. Those named ecdsa-… are ECDSA, those named ml-dsa-… are ML-DSA (FIPS 204), \
                 experimental, all others are Schnorr",
            ),
            number("threshold", "THRESHOLD").required(true).help("How many parties it takes to sign"),
            number("parties", "PARTIES").required(true).help("How many parties there are"),
            option("level", "LEVEL").value_parser(level()).help(
                "The level of the big moduli of ECDSA: 128, of 3072 bits, or 112, of 2048. 128 unless given",
            ),
        ])
        .args(new_secrets())
}

fn presign() -> Command {
    Command::new("presign")
        .about(
            "Make presignatures, each of which saves its signers all but one message of a signature; for ECDSA",
        )
        .args(wallet())
        .args([
            passphrase_file(),
            signers(),
            option("count", "COUNT")
                .required(true)
                .value_parser(value_parser!(u16).range(1..))
                .help("How many"),
        ])
}

fn sign() -> Command {
    Command::new("sign").about("Sign FILE").args(wallet()).args([
        passphrase_file(),
        signers(),
        key(),
        context(),
        file("The file to sign"),
        path("out", "SIG").help("Where the signature goes; into the wallet's folder unless given"),
    ])
}

fn verify() -> Command {
    Command::new("verify").about("Verify the signature SIG of FILE").args(wallet()).args([
        key(),
        context(),
        file("The file that was signed"),
        Arg::new("signature")
            .value_name("SIG")
            .required(true)
            .value_parser(value_parser!(PathBuf))
            .help("The file with the signature"),
    ])
}

fn file(help: &'static str) -> Arg {
    let file = Arg::new("file").value_name("FILE").required(true);
    file.value_parser(value_parser!(PathBuf)).help(help)
}

fn option(name: &'static str, value: &'static str) -> Arg {
    Arg::new(name).long(name).value_name(value)
}

/// An option that is a path.
fn path(name: &'static str, value: &'static str) -> Arg {
    option(name, value).value_parser(value_parser!(PathBuf))
}

fn wallet() -> [Arg; 2] {
    [
        path("dir", "DIR").required(true).help("The wallet's folder"),
        option("suite", "SUITE").value_parser(suite()).help("The suite that the wallet must have"),
    ]
}

fn passphrase_file() -> Arg {
    path("passphrase-file", "FILE").help(
        "A file that holds the passphrase. Without one, it is taken from the environment variable \
         QUORATE_PASSPHRASE, or asked for",
    )
}

fn new_secrets() -> [Arg; 2] {
    [passphrase_file(), plaintext().conflicts_with("passphrase-file")]
}

fn plaintext() -> Arg {
    Arg::new("plaintext")
        .long("plaintext")
        .action(ArgAction::SetTrue)
        .help("Do not encrypt the secrets")
}

fn signers() -> Arg {
    parties("signers", "SIGNERS").required(true).help("The parties that sign, such as 1,3")
}

fn parties(name: &'static str, value: &'static str) -> Arg {
    option(name, value).value_delimiter(',').action(ArgAction::Append).value_parser(party)
}

/// A key below the wallet's.
fn key() -> Arg {
    option("path", "PATH")
        .value_parser(value_parser!(DerivationPath))
        .help("The child key to use, such as m/0/7; the wallet's own key unless given")
}

/// The context string of FIPS 204.
fn context() -> Arg {
    option("context", "TEXT").help(
        "A context, at most 255 bytes, without which the signature does not verify; for ML-DSA",
    )
}

fn number(name: &'static str, value: &'static str) -> Arg {
    option(name, value).value_parser(value_parser!(u16).range(2..=MOST_PARTIES))
}

fn names() -> impl Iterator<Item = &'static str> {
    SUITES.iter().map(|suite| suite.name)
}

fn suite() -> impl TypedValueParser<Value = Suite> {
    PossibleValuesParser::new(names())
        .try_map(|name| Suite::named(&name).map_err(|failure| failure.to_string()))
}
