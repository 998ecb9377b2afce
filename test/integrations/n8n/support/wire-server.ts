import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { signStandard } from "#net/signature.ts";
import { startOrigin } from "../../../support/servers/origin.ts";

type Webhook = { id: string; url: string; events: string[]; status: string; secret: string; [name: string]: unknown };
type Change = { id: string; event: string; payload: any; at: string };

/** A server that speaks the wire format of subscriptions and of the change feed, as far as the trigger uses it. */
export type WireServer = {
  readonly url: string;
  readonly webhooks: Map<string, Webhook>;
  /** Calls as `METHOD path`. */
  readonly calls: string[];
  readonly tiles: Map<string, object>;
  /** Whether cursors from before now are refused, as after a restore. */
  expire(): void;
  /** Records an event, and delivers it to the subscriptions of it. */
  emit(event: string, payload?: object): Promise<void>;
  /** Posts a delivery. Returns the status of the response, or null if nobody answers. */
  deliver(webhook: Webhook, event: string, more?: { secret?: string; timestamp?: number; body?: string }): Promise<number | null>;
  stop(): Promise<void>;
};

const KEY = "tsr_trigger";
export const WIRE_KEY = KEY;

export async function startWireServer(): Promise<WireServer> {
  const changes: Change[] = [];
  let epoch = 1;
  const webhooks = new Map<string, Webhook>();
  const tiles = new Map<string, object>();
  const calls: string[] = [];

  const answer = (status: number, body: object) => ({ status, body });
  const routes: readonly [pattern: RegExp, handle: (match: string[], query: URLSearchParams, body: any) => ReturnType<typeof answer>][] = [
    [/^GET \/api\/webhooks$/, () => answer(200, { webhooks: [...webhooks.values()].map(present) })],
    [/^POST \/api\/webhooks$/, (_, __, body) => answer(200, subscribe(body))],
    [/^GET \/api\/webhooks\/(\w+)$/, ([id]) => withWebhook(id, (webhook) => ({ webhook: present(webhook) }))],
    [
      /^PATCH \/api\/webhooks\/(\w+)$/,
      ([id], _, body) => withWebhook(id, (webhook) => ({ webhook: present(Object.assign(webhook, body)) })),
    ],
    [/^DELETE \/api\/webhooks\/(\w+)$/, ([id]) => withWebhook(id, () => ({ deleted: webhooks.delete(id!) }))],
    [
      /^POST \/api\/webhooks\/(\w+)\/test$/,
      ([id]) => withWebhook(id, (webhook) => ({ deliveryId: void server.deliver(webhook, "tile.ready") })),
    ],
    [/^GET \/api\/changes$/, (_, query) => readChanges(query)],
    [
      /^GET \/api\/board\/tiles\/(\w+)$/,
      ([id]) => (tiles.has(id!) ? answer(200, { tile: tiles.get(id!)! }) : answer(404, { error: "Tile not found." })),
    ],
  ];
  const present = ({ secret: _, ...webhook }: Webhook): object => webhook;
  const withWebhook = (id: string | undefined, use: (webhook: Webhook) => object) => {
    const webhook = webhooks.get(id ?? "");
    return webhook === undefined ? answer(404, { error: "Webhook not found." }) : answer(200, use(webhook));
  };
  const subscribe = (body: any): object => {
    const id = `whk_${randomBytes(4).toString("hex")}`;
    const secret = `whsec_${randomBytes(24).toString("base64")}`;
    webhooks.set(id, { ...body, id, secret, status: "active" });
    return { webhook: present(webhooks.get(id)!), secret };
  };
  function readChanges(query: URLSearchParams) {
    const cursor = query.get("cursor");
    if (cursor === "now") return answer(200, { changes: [], nextCursor: `${epoch}-${changes.length}`, hasMore: false });
    const [writtenIn, position = 0] = (cursor ?? `${epoch}-0`).split("-").map(Number);
    if (writtenIn !== epoch)
      return answer(410, { error: "This cursor has expired. Read the listings again, then continue with cursor=now." });
    const end = position + Number(query.get("limit") ?? 100);
    const names = query.get("events")?.split(",");
    const page = changes
      .slice(position, end)
      .filter(({ event, payload }) => (names?.includes(event) ?? true) && (query.get("board_id") ?? payload.boardId) === payload.boardId);
    return answer(200, { changes: page, nextCursor: `${epoch}-${Math.min(end, changes.length)}`, hasMore: end < changes.length });
  }

  const origin = await startOrigin(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://server");
    const call = `${request.method} ${pathname}`;
    calls.push(call);
    const text = await readBody(request);
    const found = routes.find(([pattern]) => pattern.test(call));
    const isKnown = request.headers["x-api-key"] === KEY;
    const { status, body } = !isKnown
      ? answer(403, { error: "This key does not have permission for that." })
      : (found?.[1](found[0].exec(call)!.slice(1), searchParams, text === "" ? {} : JSON.parse(text)) ??
        answer(404, { error: "Not found." }));
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  });

  const server: WireServer = {
    url: origin.url,
    webhooks,
    calls,
    tiles,
    expire: () => void epoch++,
    async emit(event, payload = {}) {
      const id = `evt_${changes.length + 1}`;
      changes.push({
        id,
        event,
        payload: { tileId: "til_1", boardId: "brd_1", type: "TEXT", zoneId: null, tags: [], ...payload },
        at: new Date().toISOString(),
      });
      await Promise.all(
        [...webhooks.values()]
          .filter(({ events, status }) => events.includes(event) && status === "active")
          .map((one) => server.deliver(one, event)),
      );
    },
    async deliver(webhook, event, { secret = webhook.secret, timestamp = Math.floor(Date.now() / 1_000), body } = {}) {
      const sent = body ?? JSON.stringify({ event, payload: { title: "A sample – Häfen" }, sentAt: new Date().toISOString() });
      const id = `dlv_${randomBytes(4).toString("hex")}`;
      const headers = {
        "content-type": "application/json",
        "webhook-id": id,
        "webhook-timestamp": String(timestamp),
        "webhook-signature": signStandard(id, timestamp, sent, secret),
      };
      return fetch(webhook.url, { method: "POST", body: sent, headers }).then(
        ({ status }) => status,
        () => null,
      );
    },
    stop: () => origin.close(),
  };
  return server;
}

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}
