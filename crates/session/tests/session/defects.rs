//! Protocols whose definitions contradict themselves, and parameters that a protocol refuses.

use quorate_session::{
    Abort, Binding, Check, Fault, Inbox, Judgement, Limits, Next, Outbox, ParamError, Parties,
    PartyId, Protocol, Round, Run, SealError, SealKey, Session, SessionId,
};
use quorate_testkit::Stuck;

#[derive(Clone, Copy, PartialEq)]
enum Defect {
    None,
    Silent,
    NineItems,
    TooLong,
    Limitless,
    Refused,
    /// Names its peer, and itself.
    BlamesItself,
    BlamesItsPeer,
}

/// A protocol of one round with one of these defects.
struct Defective;

impl Protocol for Defective {
    const NAME: &'static str = "defective";
    const CODE: u8 = 201;
    const FAMILY: &'static str = "";
    const ROUNDS: u8 = 1;
    type Params = Defect;
    type State = Defect;
    type Output = ();

    fn bind(defect: &Defect, binding: &mut Binding) {
        // With the session id and the parties, nine items.
        let more = if *defect == Defect::NineItems { 7 } else { 0 };
        (0..more).for_each(|number| binding.append_u64("number", number));
    }

    fn limits(defect: &Defect, _: usize, _: Round) -> Limits {
        match defect {
            Defect::Limitless => Limits { broadcast: 1, direct: 1 << 30 },
            _ => Limits { broadcast: usize::from(*defect != Defect::Silent), direct: 0 },
        }
    }

    fn start(defect: Defect, _: &Run) -> Result<(Defect, Outbox), ParamError> {
        match defect {
            Defect::Refused => Err(ParamError::Threshold),
            Defect::TooLong => Ok((defect, Outbox::broadcast(vec![0; 2]))),
            _ => Ok((defect, Outbox::default())),
        }
    }

    fn next(defect: Defect, run: &Run, inbox: Inbox<'_>) -> Result<Next<Self>, Abort> {
        let named = run.parties().iter().filter(|party| match defect {
            Defect::BlamesItself => true,
            Defect::BlamesItsPeer => *party != run.party_id(),
            _ => false,
        });
        let named: Vec<_> = named.map(|party| (party, Fault::Malformed)).collect();
        if named.is_empty() { Ok(Next::Done(())) } else { Err(inbox.blame(named)) }
    }

    fn judge(defect: Defect, run: &Run, inbox: Inbox<'_>) -> Judgement<()> {
        Self::next(defect, run, inbox).into()
    }
}

fn start(defect: Defect) -> Result<Session<Defective>, ParamError> {
    let parties = Parties::numbered(2).unwrap();
    let sid = SessionId::new([1; 32]);
    let me = PartyId::new(1).unwrap();
    Session::start(sid, me, &parties, defect, &mut Stuck::at(0)).map(|step| step.session)
}

#[test]
fn a_defective_protocol_does_not_start() {
    assert!(start(Defect::None).is_ok());
    for defect in [Defect::Silent, Defect::NineItems, Defect::TooLong] {
        assert!(matches!(start(defect).err(), Some(ParamError::Protocol(_))));
    }
}

#[test]
fn a_run_that_no_sealed_session_can_hold_does_not_start() {
    assert_eq!(start(Defect::Limitless).err(), Some(ParamError::TooLarge));
}

/// Whatever a protocol finds, a party does not name itself, and what it has found beside that is not told.
#[test]
fn a_party_does_not_name_itself() {
    let parties = Parties::numbered(2).unwrap();
    let sid = SessionId::new([1; 32]);
    let [one, two] = [1, 2].map(|number| PartyId::new(number).unwrap());
    for defect in [Defect::BlamesItself, Defect::BlamesItsPeer] {
        let [mut first, second] = [one, two].map(|me| {
            Session::<Defective>::start(sid, me, &parties, defect, &mut Stuck::at(0)).unwrap()
        });
        for sent in &second.outgoing {
            first.session.receive(two, &sent.bytes).unwrap();
        }
        let abort = first.session.advance().unwrap_err().abort;
        if defect == Defect::BlamesItself {
            assert_eq!(abort, Abort::unattributed(Round(1), Check::Internal));
        } else {
            assert_eq!(abort.culprits().collect::<Vec<_>>(), [two]);
        }
    }
    // Nor in a run that is given up: that a peer is silent is not told either.
    let defect = Defect::BlamesItself;
    let step = Session::<Defective>::start(sid, one, &parties, defect, &mut Stuck::at(0)).unwrap();
    let abort = step.session.give_up().unwrap_err().abort;
    assert_eq!(abort, Abort::unattributed(Round(1), Check::Internal));
}

#[test]
fn a_seal_does_not_open_with_parameters_that_are_refused() {
    let key = SealKey::new([2; 32]);
    let sealed = start(Defect::None).unwrap().seal(&key);
    let opened = Session::<Defective>::open(&sealed, Defect::Refused, &key);
    assert_eq!(opened.err(), Some(SealError::Params(ParamError::Threshold)));
}
