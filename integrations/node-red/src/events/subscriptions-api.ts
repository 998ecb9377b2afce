import { ConnectionError, TesseraError } from "@tessera-board/sdk";
import type { EventFilter } from "./filter.ts";

export type Subscription = {
  readonly id: string;
  readonly url: string;
  readonly boardId: string | null;
  readonly status: string;
  readonly pausedReason: string | null;
};

/** The calls about webhook subscriptions. All throw a `TesseraError` for error responses. */
export type SubscriptionsApi = {
  /** The subscriptions that this key made. */
  list(): Promise<readonly Subscription[]>;
  create(subscription: EventFilter & { readonly url: string; readonly description: string }): Promise<{ readonly secret: string }>;
  /** Changes what is sent, and resumes a paused subscription. */
  update(id: string, filter: EventFilter): Promise<void>;
  /** Returns the new secret. */
  rotate(id: string): Promise<string>;
  remove(id: string): Promise<void>;
};

/** Shorter than Node-RED waits for a node to close. */
const TIMEOUT_MS = 10_000;

export function createSubscriptionsApi(baseUrl: string, apiKey: string): SubscriptionsApi {
  const call = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const response = await fetch(`${baseUrl.replace(/\/+$/, "")}/api/webhooks${path}`, {
      method,
      headers: { "x-api-key": apiKey, ...(body !== undefined && { "content-type": "application/json" }) },
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }).catch((error: unknown) => {
      throw new ConnectionError(error);
    });
    return readResponse<T>(response);
  };
  return {
    list: async () => (await call<{ readonly webhooks: readonly Subscription[] }>("GET", "")).webhooks,
    create: ({ url, description, events, boardId, includeTile }) =>
      call("POST", "", { url, description, events, board_id: boardId, include_tile: includeTile }),
    update: async (id, { events, includeTile }) => {
      await call("PATCH", `/${id}`, { events, include_tile: includeTile, status: "active" });
    },
    rotate: async (id) => (await call<{ readonly secret: string }>("POST", `/${id}/rotate`)).secret,
    remove: async (id) => {
      await call("DELETE", `/${id}`);
    },
  };
}

async function readResponse<T>(response: Response): Promise<T> {
  const body = (await response.json().catch(() => null)) as { readonly error?: string } | null;
  if (response.ok && body !== null) return body as T;
  throw new TesseraError(response.status, body?.error ?? `The service answered ${response.status}.`, null, null);
}
