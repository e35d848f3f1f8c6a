//! An application of two functions.

use core::marker::PhantomData;

use quorate_session::Protocol;

use crate::{App, Job, Record, RunEnd};

/// An application of two functions, [`App::params`] and [`App::record`], for one protocol.
pub fn app_fn<P: Protocol, R: Record>(
    params: impl FnMut(&Job) -> Option<P::Params>,
    record: impl FnMut(&Job, RunEnd<P::Output>) -> R,
) -> impl App<P, Record = R> {
    Functions { params, record, types: PhantomData::<fn() -> (P, R)> }
}

struct Functions<F, G, P, R> {
    params: F,
    record: G,
    types: PhantomData<fn() -> (P, R)>,
}

impl<P: Protocol, R: Record, F, G> App<P> for Functions<F, G, P, R>
where
    F: FnMut(&Job) -> Option<P::Params>,
    G: FnMut(&Job, RunEnd<P::Output>) -> R,
{
    type Record = R;

    fn params(&mut self, job: &Job) -> Option<P::Params> {
        (self.params)(job)
    }

    fn record(&mut self, job: &Job, end: RunEnd<P::Output>) -> R {
        (self.record)(job, end)
    }
}

/// Implements [`App`] for protocols whose outputs the store is to keep: the record of a run is an `Option` of its output, which is
/// `None` where there was none. Key generations are such protocols: their outputs stay in the transaction that ended the run, and
/// are stored nowhere else.
///
/// Each protocol comes with a function of the application and the job that gives the parameters, as [`App::params`] does. An output
/// that is [unconfirmed](crate::RunEnd::Unconfirmed) is kept, too: [`Outcome::kind`](crate::Outcome::kind) tells the two apart.
///
/// ```text
/// keep_outputs!(Node {
///     Dkg => |_, _| Some(DkgParams::new(2)),
///     AuxInfoGen => |node, _| Some(AuxInfoParams::new(node.primes.clone())),
/// });
/// ```
#[macro_export]
macro_rules! keep_outputs {
    ($app:ty { $($protocol:ty => $params:expr),* $(,)? }) => { $(
        impl $crate::App<$protocol> for $app {
            type Record = ::core::option::Option<$crate::__private::Output<$protocol>>;

            fn params(
                &mut self,
                job: &$crate::Job,
            ) -> ::core::option::Option<$crate::__private::Params<$protocol>> {
                let params: fn(&mut Self, &$crate::Job) -> _ = $params;
                params(self, job)
            }

            fn record(
                &mut self,
                _: &$crate::Job,
                end: $crate::RunEnd<$crate::__private::Output<$protocol>>,
            ) -> ::core::option::Option<$crate::__private::Output<$protocol>> {
                end.into_output()
            }
        }
    )* };
}
