"""Executes a signed transaction in a local Ethereum: evm.py RAW SENDER RECIPIENT.

The chain is py-evm's, which verifies the signature, the nonce and the balance as every node of Ethereum does. Prints the changes:
the sender's nonce, and what the recipient has got, in wei.
"""

import sys

from eth_tester import EthereumTester, PyEVMBackend
from eth_utils import decode_hex, to_checksum_address

raw, sender, recipient = sys.argv[1:]
ether = 10**18
backend = PyEVMBackend(
    genesis_state={decode_hex(sender): {"balance": 10 * ether, "nonce": 0, "code": b"", "storage": {}}},
)
tester = EthereumTester(backend)
sender, recipient = to_checksum_address(sender), to_checksum_address(recipient)
before = [tester.get_balance(sender), tester.get_balance(recipient), tester.get_nonce(sender)]
receipt = tester.get_transaction_receipt(tester.send_raw_transaction(raw))
assert receipt["status"] == 1 and receipt["from"] == sender, receipt
fee = receipt["gas_used"] * receipt["effective_gas_price"]
got = tester.get_balance(recipient) - before[1]
assert before[0] - tester.get_balance(sender) == got + fee, "the sender has paid something else"
assert before[2] == 0
print(tester.get_nonce(sender), got)
