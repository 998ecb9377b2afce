import { randomBytes } from "node:crypto";
import type { Options } from "./arguments.ts";
import { asText, type Fields, listIn, Mismatch, objectIn, Skip } from "./expect.ts";
import { createHttp } from "./http.ts";
import type { Reply, Request } from "./http.ts";
import type { Receiver } from "./receiver.ts";

/** A resource of the server. */
export type Made = Fields & { readonly id: string };

type Need = { readonly [Name in keyof Options]-?: NonNullable<Options[Name]> };

/** What checks use: raw calls, resources that are deleted after the run, and the options. */
export type Probe = {
  call(method: string, path: string, request?: Request): Promise<Reply>;
  /** The default board, the first of the listing. */
  readonly board: Made;
  /** Another board: an existing one, otherwise one created for the run. Skips the check if there is neither. */
  otherBoard(): Promise<Made>;
  /** A new board without content. Skips the check if boards can't be created. */
  freshBoard(): Promise<Made>;
  zone(fields?: Fields, boardId?: string): Promise<Made>;
  /** A text tile through the board API. */
  tile(fields?: Fields, boardId?: string): Promise<Made>;
  /** A tile through the inbound call, on the default board. */
  inbound(fields: Fields, request?: Request): Promise<Made>;
  /** The resource `name` in a response. It is deleted when the run ends. */
  made(reply: Reply, name: "zone" | "tile" | "board"): Made;
  /** The value of an option. Skips the check if it is missing. */
  need<Name extends keyof Need>(name: Name): Need[Name];
  /** The webhook receiver. Skips the check if there is none. */
  receiver(): Receiver;
  /** A unique word. */
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

/** Connects to a server and selects its first board. Throws if that fails, since no check could run. */
export async function openProbe(options: Options, receiver: Receiver | null): Promise<Probe & { close(): Promise<void> }> {
  const http = createHttp(options.url, options.key);
  const createdPaths: string[] = [];
  const boards = listIn(await http.call("GET", "/api/board/boards"), "boards");
  const first = boards[0];
  if (!first) throw new Mismatch("GET /api/board/boards: there is no board to work on");
  const board = toMade(first, "board");
  let other: Made | undefined;

  function made(reply: Reply, name: "zone" | "tile" | "board"): Made {
    const found = toMade(objectIn(reply, name), name);
    const path = `/api/board/${name}s/${encodeURIComponent(found.id)}`;
    if (!createdPaths.includes(path)) createdPaths.push(path);
    return found;
  }

  async function freshBoard(): Promise<Made> {
    const reply = await http.call("POST", "/api/board/boards", { body: { name: `Conformance ${randomBytes(4).toString("hex")}` } });
    if (reply.status === 404 || reply.status === 405) throw new Skip("this server can't create boards (POST /api/board/boards)");
    return made(reply, "board");
  }

  return {
    call: http.call,
    board,
    made,
    freshBoard,
    otherBoard: async () => {
      const existing = boards[1];
      return (other ??= existing ? toMade(existing, "board") : await freshBoard());
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
      // In reverse order. Resources that were deleted already return 404, which is fine.
      for (const path of createdPaths.toReversed()) await http.call("DELETE", path).catch(() => undefined);
      http.close();
    },
  };
}

const toMade = (fields: Fields, name: string): Made => ({ ...fields, id: asText(fields["id"], `${name}.id`) });
