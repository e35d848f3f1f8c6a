//! Messages of a resharing or a repair, made from their description alone, right or wrong: a second implementation of the
//! formats and hashes of the protocols.

use quorate_curve::Curve;
use quorate_session::frame;

/// The content of a deal, and the lies in it.
pub struct Forged<'a, C: Curve> {
    /// The context of the run.
    pub context: [u8; 32],
    /// The dealer.
    pub dealer: u16,
    /// The polynomial, from the constant on.
    pub coefficients: Vec<C::Scalar>,
    /// `d` and the nonce of its proof.
    pub d: C::Scalar,
    /// The recipients with their opening keys, the dealer left out.
    pub to: Vec<(u16, Vec<u8>)>,
    /// The error that is added to the share of a recipient.
    pub error: &'a dyn Fn(u16) -> C::Scalar,
}

/// The place of a party on a polynomial.
#[must_use]
pub fn place<C: Curve>(party: u16) -> C::Scalar {
    C::Scalar::from(u64::from(party))
}

/// The value of a polynomial at a party's place.
pub fn at<C: Curve>(coefficients: &[C::Scalar], party: u16) -> C::Scalar {
    let x = place::<C>(party);
    coefficients.iter().rev().fold(C::Scalar::default(), |value, one| value * x + *one)
}

fn point<C: Curve>(scalar: &C::Scalar) -> Vec<u8> {
    C::encode_point(&C::mul_base(scalar)).as_ref().to_vec()
}

fn scalar<C: Curve>(scalar: &C::Scalar) -> Vec<u8> {
    C::encode_scalar(scalar).as_ref().to_vec()
}

/// The pad of a sealed scalar. `masked` is the digest of the deals, for a scalar that a helper seals to the
/// target.
pub fn pad<C: Curve>(
    context: &[u8; 32],
    masked: Option<&[u8; 32]>,
    [from, to]: [u16; 2],
    [d, y, k]: [&[u8]; 3],
) -> C::Scalar {
    let block = |number| {
        let mut transcript = frame::transcript(context, "quorate-keys pad");
        transcript.append("curve", C::NAME.as_bytes());
        match masked {
            None => transcript.append("share", &[]),
            Some(digest) => transcript.append("masked", digest),
        }
        transcript.append_u64("from", from.into());
        transcript.append_u64("to", to.into());
        transcript.append("D", d);
        transcript.append("Y", y);
        transcript.append("K", k);
        transcript.append_u64("block", number);
        transcript.finish()
    };
    C::scalar_from_wide(&[block(0), block(1)].concat())
}

impl<C: Curve> Forged<'_, C> {
    /// The body of the deal.
    #[must_use]
    pub fn body(&self) -> Vec<u8> {
        let d = point::<C>(&self.d);
        let sealed: Vec<Vec<u8>> = self
            .to
            .iter()
            .map(|(to, y)| {
                let k = C::mul(&C::decode_point(y).expect("a point"), &self.d);
                let k = C::encode_point(&k);
                let share = at::<C>(&self.coefficients, *to) + (self.error)(*to);
                let pad = pad::<C>(&self.context, None, [self.dealer, *to], [&d, y, k.as_ref()]);
                scalar::<C>(&(share + pad))
            })
            .collect();
        let commitment: Vec<Vec<u8>> = self.coefficients.iter().map(point::<C>).collect();
        let nonce = self.d + C::Scalar::from(5);
        let r = point::<C>(&nonce);
        let mut transcript = frame::transcript(&self.context, "quorate-keys deal");
        transcript.append("curve", C::NAME.as_bytes());
        transcript.append_u64("dealer", self.dealer.into());
        transcript.append_list("commitment", &commitment);
        transcript.append("D", &d);
        transcript.append_list("sealed", &sealed);
        transcript.append("R", &r);
        let e = C::scalar_from_wide(&transcript.finish());
        let z = scalar::<C>(&(nonce + e * self.d));
        [commitment.concat(), d, r, z, sealed.concat()].concat()
    }
}

/// A complaint of `to`, whose opening key is `y·G`, about the scalar that `from` sealed under `d`. It has the
/// proof for `y`, and the point `K = y·D + shift·G`.
pub fn complaint<C: Curve>(
    context: &[u8; 32],
    [from, to]: [u16; 2],
    d: &[u8],
    y: &C::Scalar,
    shift: &C::Scalar,
) -> Vec<u8> {
    let base = C::decode_point(d).expect("a point");
    let k = C::encode_point(&(C::mul(&base, y) + C::mul_base(shift)));
    let nonce = *y + C::Scalar::from(11);
    let mut transcript = frame::transcript(context, "quorate-keys complaint");
    transcript.append("curve", C::NAME.as_bytes());
    transcript.append_u64("from", from.into());
    transcript.append_u64("to", to.into());
    transcript.append("D", d);
    transcript.append("Y", &point::<C>(y));
    transcript.append("K", k.as_ref());
    transcript.append("A", &point::<C>(&nonce));
    transcript.append("B", C::encode_point(&C::mul(&base, &nonce)).as_ref());
    let e = C::scalar_from_wide(&transcript.finish());
    let z = nonce + e * *y;
    [&from.to_be_bytes(), k.as_ref(), &scalar::<C>(&e), &scalar::<C>(&z)].concat()
}

/// `D` in a deal of t points.
pub fn d_of<C: Curve>(deal: &[u8], t: usize) -> &[u8] {
    let point = size_of::<C::PointBytes>();
    &deal[t * point..(t + 1) * point]
}
