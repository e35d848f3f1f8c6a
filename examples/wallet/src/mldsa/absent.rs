//! What the wallet does not do with an ML-DSA key, and why.

use quorate_examples::failure::Failure;

/// The text for a command.
pub(crate) fn refusal(suite: &str, command: &str) -> Failure {
    Failure::new(format!("no `{command}` for {suite}: {}", reason(command)))
}

fn reason(command: &str) -> &'static str {
    match command {
        "refresh" | "reshare" => {
            "no way is proven to give the parties other shares, for what is added to secrets makes them longer, and long \
             ones show in signatures; make a new key"
        }
        "repair" => {
            "what a lost share consists of is not sent a second time; the other parties sign as long as they are as many as \
             it takes, so keep a copy of the encrypted share"
        }
        "derive" | "--path" => {
            "there is no algebra for child keys; `--context` keeps the purposes of one key apart"
        }
        _ => {
            "what proves that a backup is this share is for points of a curve; copy the encrypted share and nothing else, \
             least of all the folder `attempts`, whose records must not come back from a backup"
        }
    }
}
