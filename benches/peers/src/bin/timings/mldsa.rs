//! Threshold ML-DSA: every library that has a setup, call by call in turns.

use std::process::ExitCode;

use clap::{ArgMatches, Command, Error};
use quorate_benches::flag;
use quorate_benches::mldsa::{
    MlDsaArgs, MlDsaLane, MlDsaLibrary, QuorateMlDsa, print, print_ratios, print_target,
    race_attempts,
};
use quorate_peers::mldsa::{ThresholdMlDsa, Tsslib};
use quorate_peers::mldsa_target;

pub(crate) fn command() -> Command {
    MlDsaArgs::command().arg(flag("check").help("Fail when a target is missed"))
}

pub(crate) fn measure(matches: &ArgMatches) -> Result<ExitCode, Error> {
    let args = MlDsaArgs::new(matches)?;
    let libraries: [&dyn MlDsaLibrary; 3] = [&QuorateMlDsa, &ThresholdMlDsa, &Tsslib];
    let mut missed = Vec::new();
    for &setup in &args.setups {
        let lanes = libraries.iter().filter_map(|library| MlDsaLane::new(*library, setup));
        let mut lanes: Vec<MlDsaLane> = lanes.collect();
        race_attempts(&mut lanes, args.runs);
        let Some((ours, peers)) = lanes.split_first() else { continue };
        let own = ours.figures(setup);
        print(args.json, &own);
        if !print_target(args.json, &own) {
            missed.push(format!("{} {}-of-{}: time", setup.level, setup.t, setup.n));
        }
        for peer in peers {
            let (figures, ratio) = (peer.figures(setup), peer.ratio(ours, setup));
            print(args.json, &figures);
            print_ratios(args.json, &figures, &own, ratio);
            if ratio < mldsa_target() {
                missed.push(format!(
                    "{} {}-of-{}: {ratio:.2} times as fast as {}, target {}",
                    setup.level,
                    setup.t,
                    setup.n,
                    peer.library,
                    mldsa_target()
                ));
            }
        }
    }
    for miss in &missed {
        eprintln!("missed: {miss}");
    }
    let failed = matches.get_flag("check") && !missed.is_empty();
    Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}
