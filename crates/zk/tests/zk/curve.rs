//! Πsch and Πelog: all on the curve.

use quorate_curve::Curve;
use quorate_zk::{ProofFault, pi_elog, pi_sch};

use crate::support::*;

fn knows<C: Curve>(
    seed: u64,
) -> (pi_sch::Statement<C>, impl Fn() -> pi_sch::Witness<'static, C> + use<C>) {
    let x = scalar::<C>(&mut rng(seed));
    (pi_sch::Statement { x: C::mul_base(x) }, move || pi_sch::Witness { x })
}

fn equal<C: Curve>(
    seed: u64,
) -> (pi_elog::Statement<C>, impl Fn() -> pi_elog::Witness<'static, C> + use<C>) {
    let rng = &mut rng(seed);
    let [y, lambda, x, h] = [0; 4].map(|_| scalar::<C>(rng));
    let (x, h) = (C::mul_base(x), C::mul_base(h));
    let (l, m) = (C::mul_base(lambda), C::mul_base(y) + C::mul(&x, lambda));
    (pi_elog::Statement { l, m, x, y: C::mul(&h, y), h }, move || pi_elog::Witness { y, lambda })
}

fn sch_holds<C: Curve>() {
    let (statement, witness) = knows::<C>(1);
    let proof = made::<C, _>(&statement, witness(), FAST, 2);
    hostile::<C, _>(&statement, &proof, FAST);
    let x = statement.x;
    let others = [x + C::generator(), -x].map(|x| pi_sch::Statement { x });
    altered::<C, _>(&others, &proof, FAST);
    let none = pi_sch::Statement { x: C::identity() };
    assert_eq!(verdict::<C, _>(&none, proof.as_bytes(), FAST), Err(ProofFault::Identity));
}

#[test]
fn schnorr() {
    sch_holds::<K>();
    sch_holds::<P>();
}

fn elog_holds<C: Curve>() {
    let (statement, witness) = equal::<C>(1);
    let proof = made::<C, _>(&statement, witness(), FAST, 2);
    hostile::<C, _>(&statement, &proof, FAST);
    let g = C::generator();
    let s = statement;
    let others = [
        pi_elog::Statement { l: s.l + g, ..s },
        pi_elog::Statement { m: s.m + g, ..s },
        pi_elog::Statement { x: s.x + g, ..s },
        pi_elog::Statement { y: s.y + g, ..s },
        pi_elog::Statement { h: s.h + g, ..s },
        pi_elog::Statement { y: C::identity(), ..s },
        pi_elog::Statement { h: C::identity(), y: C::identity(), ..s },
        pi_elog::Statement { l: s.m, m: s.l, ..s },
    ];
    altered::<C, _>(&others, &proof, FAST);
}

#[test]
fn equal_logarithms() {
    elog_holds::<K>();
    elog_holds::<P>();
}
