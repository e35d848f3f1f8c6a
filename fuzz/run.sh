#!/bin/sh
# Fuzzes for a while: fuzz/run.sh SECONDS [TARGET...]
#
# Runs every target, or those named, for a number of seconds each, one after the other, and stops at
# the first finding, which is then in fuzz/artifacts. Needs cargo-fuzz and the nightly compiler.
# Starts from fuzz/corpus and what earlier runs have added to fuzz/target/corpus.
set -eu
cd "$(dirname "$0")/.."
if [ $# -lt 1 ]; then
    echo "usage: fuzz/run.sh SECONDS [TARGET...]" >&2
    exit 2
fi
seconds=$1
shift
if [ $# -eq 0 ]; then
    # shellcheck disable=SC2046 # the names have no spaces
    set -- $(cargo +nightly fuzz list)
fi
for target in "$@"; do
    # Decoders run under AddressSanitizer, which sees every allocation. Sessions and signing spend
    # their time in field arithmetic; without it, and without the tracing of comparisons, they run
    # four times as fast, in a build of their own.
    case $target in
        *_operations | *_session | ecdsa_presign | session_frame | bignum_* | zk_claim | ecdsa_evidence | life_evidence | mldsa_sign | mldsa_dkg | mldsa_evidence)
            build="--sanitizer none --no-trace-compares --target-dir fuzz/target/plain" ;;
        *) build="--target-dir fuzz/target/address" ;;
    esac
    # Enough for every valid input, and for some rubbish behind it.
    case $target in
        ecdsa_presignature) length=2048 ;;
        mldsa_signature) length=4700 ;;
        derivation | verifying_key | *signature | signature_share | commitments | *_operations) length=256 ;;
        session_frame | *_session) length=2048 ;;
        ecdsa_presign | pkcs11_wire | prf_messages) length=4096 ;;
        migrate_*) length=2048 ;;
        zk_claim) length=2600 ;;
        ecdsa_evidence) length=4096 ;;
        life_stored | mldsa_stored) length=16384 ;;
        ecdsa_aux_info) length=5120 ;;
        *) length=1024 ;;
    esac
    # A proof with 128 repetitions takes its time, and so does making the first presignatures.
    case $target in
        zk_claim | ecdsa_*) timeout=60 ;;
        *) timeout=20 ;;
    esac
    echo "== $target, $seconds s"
    found=fuzz/target/corpus/$target
    mkdir -p "$found"
    # shellcheck disable=SC2086 # several words
    cargo +nightly fuzz run $build "$target" "$found" "fuzz/corpus/$target" -- \
        -max_total_time="$seconds" -timeout="$timeout" -rss_limit_mb=1024 -malloc_limit_mb=64 \
        -max_len="$length" -print_final_stats=1
done
