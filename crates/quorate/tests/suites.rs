//! Every suite passes what the author of another one is given: `quorate_frost::test_suite`.
#![allow(missing_docs, clippy::unwrap_used, reason = "tests")]

use quorate::frost::generic::Ciphersuite;
use quorate_frost::test_suite::conformance;

fn passes_the_tests_for_authors_of_suites<S: Ciphersuite>() {
    conformance::<S>(&mut quorate_testkit::rng(1)).unwrap();
}

quorate_testkit::suite_tests!(passes_the_tests_for_authors_of_suites);
