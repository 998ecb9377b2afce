import { randomBytes } from "node:crypto";
import type { Options } from "./arguments.ts";
import type { Fields } from "./claim.ts";
import { asText, listIn, Mismatch, objectIn, Skip } from "./expect.ts";
import { createHttp } from "./http.ts";
import type { Reply, Request } from "./http.ts";
import type { Receiver } from "./receiver.ts";

/** A resource with its identifier at hand. */
export type Made = Fields & { readonly id: string };

type Need = { readonly [Name in keyof Options]-?: NonNullable<Options[Name]> };

/** What a check works with: raw calls, things to work on, and what the tester gave. */
export type Probe = {
  call(method: string, path: string, request?: Request): Promise<Reply>;
  /** The default board, the first of the listing. */
  readonly board: Made;
  /** Another board: one that exists, else one made for the run; skips where neither can be had. */
  otherBoard(): Promise<Made>;
  /** A board without content, made for this call; skips where boards can't be made. */
  freshBoard(): Promise<Made>;
  zone(fields?: Fields, boardId?: string): Promise<Made>;
  /** A text tile through the board API. */
  tile(fields?: Fields, boardId?: string): Promise<Made>;
  /** A tile through the inbound call, on the default board. */
  inbound(fields: Fields, request?: Request): Promise<Made>;
  /** The resource under `name` in an answer, deleted when the run ends. */
  made(reply: Reply, name: "zone" | "tile" | "board"): Made;
  /** What the tester gave for this; skips the check where it was not given. */
  need<Name extends keyof Need>(name: Name): Need[Name];
  /** The webhook receiver; skips the check where there is none. */
  receiver(): Receiver;
  /** A word that stands nowhere else. */
  nonce(): string;
  pause(milliseconds: number): Promise<void>;
};

const FLAGS: Readonly<Record<keyof Options, string>> = {
  url: "--url",
  key: "--key",
  scopedKey: "--scoped-key",
  scopedBoard: "--scoped-board",
  readKey: "--read-key",
  inboundKey: "--inbound-key",
  webhookPort: "--webhook-port",
  webhookSecret: "--webhook-secret",
  pageUrl: "--page-url",
  json: "--json",
};

/** Opens the service: lists its boards and takes the first. Throws where that can't be done, since no check could. */
export async function openProbe(options: Options, receiver: Receiver | null): Promise<Probe & { close(): Promise<void> }> {
  const http = createHttp(options.url, options.key);
  const garbage: string[] = [];
  const boards = listIn(await http.call("GET", "/api/board/boards"), "boards");
  const first = boards[0];
  if (!first) throw new Mismatch("GET /api/board/boards: there is no board to work on");
  const board = madeOf(first, "board");
  let other: Made | undefined;

  function made(reply: Reply, name: "zone" | "tile" | "board"): Made {
    const found = madeOf(objectIn(reply, name), name);
    const path = `/api/board/${name}s/${encodeURIComponent(found.id)}`;
    if (!garbage.includes(path)) garbage.push(path);
    return found;
  }

  async function freshBoard(): Promise<Made> {
    const reply = await http.call("POST", "/api/board/boards", { body: { name: `Conformance ${randomBytes(4).toString("hex")}` } });
    if (reply.status === 404 || reply.status === 405)
      throw new Skip("this server makes no boards over the interface (POST /api/board/boards)");
    return made(reply, "board");
  }

  return {
    call: http.call,
    board,
    made,
    freshBoard,
    otherBoard: async () => {
      const existing = boards[1];
      return (other ??= existing ? madeOf(existing, "board") : await freshBoard());
    },
    zone: async (fields = {}, boardId = board.id) =>
      made(await http.call("POST", `/api/board/${boardId}/zones`, { body: { name: "Conformance zone", ...fields } }), "zone"),
    tile: async (fields = {}, boardId = board.id) =>
      made(await http.call("POST", `/api/board/${boardId}/tiles`, { body: { content: "Conformance text", ...fields } }), "tile"),
    inbound: async (fields, request = {}) =>
      made(await http.call("POST", "/api/inbound/tiles", { body: { board_id: board.id, ...fields }, ...request }), "tile"),
    need: (name) => {
      const value = options[name];
      if (value === undefined) throw new Skip(`needs ${FLAGS[name]}`);
      return value as never;
    },
    receiver: () => {
      if (!receiver) throw new Skip("needs --webhook-port and --webhook-secret");
      return receiver;
    },
    nonce: () =>
      `zq${randomBytes(7)
        .toString("hex")
        .replaceAll(/\d/g, (digit) => "ghijklmnop"[Number(digit)] ?? "q")}`,
    pause: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
    close: async () => {
      // Last made, first deleted; what a check or its zone already deleted answers 404, which is as good.
      for (const path of garbage.toReversed()) await http.call("DELETE", path).catch(() => undefined);
      http.close();
    },
  };
}

const madeOf = (fields: Fields, name: string): Made => ({ ...fields, id: asText(fields["id"], `${name}.id`) });
