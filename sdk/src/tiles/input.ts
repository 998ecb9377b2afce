import type { TileOrigin, TileProperties, TileSummary } from "../generated/schemas.ts";
import type { BodyOf, FormOf, QueryOf } from "../transport/operation.ts";
import type { CallOptions } from "../transport/transport.ts";

type ListQuery = QueryOf<"GET /api/board/{boardId}/tiles">;
export type CreateBody = BodyOf<"POST /api/board/{boardId}/tiles">;
type BulkBody = BodyOf<"POST /api/board/{boardId}/tiles/bulk">;

export type TileListOptions = CallOptions & Omit<ListQuery, "cursor" | "syncToken"> & { readonly cursor?: string | null };

/** Exactly one of `content` and `url`. Links are read in the background. */
export type NewTile = Omit<CreateBody, keyof Content | "zoneId"> & { readonly zoneId?: string | null } & Content;

/**
 * The content of a new tile: text or a link. `origin` says what wrote the text; the tile then starts with `connectedToChat` false. `sourceUrl`
 * says where the text came from, and is never fetched. `html` is the page of the link as a browser rendered it, which is read instead.
 */
export type Content =
  | {
      readonly content: string;
      readonly origin?: TileOrigin;
      readonly sourceUrl?: string;
      readonly url?: undefined;
      readonly html?: undefined;
    }
  | {
      readonly url: string;
      readonly html?: string;
      readonly content?: undefined;
      readonly origin?: undefined;
      readonly sourceUrl?: undefined;
    };

export type NewFile = Omit<FormOf<"POST /api/board/{boardId}/files">, "html" | "sourceUrl" | "zoneId"> & {
  /** The file name. Default: the name of the `File`. */
  readonly name?: string;
  readonly zoneId?: string | null;
};

export type TilePatch = BodyOf<"PATCH /api/board/tiles/{tileId}">;

export type TileChangesOptions = CallOptions &
  Pick<ListQuery, "text" | "metadata" | "limit"> & {
    /** The `syncToken` of the previous call. Without it, every tile is returned. */
    readonly syncToken?: string | null;
  };

/** What changed on a board since a sync token. */
export type TileChanges = {
  /** Created, changed and restored tiles; every tile of the board if `complete`. */
  readonly tiles: readonly TileSummary[];
  /** The ids of deleted tiles. */
  readonly deleted: readonly string[];
  /** True if `tiles` is the whole listing, as on the first call. */
  readonly complete: boolean;
  /** For the next call. */
  readonly syncToken: string;
};

/** Which tiles a bulk change applies to. At least one field; a tile must match all of them. */
export type TileFilter = BulkBody["filter"];

/** Exactly one action. */
export type BulkAction =
  | {
      /** Null removes the tiles from their zones. */
      readonly moveTo: string | null;
      /** The position of each of the filter's `tileIds`, in the same order. */
      readonly sortOrders?: readonly number[];
    }
  | { readonly addTags: readonly string[] }
  | { readonly removeTags: readonly string[] }
  /** Merged with the properties of a tile; null removes a key. */
  | { readonly setProperties: TileProperties }
  | { readonly delete: true }
  | { readonly restore: true }
  | { readonly retry: true }
  | { readonly connectedToChat: boolean | null };

export type BulkChange = Omit<BulkBody, "action"> & { readonly action: BulkAction };
