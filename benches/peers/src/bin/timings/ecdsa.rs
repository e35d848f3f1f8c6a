//! Threshold ECDSA: every library at every step, in turns.

use clap::{Arg, ArgAction, ArgMatches, Command, Error};
use quorate_benches::ecdsa::{
    EcdsaArgs, EcdsaLibrary, EcdsaStep, Lane, QuorateEcdsa, Setup, print, print_ratio, race,
};
use quorate_benches::median;
use quorate_peers::ecdsa::{Cggmp21, Cggmp24, Dkls23, Powm, count_gmp};

/// The one that the others are compared with.
const OURS: &str = "quorate";

pub(crate) fn command() -> Command {
    EcdsaArgs::command().arg(
        Arg::new("library")
            .long("library")
            .value_name("LIBRARY")
            .action(ArgAction::Append)
            .help("A library to compare with; all unless given"),
    )
}

pub(crate) fn measure(matches: &ArgMatches) -> Result<(), Error> {
    let args = EcdsaArgs::new(matches)?;
    let chosen: Vec<String> = matches.get_many("library").into_iter().flatten().cloned().collect();
    count_gmp();
    for &setup in &args.setups {
        compare(&args, &chosen, setup);
    }
    Ok(())
}

fn libraries(args: &EcdsaArgs) -> Vec<Box<dyn EcdsaLibrary>> {
    vec![
        Box::new(QuorateEcdsa(args.engine)),
        Box::new(Cggmp24),
        Box::new(Cggmp21),
        Box::new(Dkls23),
    ]
}

/// Races all libraries at one setup, step by step.
fn compare(args: &EcdsaArgs, chosen: &[String], setup: Setup) {
    let wanted = |name: &str| {
        chosen.is_empty() || chosen.iter().any(|library| name.starts_with(library.as_str()))
    };
    let mut lanes: Vec<Lane> = libraries(args)
        .into_iter()
        .filter(|library| wanted(&library.name()))
        .filter_map(|library| Some(Lane::new(library.name(), library.fixture(setup)?)))
        .collect();
    for step in args.steps() {
        // Their searches for primes take minutes.
        let runs = |lane: &Lane| {
            let cheap = !step.searches() || lane.library == OURS || args.asked(step);
            cheap && lane.fixture.has(step)
        };
        let mut racers: Vec<&mut Lane> = lanes.iter_mut().filter(|lane| runs(lane)).collect();
        if !racers.is_empty() {
            one(args, setup, step, &mut racers);
        }
    }
}

/// One race, with its figures and ratios.
fn one(args: &EcdsaArgs, setup: Setup, step: EcdsaStep, lanes: &mut [&mut Lane]) {
    let powm = (step == EcdsaStep::Presign).then(|| Powm::new(setup.level));
    let mut units = Vec::new();
    race(lanes, setup, step, args.runs(step), || units.extend(powm.as_ref().map(Powm::sample)));
    let figures: Vec<_> = lanes.iter().map(|lane| lane.figures(setup, step)).collect();
    for figures in &figures {
        print(args.json, figures);
    }
    if let Some(ours) = lanes.iter().position(|lane| lane.library == OURS) {
        let totals = lanes[ours].totals();
        for (lane, peer) in lanes.iter().zip(&figures).filter(|(lane, _)| lane.library != OURS) {
            let ratio = if step.searches() {
                peer.ms / figures[ours].ms
            } else {
                median(lane.totals().iter().zip(&totals).map(|(peer, own)| peer / own).collect())
            };
            #[allow(clippy::cast_precision_loss, reason = "sizes of messages")]
            let bytes = peer.bytes as f64 / figures[ours].bytes as f64;
            print_ratio(args.json, peer, ratio, bytes);
        }
    }
    if !units.is_empty() {
        let peers = f64::from(setup.t - 1);
        for lane in &*lanes {
            let totals = lane.totals();
            let in_units = totals.iter().zip(&units).map(|(ms, unit)| ms / unit / peers).collect();
            print_units(args.json, setup, step, &lane.library, median(in_units));
        }
    }
}

/// Prints how many of GMP's powers a party could have computed meanwhile for each other signer.
fn print_units(json: bool, setup: Setup, step: EcdsaStep, library: &str, powm: f64) {
    let Setup { curve, level, t, n, .. } = setup;
    let (curve, level, step) = (curve.name(), level.bits(), step.name());
    if json {
        println!(
            "{{\"library\":\"{library}\",\"curve\":\"{curve}\",\"level\":{level},\"step\":\"{step}\",\"t\":{t},\
             \"n\":{n},\"powm_per_peer\":{powm:.3}}}"
        );
    } else {
        println!(
            "{curve:<11}{level:<5}{t}-of-{n} {step}: {library} takes {powm:.2} mpz_powm per peer"
        );
    }
}
