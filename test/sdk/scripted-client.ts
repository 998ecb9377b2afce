import { vi } from "vitest";
import { type ClientOptions, createClient } from "@tessera-board/sdk";

export type Reply = () => Promise<Response>;
type Sent = { readonly method: string; readonly url: string; readonly key: string | null };

export const ok =
  (body: object): Reply =>
  async () =>
    Response.json(body);
export const failed =
  (status: number, headers: Readonly<Record<string, string>> = {}): Reply =>
  async () =>
    Response.json({ error: `Status ${status}.` }, { status, headers });

/** Creates a client whose calls get these replies in order. */
export function createScriptedClient(replies: readonly Reply[], options: Partial<ClientOptions> = {}) {
  const sent: Sent[] = [];
  const fetch = async (url: string | URL | Request, { method = "GET", headers, signal }: RequestInit = {}): Promise<Response> => {
    sent.push({ method, url: String(url), key: new Headers(headers).get("idempotency-key") });
    const reply = replies[sent.length - 1];
    if (reply === undefined) throw new Error("There is no reply left.");
    return Promise.race([
      reply(),
      new Promise<never>((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason as Error), { once: true })),
    ]);
  };
  return { client: createClient({ baseUrl: "http://tessera.test", fetch: fetch as typeof globalThis.fetch, ...options }), sent };
}

/** An answer as a stream that ends after that time. */
export const slowAnswer = (ms: number): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start(stream) {
      setTimeout(() => {
        stream.enqueue(new TextEncoder().encode('event: done\ndata: {"answer":"So."}\n\n'));
        stream.close();
      }, ms);
    },
  });

/** Runs a call with fake timers. Resolves with its result or its error, and how long it took. */
export async function settle<T>(call: Promise<T>): Promise<{ readonly result?: T; readonly error?: unknown; readonly ms: number }> {
  const started = Date.now();
  const settled = call.then(
    (result) => ({ result, ms: Date.now() - started }),
    (error: unknown) => ({ error, ms: Date.now() - started }),
  );
  await vi.runAllTimersAsync();
  return settled;
}

export const BOARDS = ok({ boards: [] });
export const never: Reply = () => new Promise(() => {});
