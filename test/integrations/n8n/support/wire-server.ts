import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { signStandard } from "#net/signature.ts";
import { type Origin, startOrigin } from "../../../support/servers/origin.ts";

type Webhook = { readonly id: string; readonly url: string; readonly events: string[]; status: string; readonly secret: string };
type Answer = readonly [status: number, body: object];

/** The key that the server knows. */
export const WIRE_KEY = "tsr_trigger";
const EXPIRED = "This cursor has expired. Read the listings again, then continue with cursor=now.";

/** A server that speaks the wire format of subscriptions and of the change feed, as far as the trigger uses it. Tests play its part. */
export class WireServer {
  readonly webhooks = new Map<string, Webhook>();
  readonly tiles = new Map<string, object>();
  /** Calls as `METHOD path`. */
  readonly calls: string[] = [];
  readonly #changes: { readonly id: string; readonly event: string; readonly payload: any; readonly at: string }[] = [];
  #epoch = 1;
  #origin: Origin | undefined;

  get url(): string {
    return this.#origin?.url ?? "";
  }

  async start(): Promise<this> {
    this.#origin = await startOrigin((request, response) => void this.#respond(request, response));
    return this;
  }

  async stop(): Promise<void> {
    await this.#origin?.close();
  }

  /** Makes cursors from before now expire, as a restored backup does. */
  expire(): void {
    this.#epoch++;
  }

  /** Records an event, and delivers it to its subscriptions. */
  async emit(event: string, more: object = {}): Promise<void> {
    const payload = { tileId: "til_1", boardId: "brd_1", type: "TEXT", zoneId: null, tags: [], ...more };
    this.#changes.push({ id: `evt_${this.#changes.length + 1}`, event, payload, at: new Date().toISOString() });
    const wanted = [...this.webhooks.values()].filter(({ events, status }) => events.includes(event) && status === "active");
    await Promise.all(wanted.map((webhook) => this.deliver(webhook, event)));
  }

  /** Posts a delivery. Returns the status of the response, or null if nobody answers. */
  async deliver(
    webhook: Webhook,
    event: string,
    more: { secret?: string; timestamp?: number; body?: string } = {},
  ): Promise<number | null> {
    const { secret = webhook.secret, timestamp = Math.floor(Date.now() / 1_000) } = more;
    const body = more.body ?? JSON.stringify({ event, payload: { title: "A sample – Häfen" }, sentAt: new Date().toISOString() });
    const id = `dlv_${randomBytes(4).toString("hex")}`;
    const signature = signStandard(id, timestamp, body, secret);
    const headers = { "webhook-id": id, "webhook-timestamp": String(timestamp), "webhook-signature": signature };
    return fetch(webhook.url, { method: "POST", body, headers }).then(
      ({ status }) => status,
      () => null,
    );
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://server");
    this.calls.push(`${request.method} ${pathname}`);
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const text = Buffer.concat(parts).toString();
    const isKnown = request.headers["x-api-key"] === WIRE_KEY;
    const [status, body] = isKnown
      ? this.#route(request.method ?? "", pathname, searchParams, text === "" ? {} : JSON.parse(text))
      : [403, { error: "This key does not have permission for that." }];
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  }

  #route(method: string, path: string, query: URLSearchParams, body: any): Answer {
    const [, api, noun, id = "", last] = path.split("/");
    if (api !== "api") return notFound;
    if (noun === "changes") return this.#readChanges(query);
    if (path.startsWith("/api/board/tiles/")) {
      const tile = this.tiles.get(last ?? "");
      return tile === undefined ? notFound : [200, { tile }];
    }
    if (id === "") return method === "POST" ? this.#subscribe(body) : [200, { webhooks: [...this.webhooks.values()] }];
    const webhook = this.webhooks.get(id);
    if (webhook === undefined) return notFound;
    if (last === "test") void this.deliver(webhook, webhook.events[0]!);
    else if (method === "PATCH") Object.assign(webhook, body);
    else if (method === "DELETE") this.webhooks.delete(id);
    return [200, { webhook }];
  }

  #subscribe(body: { readonly url: string; readonly events: string[] }): Answer {
    const id = `whk_${randomBytes(4).toString("hex")}`;
    const secret = `whsec_${randomBytes(24).toString("base64")}`;
    const webhook = { ...body, id, secret, status: "active" };
    this.webhooks.set(id, webhook);
    return [200, { webhook, secret }];
  }

  #readChanges(query: URLSearchParams): Answer {
    const cursor = query.get("cursor") ?? `${this.#epoch}-0`;
    const last = this.#changes.length;
    if (cursor === "now") return [200, { changes: [], nextCursor: `${this.#epoch}-${last}`, hasMore: false }];
    const [epoch, position = 0] = cursor.split("-").map(Number);
    if (epoch !== this.#epoch) return [410, { error: EXPIRED }];
    const end = Math.min(last, position + Number(query.get("limit") ?? 100));
    const events = query.get("events")?.split(",");
    const changes = this.#changes.slice(position, end).filter(({ event }) => events?.includes(event) ?? true);
    return [200, { changes, nextCursor: `${this.#epoch}-${end}`, hasMore: end < last }];
  }
}

const notFound: Answer = [404, { error: "Not found." }];
