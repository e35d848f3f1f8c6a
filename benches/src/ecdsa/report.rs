//! Figures as lines of JSON, or as a table.

use super::{EcdsaStep, Setup};

/// The costs of a step to a party of one library.
#[derive(Clone, Debug)]
pub struct Figures {
    /// The library's name.
    pub library: String,
    /// Curve, level and parties.
    pub setup: Setup,
    /// The step.
    pub step: EcdsaStep,
    /// Milliseconds of CPU per party, of many presignatures for each of them: the median over the runs, or the mean where primes are searched for.
    pub ms: f64,
    /// Bytes sent per party, of many presignatures for each of them; a broadcast counted once.
    pub bytes: usize,
    /// The most that a party had on the heap, in bytes.
    pub peak: usize,
    /// The milliseconds of each round. A round begins with what has been received and ends with what is sent.
    pub rounds: Vec<f64>,
    /// Runs.
    pub runs: usize,
}

fn key(setup: Setup, step: EcdsaStep) -> String {
    let Setup { curve, level, t, n, k } = setup;
    let of_many =
        if step == EcdsaStep::PresignMany { format!(",\"k\":{k}") } else { String::new() };
    format!(
        "\"curve\":\"{}\",\"level\":{},\"step\":\"{}\",\"t\":{t},\"n\":{n}{of_many}",
        curve.name(),
        level.bits(),
        step.name()
    )
}

fn title(setup: Setup, step: EcdsaStep) -> String {
    let Setup { curve, level, t, n, k } = setup;
    let (size, mut name) = (format!("{t}-of-{n}"), step.name().to_owned());
    if step == EcdsaStep::PresignMany {
        name += &format!(" {k}");
    }
    format!("{:<11}{:<5}{size:<8}{name:<22}", curve.name(), level.bits())
}

/// Prints one library's figures.
pub fn print(json: bool, figures: &Figures) {
    let Figures { library, setup, step, ms, bytes, peak, rounds, runs } = figures;
    #[allow(clippy::cast_precision_loss, reason = "a figure to be read")]
    let peak = *peak as f64 / 1024.0;
    let rounds: Vec<String> = rounds.iter().map(|ms| format!("{ms:.3}")).collect();
    let rounds = rounds.join(if json { "," } else { " + " });
    if json {
        println!(
            "{{\"library\":\"{library}\",{},\"ms_per_party\":{ms:.3},\"bytes_per_party\":{bytes},\
             \"peak_kb_per_party\":{peak:.1},\"rounds\":[{rounds}],\"runs\":{runs}}}",
            key(*setup, *step)
        );
    } else {
        println!(
            "{}{library:<22}{ms:>11.2} ms{bytes:>9} bytes{peak:>9.0} KB   {rounds}",
            title(*setup, *step)
        );
    }
}

/// Prints the milliseconds that the operations of Quorate's figures take alone, and how many times as long the step takes.
pub fn print_floor(json: bool, figures: &Figures, floor: f64) {
    let Figures { library, setup, step, ms, .. } = figures;
    let distance = ms / floor;
    if json {
        println!(
            "{{\"floor_of\":\"{library}\",{},\"ms_per_party\":{floor:.3},\"distance\":{distance:.3}}}",
            key(*setup, *step)
        );
    } else {
        println!(
            "{}{:<22}{floor:>11.2} ms, {library} takes {distance:.2} x",
            title(*setup, *step),
            "operations alone"
        );
    }
}

/// Prints how many times as much a peer takes as Quorate, in time and in bytes.
pub fn print_ratio(json: bool, peer: &Figures, ratio: f64, bytes: f64) {
    let Figures { library, setup, step, .. } = peer;
    if json {
        println!(
            "{{\"peer\":\"{library}\",{},\"ratio\":{ratio:.3},\"bytes_ratio\":{bytes:.3}}}",
            key(*setup, *step)
        );
    } else {
        println!(
            "{}{library:<22}{ratio:>11.2} x {bytes:>9.2} x of ours in bytes",
            title(*setup, *step)
        );
    }
}
