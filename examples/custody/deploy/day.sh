#!/usr/bin/env bash
# The operators' day of the README, on machines that are network namespaces of this one: three nodes, a gateway, a broker, and an
# office for operators and callers. Each machine has an address, a user and a folder /var/lib of its own. All of it is removed at the
# end. The script prints the seconds of each step, and ends at the first wrong output.
#
#   day.sh CUSTODY [NEXT]    the program, and the one to upgrade to; without it a copy of the first
#   MODULI=2048 day.sh …     smaller moduli, for a program that was built without optimisation
#   EVM=PYTHON day.sh …      a Python that has eth-tester and eth-account: a local EVM executes the payment
#
# It needs root, `ip`, `nats-server`, `openssl` and `curl`, and is skipped without them.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
custody=$(readlink -f "${1:?the program, as in target/release/custody}")
upgrade=$(readlink -f "${2:-$1}")
[ -x "$custody" ] && [ -x "$upgrade" ] || { echo "$custody or $upgrade is no program" >&2; exit 1; }

skip() { echo "skipped: the operators' day ($1)"; exit 0; }
[ "$(id -u)" = 0 ] || skip "not root"
for tool in ip nats-server openssl curl setpriv unshare; do
    command -v "$tool" >/dev/null || skip "$tool is missing"
done
net=cd$$
ip netns add "$net" 2>/dev/null || skip "no network namespaces"
ip -n "$net" link add switch type bridge 2>/dev/null || { ip netns del "$net" && skip "no bridges"; }

work=$(mktemp -d)
declare -A address=([n1]=10.77.0.1 [n2]=10.77.0.2 [n3]=10.77.0.3 [nats]=10.77.0.4 [g1]=10.77.0.5 [office]=10.77.0.6)
declare -A user=([n1]=64001 [n2]=64002 [n3]=64003 [nats]=64004 [g1]=64005 [office]=64006)
declare -A running=()
step=

end() {
    local code=$? who
    for who in "${!running[@]}"; do kill -KILL "${running[$who]}" 2>/dev/null || true; done
    wait 2>/dev/null
    if [ "$code" != 0 ]; then
        echo "FAILED: $step" >&2
        tail -n 5 "$work"/*.log >&2 2>/dev/null || true
    fi
    for who in "${!address[@]}"; do ip netns del "$net-$who" 2>/dev/null || true; done
    ip netns del "$net"
    rm -rf "$work"
    exit "$code"
}
trap end EXIT

began=$EPOCHREALTIME
next() {
    local now=$EPOCHREALTIME
    [ -z "$step" ] || awk -v a="$began" -v b="$now" -v text="$step" 'BEGIN { printf "%6.1f s  %s\n", b - a, text }'
    began=$now step=$1
}
fail() { echo "$1" >&2; exit 1; }
# expect TEXT PATTERN
expect() { grep -qE -e "$2" <<<"$1" || fail "expected '$2', got: $1"; }

# A machine: a namespace with one link to the switch, and a folder that is /var/lib on it and that its user alone reads.
machine() {
    local who=$1
    ip netns add "$net-$who"
    ip -n "$net-$who" link set lo up
    ip link add eth0 netns "$net-$who" type veth peer name "$who" netns "$net"
    ip -n "$net" link set "$who" master switch up
    ip -n "$net-$who" addr add "${address[$who]}/24" dev eth0
    ip -n "$net-$who" link set eth0 up
    install -d -m 0700 -o "${user[$who]}" "$work/$who" "$work/$who/lib" "$work/$who/lib/custody"
}
# lose WHO: the machine and all that it had are gone.
lose() {
    kill -KILL "${running[$1]}"
    wait "${running[$1]}" 2>/dev/null || true
    unset "running[$1]"
    # The cable first: what is in a namespace goes later than its name does.
    ip -n "$net" link del "$1"
    ip netns del "$net-$1"
    rm -rf "${work:?}/$1"
}
# on WHO COMMAND…: runs a command on a machine, in /var/lib/custody.
on() { (enter "$@"); }
enter() {
    local who=$1
    shift
    exec ip netns exec "$net-$who" unshare --mount sh -ec '
        mount --bind "$1/lib" /var/lib
        cd /var/lib/custody
        user=$2
        shift 2
        exec setpriv --reuid "$user" --regid "$user" --clear-groups --no-new-privs env PATH="'"$work/bin:$PATH"'" HOME=/var/lib/custody "$@"
    ' sh "$work/$who" "${user[$who]}" "$@"
}
# send FROM PATH TO PATH: an operator carries a file or a folder to another machine.
send() {
    local to=$work/$3/lib/custody/$4
    cp -rT "$work/$1/lib/custody/$2" "$to"
    chown -R "${user[$3]}" "$to"
}
start() {
    local who=$1
    shift
    (enter "$who" "$@") >>"$work/$who.log" 2>&1 &
    running[$who]=$!
}
stop() {
    kill -TERM "${running[$1]}"
    wait "${running[$1]}" || fail "$1 did not end well"
    unset "running[$1]"
}
run() { start "$1" "${2:-custody}" run --dir "/var/lib/custody/$1"; }
ready() {
    local who tries
    for who in "$@"; do
        for ((tries = 0; ; tries++)); do
            on "$who" curl -sf --max-time 2 http://127.0.0.1:9100/readyz >/dev/null && break
            kill -0 "${running[$who]}" 2>/dev/null || fail "$who has ended"
            [ "$tries" -lt 300 ] || fail "$who is not ready"
            sleep 0.2
        done
    done
}

gateway=(--gateway https://10.77.0.5:8443 --roots roots.pem)
office() { on office custody "$@"; }
# payment NONCE RECIPIENT: the bytes that a wallet hashes, for 1 ether on chain 1.
payment() {
    local hex="02f001${1}843b9aca008506fc23ac0082520894${2}880de0b6b3a764000080c0"
    # shellcheck disable=SC2059
    printf "$(sed 's/../\\x&/g' <<<"$hex")" | on office tee unsigned-transaction >/dev/null
    echo "$hex"
}
known=3535353535353535353535353535353535353535
stranger=00000000219ab540356cbb839cbe05303d7705fa
pay() {
    unsigned=$(payment "$1" "$known")
    # After a refresh the nodes presign first, which takes a slow machine more than the minute that is the default.
    signed=$(office sign "${gateway[@]}" --secret treasurer.pem --pin pin.json --kind evm-transaction --body unsigned-transaction --within 300)
    expect "$signed" '^[0-9a-f]{128}'$'\t''[01]$'
}
join() {
    send office shared "$1" shared
    expect "$(on "$1" custody init join --dir "/var/lib/custody/$1" --cluster shared --id "$id")" "^$1 is a member of $id\$"
}
# The lists of callers and the policies of a machine.
configure() {
    local who=$1 caller
    for caller in root:administer treasurer:request; do
        send office "${caller%:*}.pub" "$who" "${caller%:*}.pub"
        on "$who" custody caller add --callers "/var/lib/custody/$who/callers.json" --name "${caller%:*}" --role "${caller#*:}" --key "${caller%:*}.pub" >/dev/null
    done
    [ "$who" != g1 ] || return 0
    [ -z "${MODULI:-}" ] || echo "moduli = \"$MODULI\"" >>"$work/$who/lib/custody/$who/settings.toml"
    cp "$here/../policies/ethereum-treasury.cedar" "$work/trial.cedar" "$work/$who/lib/custody/$who/policies/"
    chown -R "${user[$who]}" "$work/$who/lib/custody/$who/policies"
}

next "machines and a network between them"
ip -n "$net" link set switch up
chmod 0711 "$work"
install -d "$work/bin" "$work/next"
install "$custody" "$work/bin/custody"
install "$upgrade" "$work/next/custody"
install "$(command -v nats-server)" "$work/bin/nats-server"
cat >"$work/trial.cedar" <<'CEDAR'
@id("trial") permit (principal, action in Action::"administer", resource) when { principal.roles.contains("administer") };
CEDAR
for who in n1 n2 n3 nats g1 office; do machine "$who"; done

next "each machine makes its secrets"
for party in 1 2 3; do
    on "n$party" custody init node --name "n$party" --party "$party" --dir "/var/lib/custody/n$party" >/dev/null
    send "n$party" "n$party/n$party.pub" office "n$party.pub"
done
on g1 custody init gateway --name g1 --dir /var/lib/custody/g1 >/dev/null
send g1 g1/g1.pub office g1.pub
for caller in root treasurer; do
    on office sh -c "umask 077; openssl genpkey -algorithm ed25519 -out $caller.pem && openssl pkey -in $caller.pem -pubout -out $caller.pub"
done
on g1 openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 365 -subj "/CN=g1" -addext subjectAltName=IP:10.77.0.5 \
    -addext basicConstraints=critical,CA:FALSE -keyout g1/tls.key -out g1/tls.pem 2>/dev/null
send g1 g1/tls.pem office roots.pem

next "the shared folder; all compare its id, and join"
id=$(office init cluster --name acme --nats 10.77.0.4:4222 --out cluster n1.pub n2.pub n3.pub g1.pub)
on office sh -c 'cp -r cluster shared && rm -r shared/authority.key shared/nats'
send office cluster/nats nats nats
send office shared n1 shared
if on n1 custody init join --dir /var/lib/custody/n1 --cluster shared --id "${id%?}x" 2>"$work/wrong-id"; then fail "n1 has joined another directory"; fi
expect "$(cat "$work/wrong-id")" "compare the id with the other operators"
for who in n1 n2 n3 g1; do join "$who"; done
office init trust --dir trust --cluster shared --id "$id" >/dev/null
sed -i 's/^listen = .*/listen = "10.77.0.5:8443"\ntls = { certificate = "tls.pem", key = "tls.key" }/' "$work/g1/lib/custody/g1/settings.toml"

next "callers and policies; everything runs"
for who in n1 n2 n3 g1; do configure "$who"; done
start nats sh -c 'cd nats && exec nats-server -c nats.conf'
for who in n1 n2 n3 g1; do run "$who"; done
ready n1 n2 n3 g1

next "a key of Ethereum, certified by all three"
on office tee spec.json >/dev/null <<<'{ "scheme": "ecdsa-secp256k1", "threshold": 2, "members": [1, 2, 3], "purposes": ["evm-transaction"], "scope": "treasury" }'
key=$(office key create "${gateway[@]}" --secret root.pem --spec spec.json --dir trust --pin pin.json)
expect "$key" '^[0-9a-f]{64}'$'\t''0[23][0-9a-f]{64}$'

next "a payment, signed and verified under the pinned key"
pay 80
first=("$unsigned" $signed)

next "a payment to a stranger is refused by the nodes' policy"
payment 01 "$stranger" >/dev/null
if office sign "${gateway[@]}" --secret treasurer.pem --pin pin.json --kind evm-transaction --body unsigned-transaction 2>"$work/refusal"; then
    fail "a payment to a stranger was signed"
fi
expect "$(cat "$work/refusal")" "none of the policies about evm-transaction allows it"

next "n3 is lost; the others sign, and go on as two of two"
lose n3
pay 01
expect "$(office key reshare "${gateway[@]}" --secret root.pem --pin pin.json --threshold 2 --members 1,2)" '^Done$'

next "a new machine takes its place in the next directory"
machine n3
on n3 custody init node --name n3 --party 3 --dir /var/lib/custody/n3 >/dev/null
send n3 n3/n3.pub office n3.pub
id=$(office init cluster --name acme --nats 10.77.0.4:4222 --out cluster2 --after cluster n1.pub n2.pub n3.pub g1.pub)
on office sh -c 'rm -r shared && cp -r cluster2 shared && rm -r shared/authority.key shared/nats'
stop nats
rm -r "$work/nats/lib/custody/nats"
send office cluster2/nats nats nats
start nats sh -c 'cd nats && exec nats-server -c nats.conf'
join n3
configure n3
run n3
for who in n1 n2 g1; do
    rm -r "$work/$who/lib/custody/shared"
    join "$who"
    stop "$who"
    run "$who"
    ready "$who"
done
ready n3
office init trust --dir trust --cluster shared --id "$id" >/dev/null

next "the new machine gets a share of the same key"
expect "$(office key reshare "${gateway[@]}" --secret root.pem --pin pin.json --threshold 2 --members 1,2,3)" '^Done$'
pay 02
expect "$(office key list "${gateway[@]}" --cluster acme --secret root.pem)" "^${key%%$'\t'*}.*2 of 1,2,3\$"

next "n3 comes back from its backup, on an empty machine; it rejoins and is restarted"
office init backup-key --out escrow >/dev/null
send office escrow.pub n3 escrow.pub
on n3 custody backup --dir /var/lib/custody/n3 --to escrow.pub --out n3.backup >/dev/null
send n3 n3.backup office n3.backup
expect "$(office drill n3.backup --key escrow)" "^${key%%$'\t'*}.*fits\$"
lose n3
machine n3
send office n3.backup n3 n3.backup
send office escrow n3 escrow
on n3 custody restore n3.backup --key escrow --dir /var/lib/custody/n3 >/dev/null
on n3 rm escrow
start n3 custody run --dir /var/lib/custody/n3 --rejoin
ready n3
stop n3
run n3
ready n3

next "n3 has forgotten its votes, and votes again once its operator has said how far the others came"
refresh() { office key refresh "${gateway[@]}" --secret root.pem --pin pin.json; }
if refresh 2>"$work/refusal"; then fail "a node that forgot its votes has voted"; fi
expect "$(cat "$work/refusal")" "n3: this node was restored.*--rejoin-key KEY=EPOCH"
stop n3
# This is the third change of the key's shares. The others look every half minute.
for ((tries = 0; ; tries++)); do
    highest=$(for who in n1 n2; do on "$who" curl -s http://127.0.0.1:9100/metrics; done |
        sed -n "s/^custody_node_highest_epoch{key=\"${key%%$'\t'*}\"} //p" | sort -n | tail -1)
    [ "${highest:-0}" -lt 3 ] || break
    [ "$tries" -lt 60 ] || fail "the others do not say that they have begun a change"
    sleep 1
done
start n3 custody run --dir /var/lib/custody/n3 --rejoin-key "${key%%$'\t'*}=$highest"
ready n3
for ((tries = 0; ; tries++)); do
    refresh >/dev/null 2>"$work/refusal" && break
    expect "$(cat "$work/refusal")" "n3: .*make the same change again"
    [ "$tries" -lt 3 ] || fail "n3 does not vote again"
done

next "refresh: all shares are new, the key stays"
expect "$(office key refresh "${gateway[@]}" --secret root.pem --pin pin.json)" '^Done$'
pay 03

next "an upgrade, one machine after another, with payments between"
nonce=4
for who in n1 n2 n3 g1; do
    stop "$who"
    [ "$who" = g1 ] || pay "0$nonce"
    run "$who" "$work/next/custody"
    ready "$who"
    nonce=$((nonce + 1))
done
pay "0$nonce"

next "the logs of all nodes agree"
for party in 1 2 3; do office log "${gateway[@]}" --cluster acme --secret root.pem --node "$party" --out logs >/dev/null; done
send n1 n1/callers.json office callers.json
expect "$(on office sh -c 'custody audit logs/*.jsonl --dir trust --callers callers.json')" '^3 logs with [0-9]+ entries agree$'

if [ -n "${EVM:-}" ] && "$EVM" -c 'import eth_tester, eth_account' 2>/dev/null; then
    next "a local EVM executes the payment"
    expect "$("$EVM" "$here/execute.py" "${key##*$'\t'}" "${first[@]}")" '^0x[0-9A-Fa-f]{40} paid 1 ether to 0x3535'
else
    next "skipped: no Python with eth-tester and eth-account for the EVM"
fi
next ""
