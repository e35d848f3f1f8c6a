//! An application of two functions.

use alloc::vec::Vec;

use quorate_session::Protocol;
use quorate_session::zeroize::Zeroizing;

use crate::{App, Job, RunEnd};

/// An application of two functions, [`App::params`] and [`App::record`], for one whose type nobody has to name.
pub fn app_fn<P: Protocol>(
    params: impl FnMut(&Job) -> Option<P::Params>,
    record: impl FnMut(&Job, RunEnd<P::Output>) -> Zeroizing<Vec<u8>>,
) -> impl App<P> {
    Functions { params, record }
}

struct Functions<F, G> {
    params: F,
    record: G,
}

impl<P: Protocol, F, G> App<P> for Functions<F, G>
where
    F: FnMut(&Job) -> Option<P::Params>,
    G: FnMut(&Job, RunEnd<P::Output>) -> Zeroizing<Vec<u8>>,
{
    fn params(&mut self, job: &Job) -> Option<P::Params> {
        (self.params)(job)
    }

    fn record(&mut self, job: &Job, end: RunEnd<P::Output>) -> Zeroizing<Vec<u8>> {
        (self.record)(job, end)
    }
}
