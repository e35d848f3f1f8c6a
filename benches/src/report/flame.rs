//! Flame graphs of a whole protocol run, from the spans of the feature `tracing`: in the order of time, and regrouped
//! by function.

#[cfg(feature = "tracing")]
mod record;
#[cfg(any(feature = "tracing", test))]
mod svg;
#[cfg(any(feature = "tracing", test))]
mod tree;

use std::io;
use std::path::PathBuf;

use clap::{Args, value_parser};

use crate::args::one_of;
use crate::ecdsa::EcdsaStep;

/// A run that is to be drawn.
#[derive(Clone, Debug, PartialEq, Args)]
pub struct Flame {
    /// A step of threshold ECDSA
    #[arg(long = "protocol", value_name = "STEP",
        value_parser = one_of(EcdsaStep::ALL.map(|step| (step.name(), step))))]
    pub step: EcdsaStep,
    /// Number of parties, each of which takes part
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = value_parser!(u16).range(2..))]
    pub parties: u16,
    /// Where the drawings go
    #[arg(long = "out", value_name = "FOLDER", default_value = "target/report")]
    pub folder: PathBuf,
}

impl Flame {
    /// Runs the protocol and writes both drawings; their paths.
    ///
    /// # Errors
    /// A program without the feature `tracing`, or a folder that cannot be written to.
    #[cfg(feature = "tracing")]
    pub fn draw(&self) -> io::Result<String> {
        use super::ecdsa_lanes::{LEVEL, setup};
        use crate::ecdsa::{EcdsaLibrary as _, Ledger, QuorateEcdsa};
        use quorate_bignum::Engine;

        let fixture = QuorateEcdsa(Engine::detect()).fixture(setup(self.parties, 8));
        let mut fixture = fixture.ok_or_else(|| io::Error::other("no such protocol"))?;
        // The first run makes what is made once.
        fixture.prepare(self.step);
        fixture.run(self.step, &mut Ledger::timing());
        fixture.prepare(self.step);
        let root = record::recorded(|| fixture.run(self.step, &mut Ledger::timing()));
        std::fs::create_dir_all(&self.folder)?;
        let (name, engine, parties) = (self.step.name(), Engine::detect().name(), self.parties);
        let mut paths = String::new();
        for (tree, order) in [(&root, "chronological"), (&tree::regrouped(&root), "regrouped")] {
            let title = format!("{name}, {parties} parties, {LEVEL}, engine {engine}: {order}");
            let path = self.folder.join(format!("flame-{name}-{parties}-{order}.svg"));
            std::fs::write(&path, svg::drawn(tree, &title))?;
            paths += &format!("{}\n", path.display());
        }
        Ok(paths)
    }

    /// Refuses: this program has no spans.
    ///
    /// # Errors
    /// Always.
    #[cfg(not(feature = "tracing"))]
    pub fn draw(&self) -> io::Result<String> {
        Err(io::Error::other(
            "this program has no spans: cargo run --release -p quorate-benches --features tracing --bin report -- flame",
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn_run() -> io::Result<String> {
        let folder = std::env::temp_dir().join(format!("quorate-flame-{}", std::process::id()));
        let flame = Flame { step: EcdsaStep::Keygen, parties: 3, folder: folder.clone() };
        let paths = flame.draw()?;
        let read = |path: &str| std::fs::read_to_string(path).expect("just written");
        let svgs: String = paths.lines().map(read).collect();
        std::fs::remove_dir_all(folder)?;
        Ok(svgs)
    }

    #[cfg(feature = "tracing")]
    #[test]
    fn a_run_is_drawn_party_by_party() {
        let svgs = drawn_run().unwrap();
        let texts = [
            "turn party 0, round 1",
            "turn party 2, round 3",
            "advance",
            "receive",
            "turn 15 calls",
        ];
        for text in texts {
            assert!(svgs.contains(text), "{text}");
        }
    }

    #[cfg(not(feature = "tracing"))]
    #[test]
    fn without_spans_nothing_is_drawn() {
        assert!(drawn_run().unwrap_err().to_string().contains("--features tracing"));
    }
}
