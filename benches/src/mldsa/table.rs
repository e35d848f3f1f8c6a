//! Figures of attempts, as a table or as lines of JSON.

use super::{MlDsaSetup, Sent, most};

/// The times and bytes of a library. Times are of one signer, in milliseconds.
#[derive(Clone, Debug)]
pub struct Figures {
    /// The library's name.
    pub library: &'static str,
    /// Level and shape.
    pub setup: MlDsaSetup,
    /// The slots K of an attempt.
    pub slots: u16,
    /// The start, and what follows the messages of each round.
    pub rounds: [Option<f64>; 4],
    /// The least time of an attempt.
    pub least: f64,
    /// The median time of an attempt.
    pub attempt: f64,
    /// Attempts for a signature.
    pub tries: f64,
    /// A signature, with the attempts that failed: a mean.
    pub signature: f64,
    /// Bytes that a signer sends in an attempt.
    pub sent: Option<Sent>,
    /// Calls of the library.
    pub runs: usize,
}

fn label(setup: MlDsaSetup) -> String {
    format!("{} {}-of-{}", setup.level, setup.t, setup.n)
}

/// The setup as members of an object.
fn members(setup: MlDsaSetup) -> String {
    format!("\"level\":\"{}\",\"t\":{},\"n\":{}", setup.level, setup.t, setup.n)
}

/// Prints the figures of a library.
pub fn print(json: bool, figures: &Figures) {
    let Figures { library, setup, slots, rounds, least, attempt, tries, signature, sent, runs } =
        figures;
    if json {
        let number =
            |ms: &Option<f64>| ms.map_or_else(|| "null".to_owned(), |ms| format!("{ms:.4}"));
        let rounds: Vec<String> = rounds.iter().map(number).collect();
        let sent = sent.map_or_else(String::new, |Sent { bodies, headers }| {
            format!(",\"bytes\":{bodies:.1},\"headers\":{headers:.1}")
        });
        println!(
            "{{\"library\":\"{library}\",{},\"slots\":{slots},\"rounds_ms\":[{}],\"least_ms\":{least:.4},\
             \"attempt_ms\":{attempt:.4},\"attempts\":{tries:.3},\"signature_ms\":{signature:.4}{sent},\"runs\":{runs}}}",
            members(*setup),
            rounds.join(",")
        );
        return;
    }
    let rounds: Vec<String> = rounds.iter().flatten().map(|ms| format!("{ms:.3}")).collect();
    let rounds =
        if rounds.is_empty() { String::new() } else { format!(" ({})", rounds.join(" + ")) };
    let sent = sent.map_or_else(String::new, |Sent { bodies, headers }| {
        format!(", {bodies:.0} bytes and {headers:.0} of headers")
    });
    println!(
        "{:<18}{library:<18}K {slots:<4} attempt {attempt:>8.3} ms{rounds}, least {least:.3}; signature {signature:.3} ms \
         by {tries:.2} attempts{sent}",
        label(*setup)
    );
}

/// Prints how many times longer a peer takes: for an attempt, and for a signature.
pub fn print_ratios(json: bool, peer: &Figures, ours: &Figures, attempt: f64) {
    let (library, setup) = (peer.library, peer.setup);
    if json {
        println!(
            "{{\"library\":\"{library}\",{},\"attempt_ratio\":{attempt:.3},\"signature_ratio\":{:.3}}}",
            members(setup),
            peer.signature / ours.signature
        );
    } else {
        println!(
            "{:<18}{library:<18}takes {attempt:.2} times as long for an attempt, {:.2} times for the signatures of this run",
            label(setup),
            peer.signature / ours.signature
        );
    }
}

/// Prints the target of an attempt beside its figure, where there is a target, and says whether it is reached.
pub fn print_target(json: bool, figures: &Figures) -> bool {
    let Some(most) = most(figures.setup) else { return true };
    let reached = figures.attempt <= most;
    if json {
        println!(
            "{{{},\"target_ms\":{most},\"least_ms\":{:.4},\"attempt_ms\":{:.4},\"reached\":{reached}}}",
            members(figures.setup),
            figures.least,
            figures.attempt
        );
    } else {
        let verdict = if reached { "reached" } else { "missed" };
        println!(
            "{:<18}target            an attempt takes a party {:.3} ms in the median and {:.3} ms at the fastest; target {most} ms in the median: {verdict}",
            label(figures.setup),
            figures.attempt,
            figures.least
        );
    }
    reached
}
