//! The vectors of threshold ECDSA over a curve for one group: the key and its life.

use quorate::ecdsa::{Ecdsa, EcdsaCurve, KeyShare, Keygen, KeygenParams};

use crate::json::{Json, object};
use crate::keys::{GENERATION, Group, repair, reshare, stored};
use crate::record::{Detail, Outcome};
use crate::run::{Script, Trace};
use crate::seeds::Seeds;
use crate::shapes::Shape;
use crate::terms::{Item, Terms};

/// The file of a curve and a group.
pub(crate) fn file<C: EcdsaCurve>(shape: Shape, seeds: &Seeds<'_>) -> Json {
    let trace = generation::<C>(GENERATION, shape, seeds).honest();
    let mut ceremonies = vec![trace.json(Detail::Full, generated)];
    let group = group(trace);
    let (json, refreshed) = reshare("refresh", seeds, &group, (shape.first(), shape.committee()));
    ceremonies.push(json);
    if let Some(parts) = shape.repair() {
        ceremonies.push(repair("repair", seeds, &refreshed, parts));
    }
    let to = (shape.first(), shape.next());
    ceremonies.push(reshare("resharing", seeds, &refreshed, to).0);
    object! {
        "scheme": "ECDSA",
        "curve": C::NAME,
        "n": shape.all.len(),
        "t": shape.threshold,
        "detail": "full",
        "ceremonies": ceremonies,
    }
}

/// A key generation.
pub(crate) fn generation<C: EcdsaCurve>(
    ceremony: &str,
    shape: Shape,
    seeds: &Seeds<'_>,
) -> Script<Keygen<C>> {
    let threshold = Item::Number("threshold", shape.threshold.into());
    let bound = vec![Item::Text("curve", C::NAME.to_owned()), threshold];
    let terms = Terms::new(ceremony, seeds, shape.parties(), bound);
    Script::new(terms, seeds, |_| (KeygenParams::new(shape.threshold), object! {}))
}

/// The members for a party's result.
pub(crate) fn generated<C: EcdsaCurve>(share: &KeyShare<C>) -> Outcome {
    stored::<Ecdsa<C>>(share.public(), Some(share))
}

/// The key that a run has made.
pub(crate) fn group<C: EcdsaCurve>(trace: Trace<KeyShare<C>>) -> Group<Ecdsa<C>> {
    let results = trace.into_results();
    Group::of(results.map(|(party, share)| (party, share.public().clone(), Some(share))))
}
