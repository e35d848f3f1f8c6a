#!/usr/bin/env bash
# Instructions of a Montgomery product and a square on aarch64, counted in QEMU: for processors that nobody has at hand.
#
#   benches/instructions.sh [BITS...]        2048 and 3072 unless given
#
# Needs cc, qemu-user with plugins (7.2 of Debian 12 has them), gcc-aarch64-linux-gnu, and rustup target add aarch64-unknown-linux-gnu.
set -euo pipefail
cd "$(dirname "$0")/.."
target=aarch64-unknown-linux-gnu
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# QEMU 9 has version 2 of the interface for plugins and refuses version 1. What is used here is the same in both.
version=$(qemu-aarch64 --version | sed -n '1s/.*version \([0-9]*\).*/\1/p')
cc -shared -fPIC -O2 -DINTERFACE=$((version < 9 ? 1 : 2)) -o "$folder/count.so" -x c - <<'PLUGIN'
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
struct block;
int qemu_plugin_version = INTERFACE;
size_t qemu_plugin_tb_n_insns(const struct block *);
void qemu_plugin_register_vcpu_tb_trans_cb(uint64_t, void (*)(uint64_t, struct block *));
void qemu_plugin_register_vcpu_tb_exec_cb(struct block *, void (*)(unsigned, void *), int, void *);
void qemu_plugin_register_atexit_cb(uint64_t, void (*)(uint64_t, void *), void *);
static uint64_t count;
static void executed(unsigned cpu, void *length) { count += (uintptr_t)length; }
static void translated(uint64_t id, struct block *block) {
    qemu_plugin_register_vcpu_tb_exec_cb(block, executed, 0, (void *)qemu_plugin_tb_n_insns(block));
}
static void ended(uint64_t id, void *data) { fprintf(stderr, "%" PRIu64 "\n", count); }
int qemu_plugin_install(uint64_t id, const void *info, int argc, char **argv) {
    qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
    qemu_plugin_register_atexit_cb(id, ended, NULL);
    return 0;
}
PLUGIN

program=$(cargo build --locked --quiet --release --target $target -p quorate-bignum --features counting --example repeat \
    --message-format json | sed -n 's/.*"executable":"\([^"]*\)".*/\1/p')
instructions() { # ENGINE BITS OPERATION TIMES
    qemu-aarch64 -L /usr/aarch64-linux-gnu -plugin "$folder/count.so" "$program" "$@" 2>&1
}

[ $# -gt 0 ] || set -- 2048 3072
printf '%-10s%6s  %-10s%14s%18s\n' engine bits operation instructions 'a limb product'
for engine in portable aarch64; do
    for bits in "$@"; do
        for operation in multiply square; do
            # The difference of two runs: what is done once does not count.
            few=$(instructions $engine "$bits" $operation 100)
            many=$(instructions $engine "$bits" $operation 1100)
            awk -v e=$engine -v b="$bits" -v o=$operation -v all=$((many - few)) 'BEGIN {
                limbs = b / 64; products = (o == "square" ? (limbs * limbs + limbs) / 2 : limbs * limbs) + limbs * limbs
                printf "%-10s%6d  %-10s%14d%18.2f\n", e, b, o, all / 1000, all / 1000 / products }'
        done
    done
done
