import type { Dispatcher } from "undici";
import { findShortage, ShortageError } from "#domain/core/errors/shortage.ts";
import type { DeliveryOutcome } from "#domain/events/delivery.ts";
import type { WebhookSender } from "#domain/settings/webhook.ts";
import { describeNetworkFailure, describeRefusal, describeTimeout } from "./failure.ts";
import { createGuardedAgent, type GuardedAgent } from "./guard.ts";
import type { Resolve } from "./resolve.ts";
import { signHex, signStandard } from "./signature.ts";
import { type AllowList, readUrl, type ReadUrl } from "./url.ts";

export type WebhookSenderOptions = {
  readonly allow: AllowList;
  /** Timeout of one delivery in milliseconds, including DNS lookup and response body. */
  readonly timeoutMs: number;
  readonly userAgent: string;
  readonly resolve?: Resolve | undefined;
};

type Delivery = Parameters<WebhookSender["send"]>[0];

/** The outcome of an attempt without its duration. */
type Attempt = Omit<DeliveryOutcome, "durationMs">;

const MAX_RESPONSE_BYTES = 20_000;

/** Parses the URL of a webhook by the rules for links. `allow` is the list of WEBHOOK_ALLOW. */
export const readWebhookUrl = (input: string, allow: AllowList): ReadUrl => readUrl(input, allow);

/**
 * Creates the webhook sender. It sends one signed POST over a new connection, without retries and redirects. Any 2xx is a success, even
 * when the body is longer than 20,000 bytes or times out. The URL is checked at every send. `send` never throws for a failure of the
 * receiver, and throws `ShortageError` if nothing could be sent for want of file handles or the like. `close` aborts running attempts.
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
  if (!read.ok) return failedAttempt(describeRefusal(read, "The webhook's address", "WEBHOOK_ALLOW").message);
  if (delivery.secrets.length === 0) return failedAttempt("The webhook has no secret to sign with.");
  const limit = new AbortController();
  const timeout = Promise.withResolvers<"timeout">();
  const timer = setTimeout(() => {
    timeout.resolve("timeout");
    limit.abort();
  }, options.timeoutMs);
  try {
    const sent = post(agent, options, read.url, delivery, limit.signal);
    // The race ends a hanging DNS lookup, which undici does not abort.
    const response = await Promise.race([sent, timeout.promise]);
    if (response !== "timeout") return await toAttempt(response);
    sent.then(
      (late) => late.body.on("error", () => {}).destroy(),
      () => {},
    );
    return failedAttempt(describeTimeout(read.url.hostname).message);
  } catch (error: unknown) {
    const shortage = findShortage(error);
    if (shortage !== null) throw new ShortageError(shortage, { cause: error });
    const failure = limit.signal.aborted
      ? describeTimeout(read.url.hostname)
      : describeNetworkFailure(error, read.url.hostname, "WEBHOOK_ALLOW");
    return failedAttempt(failure.message);
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
  // Sign exactly the bytes that are sent.
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
    // Use a new connection, since the receiver could close a reused one during this request.
    reset: true,
    signal,
  });
};

const toAttempt = async (response: Dispatcher.ResponseData): Promise<Attempt> => {
  const responseStart = await readStart(response.body);
  const status = response.statusCode;
  const ok = status >= 200 && status <= 299;
  return { ok, responseStatus: status, responseStart, error: ok ? null : describeStatus(status) };
};

const describeStatus = (status: number): string =>
  status >= 300 && status <= 399
    ? `The receiver answered ${status}, and redirects are not followed. Set the address it redirects to.`
    : `The receiver answered ${status}; any status from 200 to 299 counts as received.`;

/** Reads the body until it ends, fails, times out or reaches 20 KB. */
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
    // The status has arrived, so an incomplete body does not change the outcome.
  }
  return toText(kept.subarray(0, size));
};

/** Decodes text that every database accepts: no NUL, no lone surrogates, and at most `MAX_RESPONSE_BYTES` in UTF-8. */
const toText = (bytes: Uint8Array): string => {
  const text = new TextDecoder().decode(bytes).toWellFormed().replaceAll("\0", "\uFFFD");
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(MAX_RESPONSE_BYTES));
  return text.slice(0, read);
};

const failedAttempt = (error: string): Attempt => ({ ok: false, responseStatus: null, responseStart: null, error });
