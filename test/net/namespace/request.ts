import { createFetcher } from "#net/fetcher.ts";
import { parseAllow } from "#net/url.ts";
import { createWebhookSender } from "#net/webhook-sender.ts";

/** Sends the request of a link and a webhook to a name whose addresses all fail, over TLS and plain, and prints the results. */
const allow = parseAllow("");
const fetcher = createFetcher({ allow, routes: new Map(), userAgent: "test" });
const sender = createWebhookSender({ allow, userAgent: "test", timeoutMs: 5_000 });
const results: string[] = [];
for (const url of ["https://two.example/page", "http://two.example/page"]) {
  const fetching = fetcher.fetch({ url, maxBytes: 1_000, signal: AbortSignal.timeout(5_000) });
  results.push(
    await fetching.then(
      () => "fetched",
      (error: { code?: string }) => String(error.code),
    ),
  );
  const secrets = [`whsec_${Buffer.alloc(24, 7).toString("base64")}`];
  const outcome = await sender.send({ url, id: "msg_1", timestampSeconds: 1, body: "{}", secrets });
  results.push(outcome.error ?? "sent");
}
// An unhandled error ends the process before this line.
await new Promise((resolve) => setTimeout(resolve, 100));
process.stdout.write(`${JSON.stringify(results)}\n`);
await Promise.all([fetcher.close(), sender.close()]);
