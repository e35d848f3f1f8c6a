#!/usr/bin/env bash
# The assembly of the engine for 64-bit Arm: nothing but lengths may decide about a branch or an address.
#
#   benches/constant-time/aarch64.sh PROGRAM     a program for aarch64 with the engine in it, such as the tests of quorate-bignum
#
# Every instruction must be one of these: arithmetic in the registers of data, without a select and without a division; loads and
# stores at a pointer with a constant offset; steps of pointers and counters by constants; branches that compare a counter with zero.
# The registers of pointers and counters are x0 to x3. They never receive data, but for the carry that `reduce` returns.
set -euo pipefail
objdump=$(command -v aarch64-linux-gnu-objdump || command -v objdump)
names='addmul addsqr double_add_squares reduce'

data='x([4-9]|1[0-79]|2[0-8]|zr)'
memory='\[(x[0-2]|sp)(, #-?[0-9]+)?\](!|, #[0-9]+)?'
allowed="(mul|umulh|adds|adcs|adc|extr) $data, $data, $data(, #63)?
(cmp|cmn) $data, (#0x1|$data)
mov $data, xzr
(ldp|stp) $data, $data, $memory
(ldr|str) $data, $memory
(add|sub) (x[0-3]), \2, #0x[0-9a-f]+
cbn?z x[23], .*
mov x[23], x[0-2]
mov x27, x2
adc x1, xzr, xzr
mov x0, x1
ret"

code=$("$objdump" -d -C --no-show-raw-insn "$1" | tr '\t' ' ' | awk '
    /^[0-9a-f]+ <.*umulh::code::/ { name = $2; gsub(/.*code::|>:/, "", name) }
    /^$/ { name = "" }
    name != "" && / [0-9a-f]+: / { sub(/^ *[0-9a-f]+: */, ""); print name ": " $0 }')
for name in $names; do
    grep -q "^$name: ret" <<<"$code" || { echo "$name is not in $1" >&2; exit 2; }
done
wrong=$(sed 's/^[a-z_]*: //' <<<"$code" | grep -vxE "$allowed" || true)
[ -z "$wrong" ] || { printf 'not allowed in the kernel for 64-bit Arm:\n%s\n' "$wrong" >&2; exit 1; }
echo "$(wc -l <<<"$code") instructions of $(wc -w <<<"$names") functions, all of the kinds that show lengths alone"
