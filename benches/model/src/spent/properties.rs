//! The properties.

use stateright::Property;

use super::case::{Case, When};
use super::worker::{Ready, Worker};
use super::world::World;

/// Nobody is told that a database is an older copy unless one is.
fn no_false_alarm(_: &Case, world: &World) -> bool {
    !world.alarmed || world.copy.is_used
}

/// Databases of which one was restored while nobody had them open are used by nobody before they are accepted.
fn databases_fit(case: &Case, world: &World) -> bool {
    let usable = |worker: &Worker| worker.ready == Ready::Usable;
    case.when != When::Closed || world.fit() || !world.workers.iter().flatten().any(usable)
}

pub(super) fn all() -> Vec<Property<Case>> {
    vec![
        // Under one name one thing is released, and perhaps again.
        Property::always("once", |_, world: &World| !world.is_spent_twice()),
        Property::always("alarm", no_false_alarm),
        Property::always("fit", databases_fit),
    ]
}
