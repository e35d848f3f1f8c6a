// Whether this machine takes relaxed SIMD. The module of one function has one such instruction, `f64x2.relaxed_madd` of three zeros, and is
// valid where the instruction is known.
const zero = [0x41, 0, 0xfd, 0x0f];

export const relaxed = () => WebAssembly.validate(new Uint8Array([
    0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, // the magic word and the version
    1, 5, 1, 0x60, 0, 1, 0x7b, // a type: no parameters, one vector
    3, 2, 1, 0, // a function of this type
    10, 19, 1, 17, 0, ...zero, ...zero, ...zero, 0xfd, 0x87, 2, 0x0b, // its code
]));
