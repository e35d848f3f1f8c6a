//! A run in progress: its size, what runs beside Quorate, and how far it is.

use super::figure::Figure;
use super::machine::{Load, Machine, Watch};
use super::parts::Parts;
use super::progress::{Job, Progress};
use super::section::Section;
use super::served::Served;
use super::soak::Soaked;
use crate::ecdsa::EcdsaLibrary;
use crate::{Library, Plan, Routine};

/// How much is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Every table and plot with the smallest sizes, in seconds: a test of the report itself.
    Tiny,
    /// Within three minutes.
    Quick,
    /// All sizes of the published tables.
    Full,
}

impl Scale {
    /// All scales.
    pub const ALL: [Self; 3] = [Self::Tiny, Self::Quick, Self::Full];

    /// The name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Tiny => "tiny",
            Self::Quick => "quick",
            Self::Full => "full",
        }
    }

    /// The value for this scale.
    pub fn pick<T>(self, tiny: T, quick: T, full: T) -> T {
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

/// A run in progress.
pub struct Run<'a> {
    /// How much is measured.
    pub scale: Scale,
    /// The libraries that run beside.
    pub peers: &'a Peers,
    /// The machine.
    pub machine: &'a Machine,
    /// How far it is.
    pub progress: Progress,
    /// The measurements that are there already.
    pub parts: Parts,
    /// Loads of the custody service that were measured before.
    pub served: &'a [Served],
    /// A soak that was made before.
    pub soaked: Option<&'a Soaked>,
    /// The other load of the machine in each measurement of the chapter so far.
    pub loads: Vec<Load>,
}

impl Run<'_> {
    /// The figures of a job: those that are there, or else it is done, and said so. None if the run would take too long.
    pub fn figures(&mut self, job: &Job, work: impl FnOnce() -> Vec<Figure>) -> Vec<Figure> {
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
        self.parts.add(&job.label, &figures, &load);
        self.loads.push(load);
        self.progress.end(job);
        figures
    }

    /// The load of the machine in this chapter, which ends.
    pub fn load(&mut self) -> Load {
        Load::together(&core::mem::take(&mut self.loads))
    }
}

/// The answer to a published report.
pub trait Chapter {
    /// Its name on the command line and in the page.
    fn id(&self) -> &'static str;

    /// The measurements that it is going to make.
    fn jobs(&self, scale: Scale, peers: &Peers) -> Vec<Job>;

    /// Measures it: the same jobs.
    fn run(&self, run: &mut Run<'_>) -> Section;
}

/// Runs routines in turns: microseconds of each in every turn.
#[must_use]
pub(super) fn in_turns(routines: Vec<Routine<'_>>, runs: usize) -> Vec<Vec<f64>> {
    let mut plans: Vec<Plan<'_>> = routines.into_iter().map(Plan::new).collect();
    let mut samples = vec![Vec::with_capacity(runs); plans.len()];
    for _ in 0..runs {
        for (plan, samples) in plans.iter_mut().zip(&mut samples) {
            samples.push(plan.sample());
        }
    }
    samples
}
