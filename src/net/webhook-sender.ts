import type { Dispatcher } from "undici";
import type { DeliveryOutcome, WebhookSender } from "#domain/settings/webhook.ts";
import { describeFailure, describeRefusal, describeTimeout } from "./failure.ts";
import { createGuardedAgent, type GuardedAgent, type Resolve } from "./guard.ts";
import { signHex, signStandard } from "./signature.ts";
import { type AllowList, readUrl, type ReadUrl } from "./url.ts";

export type WebhookSenderOptions = {
  readonly allow: AllowList;
  /** One delivery in all, look-up and response body included, in milliseconds. */
  readonly timeoutMs: number;
  readonly userAgent: string;
  readonly resolve?: Resolve | undefined;
};

type Delivery = Parameters<WebhookSender["send"]>[0];

/** What came of an attempt, before its duration is known. */
type Attempt = Omit<DeliveryOutcome, "durationMs">;

const MAX_RESPONSE_BYTES = 20_000;

/** Reads a webhook's address by the same rules as a link's; `allow` is WEBHOOK_ALLOW's list. */
export const readWebhookUrl = (input: string, allow: AllowList): ReadUrl => readUrl(input, allow);

/**
 * Makes the sender of webhooks: one signed POST over a connection of its own, never repeated, redirects not followed.
 * Any 2xx is a success, also when its body is cut after 20,000 bytes or by the time limit. The address is checked again at
 * every send. `send` never throws for what the receiver does. `close` drops the attempts under way.
 */
export const createWebhookSender = (options: WebhookSenderOptions): WebhookSender & { close(): Promise<void> } => {
  const agent = createGuardedAgent({ ...options, connectTimeoutMs: options.timeoutMs });
  return {
    send: async (delivery) => {
      const startedAt = performance.now();
      const outcome = await attempt(agent, options, delivery);
      return { ...outcome, durationMs: Math.round(performance.now() - startedAt) };
    },
    close: () => agent.destroy(),
  };
};

const attempt = async (agent: GuardedAgent, options: WebhookSenderOptions, delivery: Delivery): Promise<Attempt> => {
  const read = readWebhookUrl(delivery.url, options.allow);
  if (!read.ok) return unsent(describeRefusal(read, "The webhook's address", "WEBHOOK_ALLOW").message);
  if (delivery.secrets.length === 0) return unsent("The webhook has no secret to sign with.");
  const limit = new AbortController();
  const timeout = Promise.withResolvers<"timeout">();
  const timer = setTimeout(() => {
    timeout.resolve("timeout");
    limit.abort();
  }, options.timeoutMs);
  try {
    const sent = post(agent, options, read.url, delivery, limit.signal);
    // The race ends a look-up that hangs, which undici itself would sit out.
    const answer = await Promise.race([sent, timeout.promise]);
    if (answer !== "timeout") return await judge(answer);
    sent.then(
      (late) => late.body.on("error", () => {}).destroy(),
      () => {},
    );
    return unsent(describeTimeout(read.url.hostname).message);
  } catch (error: unknown) {
    const failure = limit.signal.aborted ? describeTimeout(read.url.hostname) : describeFailure(error, read.url.hostname, "WEBHOOK_ALLOW");
    return unsent(failure.message);
  } finally {
    clearTimeout(timer);
  }
};

const post = async (
  agent: GuardedAgent,
  options: WebhookSenderOptions,
  url: URL,
  delivery: Delivery,
  signal: AbortSignal,
): Promise<Dispatcher.ResponseData> => {
  // Signed and sent are the same bytes.
  const body = Buffer.from(delivery.body, "utf8");
  const sign = (secret: string): string => signStandard(delivery.id, delivery.timestampSeconds, body, secret);
  return agent.request({
    origin: url.origin,
    path: url.pathname + url.search,
    method: "POST",
    headers: {
      "content-type": "application/json",
      "user-agent": options.userAgent,
      accept: "*/*",
      "accept-encoding": "identity",
      "x-service-signature": signHex(body, delivery.secrets[0] ?? ""),
      "webhook-id": delivery.id,
      "webhook-timestamp": String(delivery.timestampSeconds),
      "webhook-signature": delivery.secrets.map(sign).join(" "),
    },
    body,
    // A connection that another delivery left open could be closed under this one.
    reset: true,
    signal,
  });
};

const judge = async (answer: Dispatcher.ResponseData): Promise<Attempt> => {
  const responseStart = await readStart(answer.body);
  const status = answer.statusCode;
  const ok = status >= 200 && status <= 299;
  return { ok, responseStatus: status, responseStart, error: ok ? null : describeStatus(status) };
};

const describeStatus = (status: number): string =>
  status >= 300 && status <= 399
    ? `The receiver answered ${status}, and redirects are not followed. Set the address it redirects to.`
    : `The receiver answered ${status}; any status from 200 to 299 counts as received.`;

/** Reads the body until it ends, breaks off, is over time, or fills the 20 KB that are kept. */
const readStart = async (body: Dispatcher.ResponseData["body"]): Promise<string> => {
  body.on("error", () => {});
  const kept = new Uint8Array(MAX_RESPONSE_BYTES);
  let size = 0;
  try {
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      const part = chunk.subarray(0, MAX_RESPONSE_BYTES - size);
      kept.set(part, size);
      size += part.length;
      if (size === MAX_RESPONSE_BYTES) break;
    }
  } catch {
    // The status has come: what is missing of the body changes nothing about the delivery.
  }
  return toText(kept.subarray(0, size));
};

/** Makes text that any store takes: no NUL, no lone surrogate, and in UTF-8 no longer than the bytes that are kept. */
const toText = (bytes: Uint8Array): string => {
  const text = new TextDecoder().decode(bytes).toWellFormed().replaceAll("\0", "\uFFFD");
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(MAX_RESPONSE_BYTES));
  return text.slice(0, read);
};

const unsent = (error: string): Attempt => ({ ok: false, responseStatus: null, responseStart: null, error });
