//! Times sealed key generations that are opened for each step, beside such as stay in memory, in each round: among 3, and
//! with `dkg_opening wide` among 100; to be run with `--release`. The others are in the example `opening` of `quorate-cggmp`.
#![allow(clippy::expect_used, reason = "a measurement that fails stops")]

use quorate_curve::Ed25519;
use quorate_frost::{Dkg, DkgParams, KeySuite};
use quorate_testkit::lockstep::parties;
use quorate_testkit::opened::timed;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Suite;

impl KeySuite for Suite {
    type Curve = Ed25519;
    type Hash = quorate_frost::hash::WideSha512;

    const CONTEXT: &'static str = "FROST-ED25519-SHA512-v1";
    const CODE: u8 = 1;
}

fn main() {
    let wide = std::env::args().nth(1).as_deref() == Some("wide");
    let (count, threshold, often) =
        if wide { (100u16, 67, (1, false)) } else { (3, 2, (20, true)) };
    let all = parties(1..=count);
    let me = all.iter().next().expect("many");
    timed::<Dkg<Suite>>("key generation", (&all, me), often, |_| DkgParams::new(threshold));
}
