"""Executes a payment of Ethereum in a local machine of its own, and checks the balance of the recipient.

    execute.py PUBLIC-KEY UNSIGNED SIGNATURE RECOVERY-ID

All are in hexadecimal: the uncompressed or compressed public key of the payer, the bytes that `custody sign` took (a transaction of
EIP-1559 without signature), and what it printed. Needs `eth-tester[py-evm]` and `eth-account`, of PyPI.
"""

import sys

import rlp
from eth_account import Account
from eth_keys import keys
from eth_tester import EthereumTester, PyEVMBackend
from eth_utils import to_checksum_address

ETHER = 10**18


def signed(unsigned: bytes, signature: bytes, recovery_id: int) -> bytes:
    """The transaction with its signature: type 2, and a list with three items more."""
    assert unsigned[0] == 2, "expected a transaction of EIP-1559"
    fields = rlp.decode(unsigned[1:])
    numbers = [recovery_id, int.from_bytes(signature[:32]), int.from_bytes(signature[32:])]
    return b"\x02" + rlp.encode(fields + numbers)


def main(public_key: str, unsigned: str, signature: str, recovery_id: str) -> None:
    encoded = bytes.fromhex(public_key)
    public = keys.PublicKey.from_compressed_bytes(encoded) if len(encoded) == 33 else keys.PublicKey(encoded[-64:])
    payer = public.to_checksum_address()
    transaction = signed(bytes.fromhex(unsigned), bytes.fromhex(signature), int(recovery_id))
    assert Account.recover_transaction(transaction) == payer, "another key has signed"

    backend = PyEVMBackend()
    type(backend.chain).chain_id = 1
    chain = EthereumTester(backend)
    rich = chain.get_accounts()[0]
    fields = rlp.decode(bytes.fromhex(unsigned)[1:])
    recipient, value = to_checksum_address(fields[5]), int.from_bytes(fields[6])
    chain.send_transaction({"from": rich, "to": payer, "value": 2 * value, "gas": 21000})
    before = chain.get_balance(recipient)
    receipt = chain.get_transaction_receipt(chain.send_raw_transaction("0x" + transaction.hex()))
    assert receipt["status"] == 1 and receipt["from"] == payer, receipt
    assert chain.get_balance(recipient) == before + value, "the recipient has another balance"
    print(f"{payer} paid {value / ETHER:g} ether to {recipient}")


main(*sys.argv[1:])
