//! The tables `[node]` and `[gateway]` of the settings: what is not said has its default, and what no machine can work with is refused.
#![allow(clippy::unwrap_used, reason = "a test")]

use core::time::Duration;

use custody_cli::{GatewayLimits, NodeLimits, Role, Settings};
use custody_gateway::Config;
use custody_node::Limits;

/// The first settings of a machine with other limits.
fn settings(role: Role, limits: &str) -> anyhow::Result<Settings> {
    let first = Settings::first(role, "m1", &["nats.example:4222".to_owned()]);
    let is_limit = |line: &&str| line.starts_with("node.") || line.starts_with("gateway.");
    let others: Vec<_> = first.lines().filter(|line| !is_limit(line)).collect();
    Settings::parse(&format!("{}\n{limits}\n", others.join("\n")))
}

#[test]
fn the_first_settings_are_the_defaults() {
    for role in [Role::Node, Role::Gateway] {
        let first = Settings::parse(&Settings::first(role, "m1", &[])).unwrap();
        let is_node = role == Role::Node;
        assert_eq!(first.node, is_node.then(NodeLimits::default));
        assert_eq!(first.gateway, (!is_node).then(GatewayLimits::default));
        let none = settings(role, "").unwrap();
        assert_eq!((none.node, none.gateway), (None, None));
    }
    assert_eq!(NodeLimits::default().limits(), Limits::default());
    let (config, default) = (GatewayLimits::default().config(), Config::default());
    assert_eq!(format!("{config:?}"), format!("{default:?}"));
}

#[test]
fn limits_that_are_set_are_those_of_the_machine() {
    let node =
        settings(Role::Node, "[node]\nretention_days = 8\nlog_retention_days = 90\nmax_keys = 5");
    let limits = node.unwrap().node.unwrap().limits();
    let day = 24 * 60 * 60;
    let expected =
        Limits { retention: 8 * day, log_retention: Some(90 * day), keys: 5, ..Limits::default() };
    assert_eq!(limits, expected);
    let gateway = "[gateway]\nretention_days = 8\nmax_open = 9\nnonces = { low = 3, high = 4 }";
    let config = settings(Role::Gateway, gateway).unwrap().gateway.unwrap().config();
    assert_eq!(config.retention, Duration::from_secs(8 * day));
    assert_eq!((config.max_open, config.nonces.low, config.nonces.high), (9, 3, 4));
}

#[test]
fn limits_that_no_machine_can_work_with_are_refused_by_name() {
    for (role, table, name) in [
        (Role::Node, "[node]\nretention_days = 0", "node.retention_days"),
        (Role::Node, "[node]\nretention_days = 7", "node.retention_days"),
        (Role::Node, "[node]\nretention_days = 36501", "node.retention_days"),
        (Role::Node, "[node]\nlog_retention_days = 29", "node.log_retention_days"),
        (Role::Node, "[node]\nlog_retention_days = 0", "node.log_retention_days"),
        (Role::Node, "[node]\nmax_keys = 0", "node.max_keys"),
        (Role::Node, "[node]\nmax_stock = 0", "node.max_stock"),
        (Role::Node, "[node]\nmax_jobs = 0", "node.max_jobs"),
        (Role::Node, "[node]\nmax_jobs = 65536", "node.max_jobs"),
        (Role::Node, "[node]\nmax_shares = 0", "node.max_shares"),
        (Role::Node, "[node]\nmax_share = 1", "max_share"),
        (Role::Node, "[gateway]\nmax_open = 1", "[gateway]"),
        (Role::Gateway, "[node]\nmax_keys = 1", "[node]"),
        (Role::Gateway, "[gateway]\nretention_days = 0", "gateway.retention_days"),
        // A request is valid for seven days.
        (Role::Gateway, "[gateway]\nretention_days = 7", "gateway.retention_days"),
        (Role::Gateway, "[gateway]\nmax_open = 0", "gateway.max_open"),
        (Role::Gateway, "[gateway]\nmax_attempts = 0", "gateway.max_attempts"),
        (Role::Gateway, "[gateway]\nsigner_sets = 0", "gateway.signer_sets"),
        (Role::Gateway, "[gateway]\nnonces = { low = 5, high = 4 }", "gateway.nonces"),
        (
            Role::Gateway,
            "[gateway]\npresignatures = { low = 0, high = 4 }",
            "gateway.presignatures",
        ),
        (Role::Gateway, "[gateway]\nlog_retention_days = 90", "log_retention_days"),
    ] {
        let error = settings(role, table).unwrap_err();
        assert!(format!("{error:#}").contains(name), "{table}: {error:#}");
    }
}
