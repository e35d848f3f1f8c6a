//! ChillDKG: host keys, contributions, encrypted shares, signatures of transcripts, recovery, an investigation.

use super::{Case, Run, bytes};
use crate::memory::{hide, show};
use crate::random::{self, Secrets};
use quorate::frost::secp256k1_tr::chilldkg::{
    Coordinator, HostKey, Params, Participant, Step2Error, recover,
};

pub(super) const ALL: &[Case] =
    &[("ChillDKG, a run and its recovery", made), ("ChillDKG, an investigation", wrong)];

/// A host key whose bytes are marked, and one whose bytes are not.
fn hosts() -> [HostKey; 2] {
    let secret = bytes(60, 32);
    hide(&secret);
    let mine = HostKey::from_bytes(&secret).expect("below the order");
    [mine, HostKey::from_bytes(&bytes(61, 32)).expect("below the order")]
}

/// Both participants after step 1, and what they sent.
fn started(hosts: &[HostKey; 2]) -> (Params, [Participant; 2], Vec<Vec<u8>>) {
    let params =
        Params::new(hosts.iter().map(|host| *host.public()).collect(), 2).expect("two of two");
    let mine = Participant::start(&hosts[0], &params, &mut Secrets::new(62)).expect("takes part");
    let other =
        Participant::start(&hosts[1], &params, &mut random::public(63)).expect("takes part");
    (params, [mine.0, other.0], vec![mine.1, other.1])
}

fn made(_: &Run) {
    let hosts = hosts();
    let (params, [mine, other], first) = started(&hosts);
    let (coordinator, sums) = Coordinator::start(&params, &first).expect("well formed");
    let (mine, signed) = mine.step2(&hosts[0], &sums, &mut Secrets::new(64)).expect("honest");
    let (_, others) = other.step2(&hosts[1], &sums, &mut random::public(65)).expect("honest");
    let (certificate, public) = coordinator.finalize(&[signed, others]).expect("both have signed");
    let output = mine.finalize(&certificate).expect("certified");
    assert!(output.public == public);
    let acknowledged = output.acknowledge(&hosts[0], &mut Secrets::new(66)).expect("its own key");
    let again = recover(&hosts[0], public.recovery_data()).expect("certified");
    assert!(again.share.verifying_share() == output.share.verifying_share());
    let stored = [output.share.to_bytes(), again.share.to_bytes()];
    stored.iter().for_each(|one| show(one));
    assert!(stored[0] == stored[1] && acknowledged.len() == 64);
}

fn wrong(_: &Run) {
    let hosts = hosts();
    let (params, [mine, _], mut first) = started(&hosts);
    // The other one's share for this one.
    first[1][33 * 2 + 64 + 33 + 31] ^= 1;
    let (_, sums) = Coordinator::start(&params, &first).expect("well formed");
    let failed = mine.step2(&hosts[0], &sums, &mut Secrets::new(64));
    let Err(Step2Error::WrongShare(investigation)) = failed else { panic!("a wrong share") };
    let messages = Coordinator::investigate(&params, &first).expect("well formed");
    assert!(investigation.judge(&messages[0]).suspect().is_some());
}
