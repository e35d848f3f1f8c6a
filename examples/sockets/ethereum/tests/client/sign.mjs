// Programs of Ethereum that know nothing of committees: ethers asks the socket for signatures, and the EVM of EthereumJS executes what it
// gets.
import assert from "node:assert/strict";
import { createBlock } from "@ethereumjs/block";
import { Common, Hardfork, Mainnet } from "@ethereumjs/common";
import { createTxFromRLP } from "@ethereumjs/tx";
import { Account, createAddressFromString, hexToBytes } from "@ethereumjs/util";
import { createVM, runTx } from "@ethereumjs/vm";
import {
  FetchRequest, JsonRpcProvider, Transaction, Wallet, concat, getAddress, hashMessage, isError, keccak256, parseEther, verifyMessage,
  verifyTypedData, zeroPadValue,
} from "ethers";

const [url, name, secret] = process.argv.slice(2);
const request = (secret, headers = {}) => {
  const request = new FetchRequest(url);
  request.setCredentials(name, secret);
  request.allowInsecureAuthentication = true;
  Object.entries(headers).forEach(([name, value]) => request.setHeader(name, value));
  return request;
};
const authorization = "Basic " + Buffer.from(`${name}:${secret}`).toString("base64");
const rest = (path, body) => fetch(url + path, {
  method: body ? "POST" : "GET", headers: { authorization }, body: body && JSON.stringify(body),
});

// A chain of one account, which has ten ether.
const provider = new JsonRpcProvider(request(secret));
assert.equal((await provider.getNetwork()).chainId, 1n);
const signer = await provider.getSigner(0);
const own = createAddressFromString(signer.address);
// The blobs are not here, so nothing computes a commitment.
const customCrypto = { kzg: {} };
const common = new Common({ chain: Mainnet, hardfork: Hardfork.Prague, customCrypto });
const vm = await createVM({ common });
await vm.stateManager.putAccount(own, new Account(0n, parseEther("10")));
const header = { baseFeePerGas: 7n, excessBlobGas: 0n, gasLimit: 30_000_000n };
const block = createBlock({ header }, { common, skipConsensusFormatValidation: true });
const execute = async (raw) => {
  const tx = createTxFromRLP(hexToBytes(raw), { common });
  assert.equal(tx.getSenderAddress().toString(), own.toString());
  const made = await runTx(vm, { tx, block });
  assert.equal(made.execResult.exceptionError, undefined);
  return made;
};
const balance = async (of) => (await vm.stateManager.getAccount(createAddressFromString(of)))?.balance ?? 0n;
let nonce = 0;
const next = (fields) => ({ chainId: 1, nonce: nonce++, gasLimit: 200_000, ...fields });
const dynamic = { type: 2, maxFeePerGas: 1_000n, maxPriorityFeePerGas: 2n };

// Payments of the three older types.
const friend = getAddress("0x" + "35".repeat(20));
const accessList = [{ address: friend, storageKeys: ["0x" + "01".repeat(32)] }];
for (const fields of [{ type: 0, gasPrice: 1_000n }, { type: 1, gasPrice: 1_000n, accessList }, dynamic]) {
  await execute(await signer.signTransaction(next({ to: friend, value: parseEther("1"), ...fields })));
}
assert.equal(await balance(friend), parseEther("3"));

// A contract that stores the first word of a call, and a call of it.
const code = "0x600035600055" + "00";
const create = "0x66" + code.slice(2) + "600052" + "60076019f3";
const { createdAddress } = await execute(await signer.signTransaction(next({ data: create, ...dynamic })));
const contract = createdAddress.toString();
const word = "0x" + "ab".repeat(32);
await execute(await signer.signTransaction(next({ to: contract, data: word, ...dynamic })));
const slot = await vm.stateManager.getStorage(createdAddress, hexToBytes("0x" + "00".repeat(32)));
assert.equal("0x" + Buffer.from(slot).toString("hex"), word);

// The delegation of another account, for which the committee's account pays (EIP-7702).
const other = Wallet.createRandom();
const delegation = await other.authorize({ address: contract, nonce: 0, chainId: 1 });
const authorizationList = [delegation];
await execute(await signer.signTransaction(next({ to: friend, authorizationList, ...dynamic, type: 4 })));
const delegated = await vm.stateManager.getCode(createAddressFromString(other.address));
assert.equal(Buffer.from(delegated).toString("hex"), "ef0100" + contract.slice(2));

// A transaction with blobs, by web3signer's REST: ethers leaves out the price of blobs when it asks another for a signature.
const blobs = Transaction.from(next({
  to: friend, value: 1n, ...dynamic, type: 3, maxFeePerBlobGas: 10n, blobVersionedHashes: ["0x01" + "22".repeat(31)],
}));
const keys = await (await rest("/api/v1/eth1/publicKeys")).json();
assert.equal("0x" + keccak256(keys[0]).slice(26), own.toString());
for (const account of [keys[0], signer.address]) {
  const answer = await rest("/api/v1/eth1/sign/" + account, { data: blobs.unsignedSerialized });
  blobs.signature = await answer.text();
}
await execute(blobs.serialized);
assert.equal(await balance(friend), parseEther("3") + 1n);

// Typed data and messages, which ethers and the EVM's own `ecrecover` verify.
const domain = { name: "Post", version: "1", chainId: 1, verifyingContract: contract };
const types = { Mail: [{ name: "to", type: "address" }, { name: "amounts", type: "uint256[]" }] };
const mail = { to: friend, amounts: [1n, 2n ** 255n] };
const typed = await signer.signTypedData(domain, types, mail);
assert.equal(verifyTypedData(domain, types, mail, typed), signer.address);
const text = "app.example wants you to sign in with your Ethereum account:\n" + signer.address;
for (const signature of [await signer.signMessage(text), await signer._legacySignMessage(text)]) {
  assert.equal(verifyMessage(text, signature), signer.address);
  const [r, s, v] = [signature.slice(0, 66), "0x" + signature.slice(66, 130), "0x" + signature.slice(130)];
  const data = hexToBytes(concat([hashMessage(text), zeroPadValue(v, 32), r, s]));
  const { execResult } = await vm.evm.runCall({ to: createAddressFromString("0x" + "01".padStart(40, "0")), data, gasLimit: 10_000n });
  assert.equal("0x" + Buffer.from(execResult.returnValue).toString("hex", 12), own.toString());
}

// What is refused.
const fails = async (of, check) => assert.rejects(of, check);
const payment = { chainId: 1, nonce: 99, gasLimit: 21_000, to: friend, value: 1n, ...dynamic };
await fails(signer.signTransaction({ ...payment, chainId: 5 }), /signs for the chain 1 alone/);
await fails(signer.signTransaction({ ...payment, value: parseEther("5") }), /refused/);
await fails(provider.send("eth_sendTransaction", [{}]), /eth_sendRawTransaction/);
const digest = { data: keccak256(word) };
assert.equal((await rest("/api/v1/eth1/sign/" + signer.address, digest)).status, 403);
for (const wrong of [request("a wrong secret of it"), request(secret, { origin: "https://page.example" })]) {
  wrong.body = "{}";
  const answer = await wrong.send();
  assert.equal(answer.statusCode, 401);
}
assert.equal(await (await fetch(url + "/upcheck")).text(), "OK");
assert.equal((await (await fetch(url + "/healthcheck")).json()).status, "UP");
provider.destroy();
console.log(`executed ${nonce}`);
