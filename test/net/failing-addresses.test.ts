import { expect, it } from "vitest";
import { createFetcher } from "#net/fetcher.ts";
import { parseAllow } from "#net/url.ts";
import { createWebhookSender } from "#net/webhook-sender.ts";
import { runInNamespace } from "./namespace/run.ts";

/** Two IPv6 addresses on a machine without IPv6: each `connect` fails immediately. */
const HOSTS = ["2606:4700::1 two.example", "2606:4700::2 two.example"];
const UNREACHABLE = "Could not connect to two.example.";

it.each(["up", "down"] as const)("a name whose addresses all fail makes only its request fail, loopback %s", async (loopback) => {
  const { code, stdout, stderr } = await runInNamespace(new URL("./namespace/request.ts", import.meta.url), { hosts: HOSTS, loopback });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(JSON.parse(stdout)).toEqual(["connection_failed", UNREACHABLE, "connection_failed", UNREACHABLE]);
});

it("a name whose addresses all fail makes its tiles fail, and the service keeps running", async () => {
  const { code, stdout, stderr } = await runInNamespace(new URL("./namespace/serve.ts", import.meta.url), {
    hosts: HOSTS,
    loopback: "up",
  });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const failed = "connection_failed";
  expect(JSON.parse(stdout)).toMatchObject({ codes: [failed, failed, failed], health: 200, code: 0 });
});

it("a name whose addresses all fail does so as fast with broadcast and multicast addresses, without a namespace", async () => {
  // TCP connections to these addresses fail inside `connect`, with and without IPv6.
  const resolve = async (): Promise<readonly string[]> => ["255.255.255.255", "224.0.0.1"];
  const allow = parseAllow("many.example:443,many.example:80");
  const fetcher = createFetcher({ allow, routes: new Map(), userAgent: "test", resolve });
  const sender = createWebhookSender({ allow, userAgent: "test", timeoutMs: 5_000, resolve });
  for (const url of ["https://many.example/", "http://many.example/"]) {
    const fetching = fetcher.fetch({ url, maxBytes: 1_000, signal: AbortSignal.timeout(5_000) });
    await expect(fetching).rejects.toMatchObject({ code: "connection_failed", message: "Could not connect to many.example." });
    const secrets = [`whsec_${Buffer.alloc(24, 7).toString("base64")}`];
    const outcome = await sender.send({ url, id: "msg_1", timestampSeconds: 1, body: "{}", secrets });
    expect(outcome).toMatchObject({ ok: false, error: "Could not connect to many.example." });
  }
  await Promise.all([fetcher.close(), sender.close()]);
});
