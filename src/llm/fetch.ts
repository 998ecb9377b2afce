import { Agent, fetch as undiciFetch } from "undici";
import { TooLargeError } from "./errors.ts";

/** Longest wait for a connection with its TLS handshake, in milliseconds; the whole call has its own deadline. */
const CONNECT_MS = 10_000;
/** Silence within an answer that is waited out; a model may think for long before its first word. */
const SILENCE_MS = 600_000;
/** The largest answer: forty times what the longest one takes in the most verbose of the formats. */
const MAX_BYTES = 16 * 1_048_576;

/** The way out for calls of the configured model, and for nothing else. */
export type ModelFetch = { readonly fetch: typeof globalThis.fetch; close(): Promise<void> };

/**
 * Makes the one way to the model's provider: straight to the address that the operator set, private ones included, past the
 * environment's proxy settings; redirects are answered, not followed; a body ends with an error after 16 MiB.
 */
export function createModelFetch(maxBytes = MAX_BYTES): ModelFetch {
  const agent = new Agent({ connect: { timeout: CONNECT_MS }, headersTimeout: SILENCE_MS, bodyTimeout: SILENCE_MS });
  return {
    async fetch(input, init) {
      const options = { ...init, redirect: "manual", dispatcher: agent } as unknown as Parameters<typeof undiciFetch>[1];
      const response = await undiciFetch(input as Parameters<typeof undiciFetch>[0], options);
      const { status, statusText, body } = response;
      // The platform's own Response, for clients that ask for it; what has no body may have none.
      return new Response(body === null ? null : (body as unknown as ReadableStream<Uint8Array>).pipeThrough(bound(maxBytes)), {
        status,
        statusText,
        headers: [...response.headers],
      });
    },
    close: () => agent.destroy(),
  };
}

function bound(maxBytes: number): TransformStream<Uint8Array, Uint8Array> {
  let left = maxBytes;
  return new TransformStream({
    transform(chunk, controller) {
      left -= chunk.byteLength;
      if (left < 0) controller.error(new TooLargeError(`The answer has more than ${maxBytes} bytes.`));
      else controller.enqueue(chunk);
    },
  });
}
