//! Lucas sequences: `U_k` and `V_k` for `P = 1` and `Q = (1 - D) / 4`, modulo a number.

use subtle::Choice;

use super::ring::Ring;
use crate::kernel::block::Blocks;

/// `U_k`, `V_k` and `Q^k` for an index `k` that doubles and steps up. The time depends on `D` alone.
pub(super) struct Lucas {
    /// The magnitude of `D`.
    d: u64,
    /// `true` if `D < 0`, and then `Q > 0`.
    negative: bool,
    /// The magnitude of `Q`.
    q: u64,
    pub(super) u: Blocks,
    pub(super) v: Blocks,
    /// `Q^k`.
    power: Blocks,
    spare: [Blocks; 3],
}

impl Lucas {
    /// The sequences at `k = 0`.
    pub(super) fn new(ring: &mut Ring, d: u64, negative: bool) -> Self {
        let q = if negative { (1 + d) >> 2 } else { (d - 1) >> 2 };
        let (u, mut v, power) = (ring.zero(), ring.one(), ring.one());
        ring.double(&mut v);
        let spare = [ring.zero(), ring.zero(), ring.zero()];
        Self { d, negative, q, u, v, power, spare }
    }

    /// From `k` to `2 k`: `U_2k = U V`, `V_2k = V^2 - 2 Q^k`.
    pub(super) fn double(&mut self, ring: &mut Ring) {
        let [twice, ..] = &mut self.spare;
        ring.mul(&mut self.u, &self.v);
        ring.square(&mut self.v);
        twice.copy_from_slice(&self.power);
        ring.double(twice);
        ring.sub(&mut self.v, twice);
        ring.square(&mut self.power);
    }

    /// From `k` to `k + 1`, where asked: `U' = (U + V) / 2`, `V' = (D U + V) / 2`.
    pub(super) fn next_if(&mut self, ring: &mut Ring, choice: Choice) {
        let [u, v, power] = &mut self.spare;
        ring.mul_small(v, &self.u, self.d);
        if self.negative {
            // V - |D| U, by way of its opposite.
            ring.sub(v, &self.v);
            negate(ring, v, u);
        } else {
            ring.add(v, &self.v);
        }
        ring.halve(v);
        u.copy_from_slice(&self.u);
        ring.add(u, &self.v);
        ring.halve(u);
        Ring::choose(&mut self.u, u, choice);
        Ring::choose(&mut self.v, v, choice);
        ring.mul_small(power, &self.power, self.q);
        if !self.negative {
            negate(ring, power, u);
        }
        Ring::choose(&mut self.power, power, choice);
    }
}

/// `a = -a`, with room to work.
fn negate(ring: &mut Ring, a: &mut Blocks, spare: &mut Blocks) {
    core::mem::swap(a, spare);
    a.fill(crate::kernel::block::Block::ZERO);
    ring.sub(a, spare);
}
