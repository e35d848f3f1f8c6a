//! An application that panics, and a caller that catches the panic and continues.

use core::panic::AssertUnwindSafe;
use std::panic::catch_unwind;
use std::sync::Arc;

use crate::common::{Shared, Toy, id, job};
use quorate_runner::{App, Bounds, Continuity, EndKind, Job, RunEnd, Runner};
use quorate_session::{SealKey, zeroize::Zeroizing};
use quorate_testkit::Stuck;

/// Which function panics about job 1.
#[derive(Clone, Copy, PartialEq)]
enum Panics {
    Never,
    Params,
    Record,
}

struct PanickingApp(Panics);

impl App<Toy> for PanickingApp {
    type Record = Zeroizing<Vec<u8>>;

    fn params(&mut self, job: &Job) -> Option<Vec<u8>> {
        assert!(self.0 != Panics::Params || job.body != [1], "params panics");
        Some(job.body.clone())
    }

    fn record(&mut self, job: &Job, _: RunEnd<Vec<u8>>) -> Zeroizing<Vec<u8>> {
        assert!(self.0 != Panics::Record || job.body != [1], "record panics");
        Zeroizing::default()
    }
}

fn runner(store: &Shared, panics: Panics) -> Runner<Shared, PanickingApp> {
    let key = Arc::new(SealKey::new([9; 32]));
    let builder = Runner::builder(id(1), key, Continuity::Operator).bounds(Bounds::new(10));
    builder.protocol::<Toy>().open(store.clone(), PanickingApp(panics)).unwrap()
}

/// At the deadline of two jobs the application panics about the first.
#[test]
fn a_run_whose_application_panics_stands_still_and_others_end() {
    for panics in [Panics::Params, Panics::Record] {
        let store = Shared::default();
        let mut first = runner(&store, Panics::Never);
        let jobs = [job(1, 2, 100), job(2, 2, 100)];
        for job in &jobs {
            first.start::<Toy>(job, 0, &mut Stuck::at(7)).unwrap();
        }
        let mut next = runner(&store, panics);
        assert!(catch_unwind(AssertUnwindSafe(|| next.work(100))).is_err());
        assert_eq!(next.at_work().collect::<Vec<_>>(), [jobs[0].sid]);
        next.recover().unwrap();
        let ended = next.work(100).unwrap();
        assert_eq!(ended.iter().map(|run| run.sid).collect::<Vec<_>>(), [jobs[1].sid]);
        // It stays as it is, and is not asked about again. A new runner continues it.
        assert!(next.work(200).unwrap().is_empty());
        assert_eq!(next.outcome(&jobs[0]).unwrap(), None);
        let ended = runner(&store, Panics::Never).work(200).unwrap();
        assert_eq!(
            ended.iter().map(|run| run.outcome.kind).collect::<Vec<_>>(),
            [EndKind::Stopped]
        );
    }
}

#[test]
fn a_run_that_stands_still_can_be_abandoned() {
    let store = Shared::default();
    let mut runner = runner(&store, Panics::Params);
    runner.app().0 = Panics::Never;
    runner.start::<Toy>(&job(1, 2, 100), 0, &mut Stuck::at(7)).unwrap();
    runner.app().0 = Panics::Record;
    assert!(catch_unwind(AssertUnwindSafe(|| runner.work(100))).is_err());
    assert!(catch_unwind(AssertUnwindSafe(|| runner.abandon(&job(1, 2, 100).sid, 100))).is_err());
    runner.app().0 = Panics::Never;
    let ended = runner.abandon(&job(1, 2, 100).sid, 100).unwrap().unwrap();
    assert_eq!(ended.outcome.kind, EndKind::Lost);
    assert_eq!(runner.at_work().count(), 0);
}
