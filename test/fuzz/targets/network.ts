import { IngestError } from "#domain/content/job.ts";
import { createFetcher } from "#net/fetcher.ts";
import { createWebhookSender } from "#net/webhook-sender.ts";
import { articlePage } from "../../support/servers/origin.ts";
import { randomResponse } from "../support/http-bytes.ts";
import { chooseBehaviour, startRawServer } from "../support/raw-server.ts";
import { expectKind, type Target } from "../support/target.ts";

const BODY = Buffer.from(articlePage());
const FETCH_MS = 1_500;

/** Responses to a link's request, truncated, reset and malformed at any byte. */
export const http: Target = {
  name: "http",
  testRounds: 120,
  async open() {
    const server = await startRawServer();
    const allow = new Set([`127.0.0.1:${server.port}`]);
    const fetcher = createFetcher({ allow, routes: new Map(), userAgent: "fuzz" });
    return {
      async round(random) {
        server.behave(() => chooseBehaviour(random.chance(0.03) ? new Uint8Array(0) : randomResponse(BODY, random), random));
        const maxBytes = random.pick([10, 1_000, 1_000_000]);
        const fetching = fetcher.fetch({ url: `http://127.0.0.1:${server.port}/page`, maxBytes, signal: AbortSignal.timeout(FETCH_MS) });
        try {
          const { body } = await fetching;
          if (body.length > maxBytes) throw new Error(`The body has ${body.length} bytes, more than ${maxBytes}.`);
        } catch (error) {
          expectKind(error, IngestError);
        }
      },
      async close() {
        await fetcher.close();
        await server.close();
      },
    };
  },
};

/** Responses to a webhook, in any form. */
export const webhook: Target = {
  name: "webhook",
  testRounds: 400,
  async open() {
    const server = await startRawServer();
    const allow = new Set([`127.0.0.1:${server.port}`]);
    const sender = createWebhookSender({ allow, userAgent: "fuzz", timeoutMs: FETCH_MS });
    const secrets = [`whsec_${Buffer.alloc(24, 7).toString("base64")}`];
    return {
      async round(random) {
        server.behave(() => chooseBehaviour(randomResponse(BODY, random), random));
        const url = `http://127.0.0.1:${server.port}/hook`;
        const outcome = await sender.send({ url, id: "msg_1", timestampSeconds: 1, body: "{}", secrets });
        if (!outcome.ok && (outcome.error ?? "") === "") throw new Error("A delivery failed without a reason.");
        if (Buffer.byteLength(outcome.responseStart ?? "") > 20_000) throw new Error("More of the response was kept than is allowed.");
        if (outcome.responseStart?.isWellFormed() === false || outcome.responseStart?.includes("\0"))
          throw new Error("The response kept is no text that every store takes.");
      },
      async close() {
        await sender.close();
        await server.close();
      },
    };
  },
};
