// Makes a key and signs with it, through the client that openapi-typescript and openapi-fetch generate: client.js ADDRESS KEY.pem
import assert from "node:assert/strict";
import { createHash, createPrivateKey, createPublicKey, randomBytes, sign, verify } from "node:crypto";
import { readFileSync } from "node:fs";
import { createSignature } from "http-message-sig";
import createClient, { type Middleware } from "openapi-fetch";
import type { paths } from "./schema.js";

/** Signs every request of a caller (RFC 9421). */
function signed(pem: string): Middleware {
  const key = createPrivateKey(pem);
  const der = createPublicKey(key).export({ type: "spki", format: "der" });
  const keyid = createHash("sha256").update(der).digest("hex");
  const signer = { algorithm: "ed25519", sign: (data: Uint8Array) => new Uint8Array(sign(null, data, key)) };
  return {
    async onRequest({ request }) {
      const body = Buffer.from(await request.clone().arrayBuffer());
      const digest = createHash("sha256").update(body).digest("base64");
      request.headers.set("content-digest", `sha-256=:${digest}:`);
      const query = new URL(request.url).search ? ["@query"] : [];
      const created = Math.floor(Date.now() / 1000);
      const nonce = randomBytes(16).toString("hex");
      const fields = await createSignature(request, {
        components: ["@method", "@path", ...query, "content-digest"],
        parameters: { created, expires: created + 60, nonce, keyid, tag: "quorate-custody:acme" },
        signer,
      });
      request.headers.set("signature-input", fields.signatureInput);
      request.headers.set("signature", fields.signature);
      return request;
    },
  };
}

const [address, pem] = process.argv.slice(2);
assert(address && pem);
const client = createClient<paths>({ baseUrl: address });
client.use(signed(readFileSync(pem, "utf8")));

const spec = { scheme: "ed25519" as const, threshold: 2, members: [1, 2, 3] };
const made = await client.POST("/v1/keys", { body: spec, params: { query: { wait: 5 } } });
assert(made.data?.key, JSON.stringify(made.error));
const path = { key: made.data.key };
const described = await client.GET("/v1/keys/{key}", { params: { path, query: { path: "m/0/5" } } });
assert(described.data, JSON.stringify(described.error));
assert.equal(described.data.child?.path, "m/0/5");

const purpose = Buffer.from("a purpose").toString("base64");
const done = await client.POST("/v1/keys/{key}/sign", { params: { path }, body: { purpose } });
assert(done.data?.signature, JSON.stringify(done.error));
const x = Buffer.from(described.data.public_key, "base64").toString("base64url");
const publicKey = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
assert(verify(null, Buffer.from("a purpose"), publicKey, Buffer.from(done.data.signature.signature, "base64")));

const refused = await client.POST("/v1/keys/{key}/sign", { params: { path }, body: { purpose, on_behalf: "mallory" } });
assert.equal(refused.error?.type, "urn:quorate:custody:policy-denied");
console.log("TypeScript: a key was made, signed, and a refusal was read");
