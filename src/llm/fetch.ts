import { Agent, fetch as undiciFetch } from "undici";
import { TooLargeError } from "./errors.ts";

/** Time limit of a connection with its TLS handshake; the request has its own deadline. */
const CONNECT_TIMEOUT_MS = 10_000;
/** Time without data before a response fails; a model may think for minutes before its first word. */
const IDLE_TIMEOUT_MS = 600_000;
/** Limit of a response: forty times the longest answer in the most verbose format. */
const MAX_BYTES = 16 * 1_048_576;

/** Fetch for requests to the configured model only. */
export type ModelFetch = { readonly fetch: typeof globalThis.fetch; close(): Promise<void> };

/**
 * Creates the fetch for the model's provider. It connects directly to the configured address, also a private one, ignores the proxy
 * settings of the environment, returns redirects instead of following them, and fails on bodies over 16 MiB.
 */
export function createModelFetch(maxBytes = MAX_BYTES): ModelFetch {
  const agent = new Agent({ connect: { timeout: CONNECT_TIMEOUT_MS }, headersTimeout: IDLE_TIMEOUT_MS, bodyTimeout: IDLE_TIMEOUT_MS });
  return {
    async fetch(input, init) {
      const options = { ...init, redirect: "manual", dispatcher: agent } as unknown as Parameters<typeof undiciFetch>[1];
      const response = await undiciFetch(input as Parameters<typeof undiciFetch>[0], options);
      const { status, statusText, body } = response;
      // Some clients check for the platform's own Response, which must not have a body for statuses without one.
      return new Response(body === null ? null : (body as unknown as ReadableStream<Uint8Array>).pipeThrough(limitBytes(maxBytes)), {
        status,
        statusText,
        headers: [...response.headers],
      });
    },
    close: () => agent.destroy(),
  };
}

function limitBytes(maxBytes: number): TransformStream<Uint8Array, Uint8Array> {
  let left = maxBytes;
  return new TransformStream({
    transform(chunk, controller) {
      left -= chunk.byteLength;
      if (left < 0) controller.error(new TooLargeError(`The response has more than ${maxBytes} bytes.`));
      else controller.enqueue(chunk);
    },
  });
}
