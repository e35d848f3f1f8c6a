//! Protocols whose definitions contradict themselves, and parameters that a protocol refuses.

use quorate_session::{
    Abort, Binding, Inbox, Limits, Next, Outbox, ParamError, Parties, PartyId, Protocol, Round,
    Run, SealError, SealKey, Session, SessionId,
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
}

/// A protocol of one round with one of these defects.
struct Defective;

impl Protocol for Defective {
    const NAME: &'static str = "defective";
    const CODE: u8 = 201;
    const FAMILY: &'static str = "";
    const ROUNDS: u8 = 1;
    type Params = Defect;
    type State = ();
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

    fn start(defect: Defect, _: &Run) -> Result<((), Outbox), ParamError> {
        match defect {
            Defect::Refused => Err(ParamError::Threshold),
            Defect::TooLong => Ok(((), Outbox::broadcast(vec![0; 2]))),
            _ => Ok(((), Outbox::default())),
        }
    }

    fn next((): (), _: &Run, _: Inbox<'_>) -> Result<Next<Self>, Abort> {
        Ok(Next::Done(()))
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

#[test]
fn a_seal_does_not_open_with_parameters_that_are_refused() {
    let key = SealKey::new([2; 32]);
    let sealed = start(Defect::None).unwrap().seal(&key);
    let opened = Session::<Defective>::open(&sealed, Defect::Refused, &key);
    assert_eq!(opened.err(), Some(SealError::Params(ParamError::Threshold)));
}
