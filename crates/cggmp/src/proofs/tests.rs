#![allow(clippy::unwrap_used, clippy::unwrap_in_result, reason = "a test that fails stops")]

use alloc::collections::BTreeSet;

use quorate_session::sim::Network;
use quorate_session::{Limits, Next, Outbox, ParamError, Round};

use super::*;

/// One round of empty messages, after which all find these faults.
struct Finds;

type Found = &'static [(u16, quorate_zk::ProofFault)];

impl Protocol for Finds {
    const NAME: &'static str = "finds";
    const CODE: u8 = 200;
    const FAMILY: &'static str = "";
    const ROUNDS: u8 = 1;
    type Params = Found;
    type State = Found;
    type Output = ();

    fn bind(_: &Found, _: &mut Binding) {}

    fn limits(_: &Found, _: usize, _: Round) -> Limits {
        Limits { broadcast: 1, direct: 0 }
    }

    fn start(found: Found, _: &Run) -> Result<(Found, Outbox), ParamError> {
        Ok((found, Outbox::default()))
    }

    fn next(found: Found, _: &Run, inbox: Inbox<'_>) -> Result<Next<Self>, Abort> {
        let mut faults = Faults::default();
        let refused =
            found.iter().map(|(party, fault)| (PartyId::new(*party).unwrap(), Err(*fault)));
        faults.add_refused(refused.collect());
        faults.settle(inbox).map(|()| Next::Done(()))
    }
}

fn verdict(found: Found) -> Result<(), Abort> {
    let parties = Parties::numbered(3).unwrap();
    let report = Network::new(1).run::<Finds>(SessionId::new([1; 32]), &parties, |_| found);
    report.unwrap().results.into_values().next().unwrap()
}

/// A failure of this party to verify blames no sender, and does not hide a fault of another.
#[test]
fn own_defects_are_nobodys_fault() {
    use quorate_zk::ProofFault as Found;
    verdict(&[]).unwrap();
    for defect in [Found::Values, Found::Statement] {
        let found = vec![(2, defect)].leak();
        let internal = Abort::unattributed(Round(1), Check::Internal);
        assert_eq!(verdict(found), Err(internal));
        let found = vec![(2, defect), (3, Found::Equation), (3, defect)].leak();
        let abort = verdict(found).unwrap_err();
        assert!(abort.culprits().eq(PartyId::new(3)));
    }
}

/// The instance of a proof tells its run, its role and its place among others of its role.
#[test]
fn instances_of_run_role_and_place_differ() {
    let mut instances = Vec::new();
    for context in [1, 2] {
        let binding = RunBinding { sid: SessionId::new([1; 32]), context: [context; 32] };
        for role in ["one", "other"] {
            instances.push(binding.instance(role));
            instances.extend([0, 1, 256].map(|index| binding.instance_at(role, index)));
        }
    }
    assert_eq!(instances.iter().collect::<BTreeSet<_>>().len(), 16);
}
