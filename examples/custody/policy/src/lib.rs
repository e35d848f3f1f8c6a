//! Policies of the signing service: the rules by which a node signs or refuses.
//!
//! A node decodes a request by itself and asks a [`Policy`]. [`Policies`] are the service's own: rules in [Cedar], where nothing
//! is allowed that no rule allows, and a rule that forbids wins. The crate does no input or output and has no clock. The
//! node hands in a [`Context`] and records the [`Decision`].
//!
//! ```
//! use custody_policy::{Action, Caller, Context, KeyFacts, MemoryWindows, Policies, Policy};
//! use quorate_purpose::evm::{Fees, Transaction, Unsigned};
//! use quorate_purpose::{Kind, Purpose};
//!
//! let policies = Policies::load([("treasury.cedar", r#"
//!     @id("payments")
//!     permit (principal == Caller::"treasurer", action == Action::"evm-transaction", resource)
//!     when {
//!         resource.scope == "treasury" && context.chain == "1" &&
//!         context has to && context.to == "0x3535353535353535353535353535353535353535" &&
//!         context.data == "0x" && context.holds.contains("value <= 2000000000000000000") &&
//!         context.holds.contains("sum value by chain in 1d <= 5000000000000000000")
//!     };"#)])?;
//!
//! let purpose = Purpose::from(Transaction::new(Unsigned {
//!     chain: 1,
//!     nonce: 9,
//!     fees: Fees::Legacy { gas_price: 20_000_000_000 },
//!     gas_limit: 21_000,
//!     to: Some([0x35; 20]),
//!     value: 2_000_000_000_000_000_000_u64.into(), // wei
//!     data: vec![],
//! })?);
//! let (facts, mut windows) = (purpose.facts(), MemoryWindows::default());
//! for day in [0, 0, 1] {
//!     let decision = policies.decide(&Context {
//!         caller: Caller { name: "treasurer", key: &[7; 32], roles: &["request"] },
//!         approvers: &[],
//!         action: Action::Sign(purpose.kind()),
//!         key: KeyFacts {
//!             id: "5f…", scheme: "ecdsa-secp256k1", scope: "treasury", labels: &Default::default(), purposes: &[],
//!         },
//!         facts: &facts,
//!         child: None,
//!         merkle_root: None,
//!         on_behalf: None,
//!         signature_context: &[],
//!         now: 1_800_000_000 + day * 90_000,
//!         deadline: 1_800_000_060 + day * 90_000,
//!         windows: &windows,
//!     });
//!     assert_eq!(decision.policies, ["payments"]);
//!     windows.record(&decision.counts); // in the transaction that records the decision
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What a policy sees
//!
//! The principal is the `Caller`, with its `roles`. The resource is the `Key`, with `scheme`, `scope`, `purposes`, and its labels as
//! tags. The action is the kind of the purpose, such as `Action::"evm-transaction"`, or a change: `create-key`, `refresh`,
//! `reshare`, `disable`, `enable`, `schedule-deletion`, `cancel-deletion`, `replenish`, `cancel`. All kinds are in the group
//! `Action::"sign"`, all changes in `Action::"administer"`. The context has the facts of the purpose, and:
//!
//! | attribute | meaning |
//! |---|---|
//! | `now`, `deadline` | the time of the node's clock, and the end of the request, in seconds since 1970 |
//! | `approvers` | the callers that approved this request, without the requester |
//! | `child` | the path of the child key that is to sign, such as `m/0/5`; absent for the key itself. An output with scripts has one, at `m` too |
//! | `merkle_root` | the Merkle root of the scripts that the output of a Taproot key commits to, in hex; absent if it has no scripts |
//! | `on_behalf` | whom the caller says it acts for, if it says so |
//! | `signature_context` | the context string under which a key of ML-DSA is to sign, in hex; absent if it is empty |
//! | `holds` | the comparisons that hold, see below |
//!
//! [`schema`](fn@schema) gives the type of each. Bytes are texts of `0x` and lower-case hex digits; a literal with upper-case
//! digits is refused, since it would match nothing. A call of a contract has its first eight words as `argument_0` to
//! `argument_7`, and the `message.data` of typed data has them as `message.data.argument_0` and so on, with
//! `message.data.selector`. A fact that is not in a content is absent, and a policy that forgets to ask `context has to` does
//! not load.
//!
//! Facts whose names the requester chooses (`message.` of typed data, `claim/` of tokens, `extension/` of certificates) are tags,
//! by their type: `context.texts`, `.numbers` (in decimal), `.hex`, `.flags`, `.text_lists`, `.number_lists` and `.hex_lists`.
//! A text that looks like a number is not under `numbers`. A request that has a list of mixed values or of lists is
//! refused: no policy would see it.
//!
//! # Comparisons
//!
//! Cedar's integers have 64 bits, and amounts in wei have 256. An integer that can be beyond 63 bits is a text in decimal, so
//! that Cedar refuses to load a policy that orders it. A policy writes the comparison as a text instead, this crate
//! computes it exactly, and `context.holds.contains("…")` is true if it holds:
//!
//! | text | holds if |
//! |---|---|
//! | `value <= 5000000000000000000` | the fact is at most that; also `<`, `==`, `!=`, `>=`, `>` |
//! | `message.deadline <= now + 3600` | the fact is at most an hour after the node's time |
//! | `sum value by chain in 1d <= 9000` | the values that were allowed in a day on this chain, with this one, are at most that |
//! | `count by to in 15m <= 3` | the requests to this recipient are at most three, with this one |
//! | `approvals >= 2` | two callers other than the requester approved |
//! | `approvals from ann,bob,eve >= 2` | two of these three did; the requester does not count |
//! | `approvals with requester >= 2` | as above, and the requester counts if it approved |
//!
//! A comparison with an absent fact does not hold, whatever the operator. So a policy that forbids has `unless { …"value <= 5" }`
//! and not `when { …"value > 5" }`: the second says nothing about a content without a value. A text that is not a
//! comparison, or that names a number that no action of the policy has, is refused when the policy is loaded.
//!
//! The other integers are Cedar's. A height or a price of gas beyond 2⁶³ − 1 ends the decision, and the request is refused.
//!
//! # Rules beyond Cedar's
//!
//! - A policy that ends in an error, such as an overflow, refuses the request. Cedar would skip it, even if it forbids.
//! - Opaque kinds and delegations (EIP-7702) are allowed only by a policy whose head names them: `action == Action::"opaque-digest"`,
//!   or a list with it. A policy for all actions or for a group never allows one.
//! - Policies are validated strictly, and what Cedar warns of is an error: a policy that can never apply is not loaded.
//! - Every policy has an `@id`, which refusals name.
//!
//! # Windows
//!
//! A window belongs to a key, and counts what every policy allowed for the actions of the policies that name it. It covers its
//! period and up to a 24th more. A clock that is set back opens nothing. See [`Count`] for what a node records.
//!
//! # Misuse
//!
//! This crate cannot prevent:
//!
//! 1. **Typed data of another contract**: The requester chooses names and types of fields. Compare `verifying_contract`, `chain` and
//!    `primary_type` in each policy for `eip712`; the contract checks the types.
//! 2. **Arrays of structs**: Their elements are not facts, see `quorate-purpose`. Forbid types that have some.
//! 3. **An empty list**: `["…"].containsAll(list)` is true for it. Ask for `!list.isEmpty()` too.
//! 4. **A unit**: The same `value` is another amount on another chain. Windows have `by chain`.
//!
//! [Cedar]: https://www.cedarpolicy.com
mod action;
mod approvals;
mod check;
mod comparison;
mod context;
mod decide;
mod facts;
mod holds;
mod input;
mod integer;
mod literals;
mod nesting;
mod policies;
mod rule;
mod schema;
mod values;
mod vocabulary;
mod window;

pub use action::Action;
pub use approvals::{Approval, approvers};
pub use check::{Report, check};
pub use context::{Caller, Context, Decision, KeyFacts, Outcome, Policy};
pub use integer::checked_add;
pub use policies::{LoadError, Policies};
pub use schema::schema;
pub use window::{Count, MemoryWindows, Unavailable, Windows};
