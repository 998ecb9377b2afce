import { ask, type AskOptions } from "./ask.ts";
import { boardMethods, zoneMethods } from "./boards.ts";
import { tileMethods } from "./tiles.ts";
import { followBoard, type FollowOptions, type Revision } from "./live.ts";
import { peopleMethods } from "./people.ts";
import { settingsMethods } from "./settings.ts";
import { addressOf, createRequest, createTransport } from "./transport/transport.ts";
import type { CallOptions, ClientOptions, CreateOptions } from "./transport/transport.ts";
import type {
  Answer,
  AssetType,
  BatchResult,
  Generation,
  GenerationPage,
  GenerationSummary,
  InboundTile,
  Me,
  SearchFilter,
  SearchResult,
  TileOrigin,
} from "./types.ts";

/** Exactly one of `url` and `content`. */
export type InboundItem = {
  readonly boardId: string;
  readonly zoneId?: string | null;
  readonly title?: string;
  /** The caller's own id of the thing: the same id on the same board updates the tile it made. */
  readonly externalId?: string;
  /** False: never feeds chat; true: where its zone does; null: follows its zone, the default without an `origin`. */
  readonly connectedToChat?: boolean | null;
} & (
  | { readonly url: string; readonly content?: undefined; readonly origin?: undefined }
  | {
      readonly content: string;
      /** What made the text; it then starts with `connectedToChat` false. */
      readonly origin?: TileOrigin;
      readonly url?: undefined;
    }
);

export type GenerateInput = {
  readonly boardId: string;
  readonly assetType: AssetType;
  readonly prompt?: string;
  readonly zoneIds?: readonly string[];
  readonly tileIds?: readonly string[];
  readonly tone?: string;
  readonly audience?: string;
  readonly language?: string;
  readonly length?: string | number;
  readonly ideaId?: string;
  readonly saveToZoneId?: string;
};

export type IdeaInput = {
  readonly boardId: string;
  readonly prompt?: string;
  /** 1 to 20; 5 unless told. */
  readonly count?: number;
  readonly assetType?: AssetType;
  readonly zoneIds?: readonly string[];
  readonly tileIds?: readonly string[];
};

export type GenerateOptions = CreateOptions & {
  /** Answers at once with status `processing`; read it again with `generations.get`. */
  readonly async?: boolean;
};

export type GenerationListOptions = CallOptions & {
  readonly boardId?: string;
  readonly endpoint?: Generation["endpoint"];
  /** 1 to 500; without it the listing is whole. */
  readonly limit?: number;
  readonly cursor?: string | null;
};

type GenerationBody = { readonly generation: Generation };

export type Client = ReturnType<typeof createClient>;

/**
 * A client of one service. Every method throws `TesseraError` when the service refuses, and what `fetch` throws
 * (`TypeError`, `AbortError`) when it can't be reached or the call was aborted.
 */
export function createClient(options: ClientOptions) {
  const request = createRequest(options);
  const send = createTransport(request);
  return {
    /** What this key is: the connection test. */
    me: async (call: CallOptions = {}): Promise<Me> => withoutTag(await send<Me>("GET", ["api", "me"], call)),

    boards: {
      ...boardMethods(send),

      /** Tells of a board's changes as they happen, until the service ends the stream (every few minutes) or the call is aborted. */
      follow: (boardId: string, onRevision: (revision: Revision) => void, options?: FollowOptions): Promise<void> =>
        followBoard(request, boardId, onRevision, options),
    },
    zones: zoneMethods(send),
    tiles: {
      ...tileMethods(send),

      /**
       * Where a tile's picture is, for a page that the service itself serves: an `img` sends the session along. 404 there where it has
       * none that can be shown. Browsers keep it for a day; `version` makes another address, for when its `thumbnailUrl` changes.
       */
      pictureAddress: (boardId: string, tileId: string, version?: string): string =>
        addressOf(options.baseUrl, ["api", "board", boardId, "tiles", tileId, "thumbnail"], { v: version }),

      /** A tile's picture; throws a 404 where it has none that can be shown. */
      picture: async (boardId: string, tileId: string, call: CallOptions = {}): Promise<Blob> =>
        (await request("GET", ["api", "board", boardId, "tiles", tileId, "thumbnail"], { ...call, headers: { accept: "image/*" } })).blob(),
    },
    people: peopleMethods(send),
    settings: settingsMethods(send),

    /** Answers a question from the board's connected content. */
    ask: (boardId: string, question: string, options?: AskOptions): Promise<Answer> => ask(request, boardId, question, options),

    /**
     * Tiles that match, best first, one row a tile; 10 unless `limit` (at most 100) tells otherwise. `"words"` must stand together,
     * `begin*` stands for every word that begins so.
     */
    search: async (boardId: string, q: string, options: CallOptions & SearchFilter = {}) => {
      const { limit, scope, zoneId, type, createdSince, createdBefore, ...call } = options;
      const query = { q, limit, scope, zone_id: zoneId, type, created_since: createdSince, created_before: createdBefore };
      return (await send<{ readonly results: readonly SearchResult[] }>("GET", ["api", "board", boardId, "search"], { ...call, query }))
        .results;
    },

    inbound: {
      /** Makes a tile from a link (ingested in the background) or from text. */
      create: async (item: InboundItem, call: CreateOptions = {}): Promise<InboundTile> =>
        (await send<{ readonly tile: InboundTile }>("POST", ["api", "inbound", "tiles"], { ...call, body: inboundBody(item) })).tile,

      /** Up to 500 items in one call; answers one result for each, in their order. */
      batch: async (items: readonly InboundItem[], call: CreateOptions = {}): Promise<readonly BatchResult[]> => {
        const body = { tiles: items.map(inboundBody) };
        return (await send<{ readonly results: readonly BatchResult[] }>("POST", ["api", "inbound", "tiles", "batch"], { ...call, body }))
          .results;
      },
    },

    /** Writes a piece from the board's content. */
    generate: async (input: GenerateInput, { async: later, ...call }: GenerateOptions = {}): Promise<Generation> => {
      const { boardId, assetType, zoneIds, tileIds, ideaId, saveToZoneId, ...rest } = input;
      const names = {
        board_id: boardId,
        asset_type: assetType,
        zone_ids: zoneIds,
        tile_ids: tileIds,
        idea_id: ideaId,
        save_to_zone_id: saveToZoneId,
      };
      return generationFrom("generate", { ...names, ...rest, async: later }, call);
    },

    /** Proposes ideas from the board's content. */
    idea: async (input: IdeaInput, { async: later, ...call }: GenerateOptions = {}): Promise<Generation> => {
      const { boardId, assetType, zoneIds, tileIds, ...rest } = input;
      const names = { board_id: boardId, asset_type: assetType, zone_ids: zoneIds, tile_ids: tileIds };
      return generationFrom("idea", { ...names, ...rest, async: later }, call);
    },

    generations: {
      /** With `wait` (seconds, at most 60) answers when it is no longer processing, or when the time is up. */
      get: async (generationId: string, { wait, ...call }: CallOptions & { readonly wait?: number } = {}): Promise<Generation> =>
        (await send<GenerationBody>("GET", ["api", "v1", "generations", generationId], { ...call, query: { wait } })).generation,

      /** The newest first, without what they made. */
      list: async ({ boardId, endpoint, limit, cursor, ...call }: GenerationListOptions = {}): Promise<GenerationPage> => {
        const query = { board_id: boardId, endpoint, limit, cursor };
        const page = await send<{ readonly generations: readonly GenerationSummary[]; readonly nextCursor?: string | null }>(
          "GET",
          ["api", "v1", "generations"],
          { ...call, query },
        );
        return { generations: page.generations, nextCursor: page.nextCursor ?? null };
      },

      /** Ends one that is processing; 409 when it has ended. */
      cancel: async (generationId: string, call: CallOptions = {}): Promise<Generation> =>
        (await send<GenerationBody>("POST", ["api", "v1", "generations", generationId, "cancel"], call)).generation,
    },
  };

  async function generationFrom(path: string, body: Record<string, unknown>, call: CreateOptions): Promise<Generation> {
    return (await send<GenerationBody>("POST", ["api", "v1", path], { ...call, body })).generation;
  }
}

function inboundBody({ boardId, zoneId, externalId, connectedToChat, ...rest }: InboundItem): Record<string, unknown> {
  return { board_id: boardId, zone_id: zoneId, external_id: externalId, connected_to_chat: connectedToChat, ...rest };
}

function withoutTag<T>(answer: T & { readonly etag: string | null }): T {
  const { etag: _, ...rest } = answer;
  return rest as unknown as T;
}
