import { type AskOptions, type SearchFilter, ask, search } from "./answers/ask.ts";
import { type GenerateMethods, type GenerationMethods, generateMethods, generationMethods } from "./answers/generations.ts";
import { type BoardMethods, type ZoneMethods, boardMethods, zoneMethods } from "./boards.ts";
import { type ChangeMethods, changeMethods } from "./events/changes.ts";
import { type SubscriptionMethods, subscriptionMethods } from "./events/webhooks.ts";
import type { Answer, Me, SearchResult } from "./generated/schemas.ts";
import { type InboundMethods, inboundMethods } from "./inbound.ts";
import { type PeopleMethods, peopleMethods } from "./settings/people.ts";
import { type SettingsMethods, settingsMethods } from "./settings/settings.ts";
import type { TileMethods } from "./tiles/methods.ts";
import { tileMethods } from "./tiles/tiles.ts";
import type { ClientOptions } from "./transport/options.ts";
import { type CallOptions, createTransport } from "./transport/transport.ts";

/** A client of one server. Its groups are interfaces, whose descriptions editors show. */
export interface Client extends GenerateMethods {
  /** The API key of this client. Use this call to test a connection. */
  me(call?: CallOptions): Promise<Me>;

  /** Answers a question from the connected content of a board. */
  ask(boardId: string, question: string, options?: AskOptions): Promise<Answer>;

  /** Tiles that match, best match first; 10 by default. `"Quotation marks"` match a phrase, `begin*` matches a prefix. */
  search(boardId: string, q: string, filter?: CallOptions & SearchFilter): Promise<readonly SearchResult[]>;

  /** Boards. Creating and changing them requires an API key that is not limited to a board. */
  readonly boards: BoardMethods;
  /** The zones of a board: columns that tiles are sorted into. */
  readonly zones: ZoneMethods;
  /** Tiles: links, files and texts on a board. */
  readonly tiles: TileMethods;
  /** Tiles from other systems, which need only a key with the permission `inbound`. */
  readonly inbound: InboundMethods;
  /** What happened to tiles and generations: for programs that follow boards or mirror them. */
  readonly changes: ChangeMethods;
  /** Webhooks that this key registers for itself. Requires a key that was made with `webhooks`. */
  readonly webhooks: SubscriptionMethods;
  /** Generations that were started before. */
  readonly generations: GenerationMethods;
  /** Log-in, members and invitations, for pages that the server itself serves. API keys get 403. */
  readonly people: PeopleMethods;
  /** Settings, for pages that the server itself serves. API keys get 403. Requires an admin or owner. */
  readonly settings: SettingsMethods;
}

/**
 * Creates a client of one server. Methods throw a `TesseraError`: for error responses, such as `NotFoundError`, and a `ConnectionError` if
 * there is no response. They throw a `TimeoutError` after `timeoutMs`, and the reason of `signal` if it aborts. Ids and options that can't
 * be sent are a `RangeError`, here and in the methods.
 */
export function createClient(options: ClientOptions): Client {
  const { baseUrl, request, send } = createTransport(options);
  return {
    me: async (call = {}) => {
      const { etag: _, ...me } = await send("GET /api/me", call);
      return me;
    },
    ask: (boardId, question, askOptions) => ask(request, boardId, question, askOptions),
    search: (boardId, q, filter = {}) => search(send, boardId, q, filter),
    boards: boardMethods(request, send),
    zones: zoneMethods(send),
    tiles: tileMethods(baseUrl, request, send),
    inbound: inboundMethods(send),
    ...generateMethods(send),
    changes: changeMethods(send),
    webhooks: subscriptionMethods(send, "/api/webhooks"),
    generations: generationMethods(send),
    people: peopleMethods(send),
    settings: settingsMethods(send),
  };
}
