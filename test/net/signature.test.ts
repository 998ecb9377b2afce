import { createHmac } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { expect, it } from "vitest";
import { newWebhookSecret } from "#domain/settings/webhook.ts";
import { signHex, signStandard } from "#net/signature.ts";

const body = JSON.stringify({ event: "tile.ready", payload: { title: "Grüße 日本 😀" } });

it("signatures sign the exact bytes with the displayed secret", () => {
  const secret = newWebhookSecret();
  expect(signHex(body, secret)).toBe(createHmac("sha256", secret).update(Buffer.from(body)).digest("hex"));
  expect(signHex(Buffer.from(body), secret)).toBe(signHex(body, secret));
  expect(signHex("what do ya want for nothing?", "Jefe")).toBe("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
});

it("signatures are accepted by the Standard Webhooks library", () => {
  const secret = newWebhookSecret();
  const now = Math.floor(Date.now() / 1000);
  const headers = {
    "webhook-id": "evt_1",
    "webhook-timestamp": String(now),
    "webhook-signature": signStandard("evt_1", now, body, secret),
  };
  expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
  expect(() => new Webhook(newWebhookSecret()).verify(body, headers)).toThrow();
  expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow();
});
