import { randomBytes } from "node:crypto";
import type { Options } from "./arguments.ts";
import { toText, type JsonObject, getList, Mismatch, getObject, Skip } from "./expect.ts";
import { createHttp } from "./http.ts";
import type { Reply, Request } from "./http.ts";
import type { Receiver } from "./receiver.ts";

/** A resource of the server. */
export type Resource = JsonObject & { readonly id: string };

type RequiredOptions = { readonly [Name in keyof Options]-?: NonNullable<Options[Name]> };

/** The tools of checks: raw calls, resources that are deleted after the run, and the options. */
export type Probe = {
  call(method: string, path: string, request?: Request): Promise<Reply>;
  /** The default board, the first of the listing. */
  readonly board: Resource;
  /** Another board: an existing one, otherwise one created for the run. Skips the check if there is neither. */
  otherBoard(): Promise<Resource>;
  /** A new board without content. Skips the check if boards can't be created. */
  freshBoard(): Promise<Resource>;
  zone(fields?: JsonObject, boardId?: string): Promise<Resource>;
  /** A text tile through the board API. */
  tile(fields?: JsonObject, boardId?: string): Promise<Resource>;
  /** A tile through the inbound call, on the default board. */
  inbound(fields: JsonObject, request?: Request): Promise<Resource>;
  /** The listing of zones or tiles of the default board. */
  list(name: "zones" | "tiles", query?: Request["query"]): Promise<readonly JsonObject[]>;
  read(name: "zone" | "tile", id: string, query?: Request["query"]): Promise<JsonObject>;
  /** Sends a PATCH and returns the updated resource. */
  change(name: "zone" | "tile", id: string, body: JsonObject): Promise<JsonObject>;
  /** The resource `name` in a response. It is deleted when the run ends. */
  created(reply: Reply, name: "zone" | "tile" | "board"): Resource;
  /** The value of an option. Skips the check if it is missing. */
  option<Name extends keyof RequiredOptions>(name: Name): RequiredOptions[Name];
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
  inboundUrl: "--inbound-url",
  webhookPort: "--webhook-port",
  webhookSecret: "--webhook-secret",
  pageUrl: "--page-url",
  json: "--json",
};

/** Connects to a server and selects its first board. Throws if that fails, since no check could run. */
export async function openProbe(options: Options, receiver: Receiver | null): Promise<Probe & { close(): Promise<void> }> {
  const http = createHttp(options.url, options.key);
  const createdPaths: string[] = [];
  const boards = getList(await http.call("GET", "/api/board/boards"), "boards");
  const first = boards[0];
  if (!first) throw new Mismatch("GET /api/board/boards: there is no board to work on");
  const board = toResource(first, "board");
  let other: Resource | undefined;

  function created(reply: Reply, name: "zone" | "tile" | "board"): Resource {
    const resource = toResource(getObject(reply, name), name);
    const path = `/api/board/${name}s/${encodeURIComponent(resource.id)}`;
    if (!createdPaths.includes(path)) createdPaths.push(path);
    return resource;
  }

  async function freshBoard(): Promise<Resource> {
    const reply = await http.call("POST", "/api/board/boards", { body: { name: `Conformance ${randomBytes(4).toString("hex")}` } });
    if (reply.status === 404 || reply.status === 405) throw new Skip("this server can't create boards (POST /api/board/boards)");
    return created(reply, "board");
  }

  return {
    call: http.call,
    board,
    created,
    freshBoard,
    otherBoard: async () => {
      const existing = boards[1];
      return (other ??= existing ? toResource(existing, "board") : await freshBoard());
    },
    zone: async (fields = {}, boardId = board.id) =>
      created(await http.call("POST", `/api/board/${boardId}/zones`, { body: { name: "Conformance zone", ...fields } }), "zone"),
    tile: async (fields = {}, boardId = board.id) =>
      created(await http.call("POST", `/api/board/${boardId}/tiles`, { body: { content: "Conformance text", ...fields } }), "tile"),
    inbound: async (fields, request = {}) =>
      created(await http.call("POST", "/api/inbound/tiles", { body: { board_id: board.id, ...fields }, ...request }), "tile"),
    list: async (name, query = {}) => getList(await http.call("GET", `/api/board/${board.id}/${name}`, { query }), name),
    read: async (name, id, query = {}) => getObject(await http.call("GET", `/api/board/${name}s/${id}`, { query }), name),
    change: async (name, id, body) => getObject(await http.call("PATCH", `/api/board/${name}s/${id}`, { body }), name),
    option: (name) => {
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

const toResource = (fields: JsonObject, name: string): Resource => ({ ...fields, id: toText(fields["id"], `${name}.id`) });
