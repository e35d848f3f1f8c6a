//! The chapters of the report, in the order of the page.

use super::encoding::Encoding;
use super::frost::Frost;
use super::run::Chapter;
use super::tendermint::Tendermint;
use super::thorchain::Thorchain;
use super::tss::Tss;

/// The names of all.
pub(super) const NAMES: [&str; 5] = ["tss-ecdsa", "thorchain", "frost", "tendermint", "encoding"];

/// All chapters, or those of these names.
pub(super) fn chosen(names: &[String]) -> Vec<Box<dyn Chapter>> {
    let all: [Box<dyn Chapter>; NAMES.len()] = [
        Box::new(Tss),
        Box::new(Thorchain),
        Box::new(Frost),
        Box::new(Tendermint),
        Box::new(Encoding),
    ];
    all.into_iter()
        .filter(|chapter| names.is_empty() || names.iter().any(|name| name == chapter.id()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_chapter_has_its_name() {
        let ids: Vec<&str> = chosen(&[]).iter().map(|chapter| chapter.id()).collect();
        assert_eq!(ids, NAMES);
        assert_eq!(chosen(&["frost".to_owned()]).len(), 1);
    }
}
