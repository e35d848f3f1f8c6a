//! The chapters of the report, in the order of the page.

use super::run::Chapter;
use super::{encoding, frost, tendermint, thorchain, tss};

/// All of them.
pub(super) const ALL: [Chapter; 5] = [
    Chapter {
        id: "tss-ecdsa",
        title: "Threshold ECDSA and its big numbers",
        pieces: tss::pieces,
        shown: tss::shown,
    },
    Chapter {
        id: "thorchain",
        title: "Threshold ECDSA among nodes",
        pieces: thorchain::pieces,
        shown: thorchain::shown,
    },
    Chapter { id: "frost", title: "FROST", pieces: frost::pieces, shown: frost::shown },
    Chapter {
        id: "tendermint",
        title: "Keys of validators",
        pieces: tendermint::pieces,
        shown: tendermint::shown,
    },
    Chapter { id: "encoding", title: "Encoding", pieces: encoding::pieces, shown: encoding::shown },
];

/// The chapters of these names, or every chapter.
pub(super) fn chosen(names: &[String]) -> Vec<Chapter> {
    let wanted = |one: &Chapter| names.is_empty() || names.iter().any(|name| name == one.id);
    ALL.into_iter().filter(wanted).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_chapter_has_its_name() {
        let ids: Vec<&str> = chosen(&[]).iter().map(|chapter| chapter.id).collect();
        assert_eq!(ids, ["tss-ecdsa", "thorchain", "frost", "tendermint", "encoding"]);
        assert_eq!(chosen(&["frost".to_owned()]).len(), 1);
    }
}
