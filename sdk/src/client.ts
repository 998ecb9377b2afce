import { type AskOptions, type SearchFilter, ask, search } from "./answers/ask.ts";
import { boardMethods, zoneMethods } from "./boards.ts";
import type { Answer, Me, SearchResult } from "./generated/schemas.ts";
import { generateMethods, generationMethods } from "./answers/generations.ts";
import { inboundMethods } from "./inbound.ts";
import { type FollowOptions, type Revision, followBoard } from "./live.ts";
import { peopleMethods } from "./settings/people.ts";
import { settingsMethods } from "./settings/settings.ts";
import { tileMethods } from "./tiles.ts";
import { buildUrl } from "./transport/encode.ts";
import { type CallOptions, type ClientOptions, type Request, createTransport } from "./transport/transport.ts";

export type Client = ReturnType<typeof createClient>;

/**
 * Creates a client of one server. Methods throw a `TesseraError` for error responses, such as `NotFoundError`; a `TimeoutError`; and the
 * errors of `fetch` (`TypeError`, `AbortError`) if the server can't be reached or the call was aborted. Throws a `RangeError` for options
 * that make no sense.
 */
export function createClient(options: ClientOptions) {
  const { request, send } = createTransport(options);
  return {
    /** The API key of this client. Use this call to test a connection. */
    me: async (call: CallOptions = {}): Promise<Me> => {
      const { etag: _, ...me } = await send("GET /api/me", call);
      return me;
    },

    boards: {
      ...boardMethods(send),

      /** Reports changes of a board until the server ends the stream (every few minutes) or the call is aborted. */
      follow: (boardId: string, onRevision: (revision: Revision) => void, follow?: FollowOptions): Promise<void> =>
        followBoard(request, boardId, onRevision, follow),
    },
    zones: zoneMethods(send),
    tiles: { ...tileMethods(send), ...pictureMethods(options.baseUrl, request) },
    people: peopleMethods(send),
    settings: settingsMethods(send),

    /** Answers a question from the connected content of a board. */
    ask: (boardId: string, question: string, askOptions?: AskOptions): Promise<Answer> => ask(request, boardId, question, askOptions),

    /** Tiles that match, best match first; 10 by default. `"Quotation marks"` match a phrase, `begin*` matches a prefix. */
    search: (boardId: string, q: string, filter: CallOptions & SearchFilter = {}): Promise<readonly SearchResult[]> =>
      search(send, boardId, q, filter),

    inbound: inboundMethods(send),
    ...generateMethods(send),
    generations: generationMethods(send),
  };
}

const PICTURE_PATH = "/api/board/{boardId}/tiles/{tileId}/thumbnail";

function pictureMethods(baseUrl: string, request: Request) {
  return {
    /**
     * The URL of the picture of a tile, for `img` elements of pages that the server itself serves. 404 if there is none. Browsers cache it
     * for a day; change `version` when the `thumbnailUrl` of the tile changes.
     */
    pictureAddress: (boardId: string, tileId: string, version?: string): string =>
      buildUrl(baseUrl, PICTURE_PATH, { path: { boardId, tileId }, query: { v: version } }),

    /** The picture of a tile. Fails with 404 if there is none. */
    picture: async (boardId: string, tileId: string, call: CallOptions = {}): Promise<Blob> =>
      (await request(`GET ${PICTURE_PATH}`, { ...call, path: { boardId, tileId }, headers: { accept: "image/*" } })).blob(),
  };
}
