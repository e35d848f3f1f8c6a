//! Code common to P-256 and secp256k1: curves of prime order over crrl, with the compressed
//! form of SEC 1 section 2.3.3 as their encoding.

/// Implements [`crate::Curve`] for a curve over crrl; `$shift` is 2^256 modulo the order, `$mul`
/// multiplies a point, and `$msm` sums products.
macro_rules! sec1_curve {
    ($curve:ident, $name:literal, $order:expr, $shift:expr, $field:ty, $a_is_minus_3:literal, $mul:expr, $msm:expr) => {
        impl $crate::seal::Seal for $curve {}

        impl $crate::Curve for $curve {
            const NAME: &'static str = $name;
            const ORDER: &'static [u64] = &$order;

            type Scalar = Scalar;
            type Point = Point;
            type PointBytes = [u8; 33];
            type ScalarBytes = [u8; 32];

            fn identity() -> Point {
                Point(backend::Point::NEUTRAL)
            }

            fn generator() -> Point {
                Point(backend::Point::BASE)
            }

            fn is_identity(point: &Point) -> bool {
                point.0.isneutral() != 0
            }

            fn mul_base(scalar: &Scalar) -> Point {
                $crate::window::mul_base::<Self>(scalar)
            }

            fn mul(point: &Point, scalar: &Scalar) -> Point {
                $mul(point, scalar)
            }

            fn double(point: &Point) -> Point {
                Point(point.0.double())
            }

            fn msm_vartime(scalars: &[Scalar], points: &[Point]) -> Point {
                $msm(scalars, points)
            }

            fn mul_small_vartime(point: &Point, multiplier: u64) -> Point {
                $crate::msm::mul_small::<Self>(point, multiplier)
            }

            fn verify_vartime(key: &Point, r: &Point, s: &Scalar, c: &Scalar) -> bool {
                // One double multiplication. Splitting the challenge in two halves would be faster, but
                // has rare inputs that are hard to get right, and a signer can search for them.
                key.0.mul_add_mulgen_vartime(&-c.0, &s.0).equals(r.0) != 0
            }

            fn invert(scalar: &Scalar) -> Scalar {
                Scalar(backend::Scalar::ONE / scalar.0)
            }

            fn scalar_from_wide(bytes: &[u8]) -> Scalar {
                Scalar(backend::Scalar::decode_reduce(&reversed_slice(bytes)))
            }

            fn decode_scalar(bytes: &[u8]) -> Option<Scalar> {
                let bytes = Zeroizing::new(reversed(<[u8; 32]>::try_from(bytes).ok()?));
                // A scalar that is not canonical is refused.
                if !declassify(is_below(bytes.as_ref(), Self::ORDER)) {
                    return None;
                }
                let (scalar, _) = backend::Scalar::decode_ct(bytes.as_ref());
                Some(Scalar(scalar))
            }

            fn encode_scalar(scalar: &Scalar) -> [u8; 32] {
                reversed(scalar.0.encode())
            }

            fn scalar_limbs(scalar: &Scalar) -> [u64; 8] {
                limbs_from_le(Zeroizing::new(scalar.0.encode()).as_ref())
            }

            fn scalar_from_limbs(limbs: &[u64; 8]) -> Scalar {
                const SHIFT: backend::Scalar = $shift;
                let [a, b, c, d, e, f, g, h] = *limbs;
                Scalar(
                    backend::Scalar::from_w64le(a, b, c, d)
                        + backend::Scalar::from_w64le(e, f, g, h) * SHIFT,
                )
            }

            fn decode_point(bytes: &[u8]) -> Option<Point> {
                // With the tag 2 or 3 and x below p, there is one string for each point (none has
                // y = 0), so this is as strict as encoding again and comparing.
                let ([2 | 3], x) = bytes.split_first_chunk::<1>()? else {
                    return None;
                };
                let x = reversed(<[u8; 32]>::try_from(x).ok()?);
                if !is_below(&x, &FIELD) {
                    return None;
                }
                backend::Point::decode(bytes).map(Point)
            }

            fn encode_point(point: &Point) -> [u8; 33] {
                point.0.encode_compressed()
            }

            fn encode_points(points: &[Point]) -> Vec<[u8; 33]> {
                let projective: Vec<_> =
                    points.iter().map(|point| point.0.to_projective()).collect();
                let mut inverses: Vec<$field> = projective.iter().map(|(_, _, z)| *z).collect();
                <$field>::batch_invert(&mut inverses);
                projective
                    .iter()
                    .zip(&inverses)
                    .map(|((x, y, z), inverse)| {
                        let [low, ..] = (y * inverse).encode();
                        let tag = if z.iszero() != 0 { 0 } else { 2 | (low & 1) };
                        let mut bytes = [tag; 33];
                        let (_, x_bytes) = bytes.split_at_mut(1);
                        x_bytes.copy_from_slice(&reversed((x * inverse).encode()));
                        bytes
                    })
                    .collect()
            }
        }

        impl Point {
            /// The uncompressed form of SEC 1 (section 2.3.3): 4 ‖ x ‖ y, big-endian. Zeros for the
            /// identity.
            #[must_use]
            pub fn to_uncompressed(&self) -> [u8; 65] {
                self.0.encode_uncompressed()
            }

            /// Decodes the uncompressed form, strictly: `None` for anything else, the identity and
            /// the hybrid form included.
            #[must_use]
            pub fn from_uncompressed(bytes: &[u8; 65]) -> Option<Self> {
                let [4, x_and_y @ ..] = bytes else { return None };
                let (x, y) = x_and_y.split_first_chunk::<32>()?;
                let mut compressed = [2 | (y.last()? & 1); 33];
                let [_, place @ ..] = &mut compressed;
                *place = *x;
                // The one point with this x whose y is as even as theirs; their y must be its y.
                let point = <$curve as $crate::Curve>::decode_point(&compressed)?;
                (point.to_uncompressed() == *bytes).then_some(point)
            }
        }

        impl $crate::msm::Field for $field {
            fn zero() -> Self {
                <$field>::ZERO
            }

            fn one() -> Self {
                <$field>::ONE
            }

            fn square(self) -> Self {
                <$field>::square(self)
            }

            fn is_zero(self) -> bool {
                self.iszero() != 0
            }

            fn invert(self) -> Self {
                <$field>::ONE / self
            }

            fn replace_if(&mut self, other: &Self, mask: u32) {
                self.set_cond(other, mask);
            }
        }

        impl $crate::msm::Weierstrass for $curve {
            type Field = $field;
            const A_IS_MINUS_3: bool = $a_is_minus_3;

            fn to_projective(point: &Point) -> [$field; 3] {
                point.0.to_projective().into()
            }

            fn from_projective([x, y, z]: [$field; 3]) -> Point {
                // The sum of points of the curve is on the curve, so there is always a point.
                let mut point = backend::Point::NEUTRAL;
                point.set_projective(x, y, z);
                Point(point)
            }
        }

        impl $crate::window::Windowed for $curve {
            fn doubled(point: &Point, times: u32) -> Point {
                Point(point.0.xdouble(times))
            }

            fn replace_if(point: &mut Point, other: &Point, mask: u32) {
                point.0.set_cond(&other.0, mask);
            }

            fn negate_if(point: &mut Point, mask: u32) {
                point.0.set_condneg(mask);
            }
        }
    };
}
