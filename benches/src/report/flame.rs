//! Flame graphs of a whole protocol run, from the spans of the feature `tracing`: in the order of time, and regrouped
//! by function.

#[cfg(feature = "tracing")]
mod record;
mod svg;
mod tree;

use std::io;
use std::path::PathBuf;

pub use svg::drawn;
pub use tree::{Node, Span, chronological, regrouped};

use crate::ecdsa::EcdsaStep;

/// A run that is to be drawn.
#[derive(Clone, Debug)]
pub struct Flame {
    /// The protocol.
    pub step: EcdsaStep,
    /// All of whom take part.
    pub parties: u16,
    /// Where the drawings go.
    pub folder: PathBuf,
}

impl Flame {
    /// Runs the protocol and writes both drawings; their paths.
    ///
    /// # Errors
    /// A program without the feature `tracing`, or a folder that cannot be written to.
    #[cfg(feature = "tracing")]
    pub fn draw(&self) -> io::Result<String> {
        use crate::ecdsa::{EcdsaCurve, EcdsaLibrary as _, Ledger, Level, QuorateEcdsa, Setup};
        use quorate_bignum::Engine;

        let (curve, level) = (EcdsaCurve::Secp256k1, Level::Bits112);
        let setup = Setup { curve, level, t: self.parties, n: self.parties, k: 8 };
        let fixture = QuorateEcdsa(Engine::detect()).fixture(setup);
        let mut fixture = fixture.ok_or_else(|| io::Error::other("no such protocol"))?;
        // The first run makes what is made once.
        fixture.prepare(self.step);
        fixture.run(self.step, &mut Ledger::timing());
        fixture.prepare(self.step);
        let spans = record::recorded(|| fixture.run(self.step, &mut Ledger::timing()));
        let root = chronological(spans);
        std::fs::create_dir_all(&self.folder)?;
        let (name, engine) = (self.step.name(), Engine::detect().name());
        let mut paths = String::new();
        for (tree, order) in [(&root, "chronological"), (&regrouped(&root), "regrouped")] {
            let title =
                format!("{name}, {} parties, 2048 bits, engine {engine}: {order}", self.parties);
            let path = self.folder.join(format!("flame-{name}-{}-{order}.svg", self.parties));
            std::fs::write(&path, drawn(tree, &title))?;
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
        for text in [
            "turn party 0, round 1",
            "turn party 2, round 3",
            "advance",
            "receive",
            "turn 15 calls",
        ] {
            assert!(svgs.contains(text), "{text}");
        }
    }

    #[cfg(not(feature = "tracing"))]
    #[test]
    fn without_spans_nothing_is_drawn() {
        assert!(drawn_run().unwrap_err().to_string().contains("--features tracing"));
    }
}
