import { createHmac } from "node:crypto";
import { expect, test, vi } from "vitest";
import { Webhook } from "standardwebhooks";
import { verifyWebhook } from "@tessera-board/sdk";

const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const previous = `whsec_${Buffer.alloc(32, 8).toString("base64")}`;
const at = Date.parse("2026-11-21T06:00:00.000Z");
const payload = { tileId: "til_1", boardId: "brd_1", title: "Zoë 🦊", type: "WEBSITE" };
const body = JSON.stringify({ event: "tile.ready", payload, sentAt: new Date(at).toISOString() });

const service = (key: string, text: string = body): string => createHmac("sha256", key).update(text).digest("hex");
const standard = (key: string, when: number = at): string => new Webhook(key).sign("msg_1", new Date(when), body);

function signed(...keys: readonly string[]) {
  return {
    "X-Service-Signature": service(keys[0] ?? ""),
    "webhook-id": "msg_1",
    "webhook-timestamp": String(at / 1000),
    "webhook-signature": keys.map((key) => standard(key)).join(" "),
  };
}

test("a request with only the documented signature is verified", async () => {
  const event = await verifyWebhook({ body, headers: { "x-service-signature": service(secret) }, secret, now: at });
  expect(event).toEqual({ event: "tile.ready", payload, sentAt: "2026-11-21T06:00:00.000Z" });
});

test("a request with both signatures is verified, from bytes and from Headers", async () => {
  const headers = new Headers(signed(secret));
  await expect(verifyWebhook({ body: Buffer.from(body), headers, secret, now: at })).resolves.toMatchObject({ event: "tile.ready" });
});

test("during rotation both secrets verify, and another one does not", async () => {
  const request = { body, headers: signed(secret, previous), now: at };
  await expect(verifyWebhook({ ...request, secret })).resolves.toMatchObject({ payload });
  await expect(verifyWebhook({ ...request, secret: previous })).resolves.toMatchObject({ payload });
  await expect(verifyWebhook({ ...request, secret: `whsec_${btoa("stranger")}` })).rejects.toMatchObject({ reason: "signature" });
});

test("a changed or re-serialised body is rejected", async () => {
  for (const headers of [signed(secret), { "x-service-signature": service(secret) }]) {
    for (const other of [body.replace("til_1", "til_2"), JSON.stringify(JSON.parse(body), null, 1)]) {
      await expect(verifyWebhook({ body: other, headers, secret, now: at })).rejects.toMatchObject({ reason: "signature" });
    }
  }
});

test("a request that is too old or in the future is rejected, unless the tolerance allows it", async () => {
  const request = { body, headers: signed(secret), secret };
  await expect(verifyWebhook({ ...request, now: at + 301_000 })).rejects.toMatchObject({ reason: "timestamp" });
  await expect(verifyWebhook({ ...request, now: at - 301_000 })).rejects.toMatchObject({ reason: "timestamp" });
  await expect(verifyWebhook({ ...request, now: at + 299_000 })).resolves.toMatchObject({ payload });
  await expect(verifyWebhook({ ...request, now: at + 900_000, toleranceSeconds: Infinity })).resolves.toMatchObject({ payload });
  for (const toleranceSeconds of [Number.NaN, "5m" as never])
    await expect(verifyWebhook({ ...request, now: at + 900_000, toleranceSeconds })).rejects.toThrow("too old");
});

test("a replay without the timestamp header is rejected by the time in the signed body", async () => {
  const headers = { "x-service-signature": service(secret) };
  await expect(verifyWebhook({ body, headers, secret, now: at + 301_000 })).rejects.toMatchObject({ reason: "timestamp" });
});

test("a changed timestamp header invalidates the signature", async () => {
  const headers = { ...signed(secret), "webhook-timestamp": String(at / 1000 + 60) };
  await expect(verifyWebhook({ body, headers, secret, now: at })).rejects.toMatchObject({ reason: "signature" });
});

test("missing and malformed signatures are rejected", async () => {
  await expect(verifyWebhook({ body, headers: {}, secret })).rejects.toMatchObject({ reason: "missing" });
  await expect(verifyWebhook({ body, headers: { "webhook-signature": standard(secret) }, secret })).rejects.toMatchObject({
    reason: "missing",
  });
  for (const header of ["zz", "00", service(secret).slice(2), `sha256=${service(secret)}`]) {
    await expect(verifyWebhook({ body, headers: { "x-service-signature": header }, secret, now: at })).rejects.toMatchObject({
      reason: "signature",
    });
  }
  const headers = { ...signed(secret), "webhook-signature": "v1,??? v2,abc v1" };
  await expect(verifyWebhook({ body, headers, secret, now: at })).rejects.toMatchObject({ reason: "signature" });
});

test("a signed body that is no event is rejected", async () => {
  await expect(verifyWebhook({ body: "[]", headers: { "x-service-signature": service(secret, "[]") }, secret })).rejects.toMatchObject({
    reason: "body",
  });
});

test("a body that was parsed before is named, and never allocates what its sender chose", async () => {
  for (const parsed of [JSON.parse(body), {}, { length: 4_000_000_000 }, 2_000_000_000, undefined]) {
    const failure = verifyWebhook({ body: parsed as string, headers: signed(secret), secret, now: at });
    await expect(failure).rejects.toMatchObject({ reason: "body", message: expect.stringContaining("before any parser") });
  }
});

test("a body may be an ArrayBuffer, as request.arrayBuffer() returns it", async () => {
  const bytes = new TextEncoder().encode(body).buffer;
  await expect(verifyWebhook({ body: bytes, headers: signed(secret), secret, now: at })).resolves.toMatchObject({ payload });
});

test("a missing secret is a mistake of the receiver, not a forged request", async () => {
  for (const missing of ["", undefined as never])
    await expect(verifyWebhook({ body, headers: signed(secret), secret: missing, now: at })).rejects.toThrow(RangeError);
});

test("only the first signatures are checked, so that a forged request is cheap to refuse", async () => {
  const verify = vi.spyOn(crypto.subtle, "verify");
  const headers = { ...signed(secret), "webhook-signature": `${`${standard(previous)} `.repeat(300)}${standard(secret)}` };
  await expect(verifyWebhook({ body, headers, secret, now: at })).rejects.toMatchObject({ reason: "signature" });
  expect(verify.mock.calls.length).toBeLessThanOrEqual(8);
  verify.mockRestore();
});

test("the class Headers of a framework is read too", async () => {
  const entries = new Map(Object.entries(signed(secret)).map(([name, value]) => [name.toLowerCase(), value]));
  const headers = { get: (name: string) => entries.get(name) ?? null } as unknown as Headers;
  await expect(verifyWebhook({ body, headers, secret, now: at })).resolves.toMatchObject({ payload });
});
