//! A run in progress: its size, what runs beside Quorate, and how far it is.

use super::figure::Figure;
use super::machine::{Load, Watch};
use super::parts::Parts;
use super::progress::{Job, RunProgress};
use super::section::{Found, Section, Shown};
use super::served::Served;
use super::soak::Soaked;
use crate::ecdsa::EcdsaLibrary;
use crate::{Fixture, Library, Plan, Quorate, Routine, Size, Suite};

/// How much is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Every table and plot with the smallest sizes, in seconds: a test of the report itself.
    Tiny,
    /// Within three minutes.
    Quick,
    /// The sizes of the published tables.
    Full,
}

impl Scale {
    /// The name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.pick(["tiny", "quick", "full"])
    }

    /// The value for this scale, of those for all three.
    #[must_use]
    pub const fn pick<T: Copy>(self, [tiny, quick, full]: [T; 3]) -> T {
        match self {
            Self::Tiny => tiny,
            Self::Quick => quick,
            Self::Full => full,
        }
    }
}

/// Libraries that run in turns with Quorate, in this process. None in the main workspace: `benches/peers` has them.
#[derive(Default)]
pub struct Peers {
    /// FROST.
    pub frost: Vec<Box<dyn Library>>,
    /// Threshold ECDSA.
    pub ecdsa: Vec<Box<dyn EcdsaLibrary>>,
}

impl Peers {
    /// Quorate and every peer that has this suite of FROST, each ready for the size.
    pub(super) fn fixtures(&self, suite: Suite, size: Size) -> Vec<(&str, Box<dyn Fixture>)> {
        let peers = self.frost.iter().map(|peer| &**peer);
        core::iter::once(&Quorate as &dyn Library)
            .chain(peers)
            .filter_map(|library| Some((library.name(), library.fixture(suite, size)?)))
            .collect()
    }
}

/// A run in progress.
pub(super) struct Run<'a> {
    pub(super) scale: Scale,
    pub(super) peers: &'a Peers,
    pub(super) progress: RunProgress,
    /// The measurements that are there already.
    pub(super) parts: Parts,
    /// Loads of the custody service that were measured before.
    pub(super) served: &'a [Served],
    /// A soak that was made before.
    pub(super) soaked: Option<&'a Soaked>,
    /// The other load of the machine in each measurement of the chapter so far.
    pub(super) loads: Vec<Load>,
}

impl Run<'_> {
    /// The figures of a job: those that were stored before, or else those of a new measurement, which is announced. Empty
    /// if the run would take too long.
    fn figures(&mut self, job: &Job, work: impl FnOnce() -> Vec<Figure>) -> Vec<Figure> {
        if let Some((figures, load)) = self.parts.get(&job.label) {
            self.progress.had(job);
            self.loads.push(load);
            return figures;
        }
        if self.progress.leaves_out(job) {
            return Vec::new();
        }
        self.progress.begin(job);
        let watch = Watch::start();
        let figures = work();
        let load = watch.seen();
        self.parts.add(&job.label, &figures, load);
        self.loads.push(load);
        self.progress.end(job);
        figures
    }
}

/// A measurement of a chapter.
pub(super) struct Piece<'a> {
    pub(super) job: Job,
    /// Makes the figures; none if the chapter does the job when it makes its tables.
    work: Option<Box<dyn FnOnce() -> Vec<Figure> + 'a>>,
}

impl<'a> Piece<'a> {
    /// A measurement that takes about `cost` seconds.
    pub(super) fn new(
        label: impl Into<String>,
        cost: f64,
        work: impl FnOnce() -> Vec<Figure> + 'a,
    ) -> Self {
        Self { job: Job { label: label.into(), cost }, work: Some(Box::new(work)) }
    }

    /// A job that the chapter does itself.
    pub(super) fn later(job: Job) -> Self {
        Self { job, work: None }
    }
}

/// The answer to a published report.
pub(super) struct Chapter {
    /// The chapter's name on the command line and in the page.
    pub(super) id: &'static str,
    pub(super) title: &'static str,
    /// The measurements that it is going to make.
    pub(super) pieces: for<'a> fn(Scale, &'a Peers) -> Vec<Piece<'a>>,
    /// Puts together what the page has of their figures.
    pub(super) shown: fn(Found<'_>, &mut Run<'_>) -> Shown,
}

impl Chapter {
    /// Measures it.
    pub(super) fn run(&self, run: &mut Run<'_>) -> Section {
        let mut figures = Vec::new();
        for Piece { job, work } in (self.pieces)(run.scale, run.peers) {
            figures.extend(work.into_iter().flat_map(|work| run.figures(&job, work)));
        }
        let mut shown = (self.shown)(Found(&figures), run);
        figures.append(&mut shown.given);
        let load = Load::together(&core::mem::take(&mut run.loads));
        Section { id: self.id, title: self.title, figures, shown, load }
    }
}

/// Runs routines in turns. The figure beside each gets its microseconds in every turn.
pub(super) fn in_turns<'a>(
    timed: impl IntoIterator<Item = (Figure, Routine<'a>)>,
    runs: usize,
) -> Vec<Figure> {
    let plan = |(figure, routine)| (figure, Plan::new(routine));
    let mut plans: Vec<(Figure, Plan<'_>)> = timed.into_iter().map(plan).collect();
    for _ in 0..runs {
        for (figure, plan) in &mut plans {
            figure.samples.push(plan.sample());
        }
    }
    plans.into_iter().map(|(figure, _)| figure).collect()
}
