// Generated from the OpenAPI document by `npm run sdk:types`. Do not edit.

import type {
  Open,
  Answer,
  ApiKey,
  AssetType,
  AuditEntry,
  Backup,
  BackupInterval,
  BackupSchedule,
  Backups,
  Board,
  BoardDetails,
  BulkResult,
  ChangePage,
  Delivery,
  DeliveryDetail,
  DeliveryStatus,
  DuplicateAction,
  FeedEvent,
  Generation,
  GenerationEndpoint,
  GenerationSummary,
  ImportedBoard,
  InboundAddress,
  InboundResult,
  InboundTile,
  InboundTileInput,
  Invitation,
  InvitationPreview,
  LoggedIn,
  Login,
  LostExternalId,
  Me,
  Member,
  ModelStatus,
  Permission,
  PropertiesFilter,
  RedeliveryInput,
  Role,
  RotationInput,
  SearchResult,
  Session,
  SettingsBoard,
  SignatureEncoding,
  Subscription,
  SubscriptionInput,
  SubscriptionPatch,
  SubscriptionSecret,
  Tags,
  Tile,
  TileCreation,
  TileOrigin,
  TileProperties,
  TileStatus,
  TileSummary,
  TileType,
  Webhook,
  WebhookEventName,
  WebhookSample,
  WebhookSecret,
  Zone,
  ZoneColor,
  ZoneSize,
} from "./schemas.ts";

/** Every operation of the API. Request fields are in camelCase here; the transport converts them to snake_case. */
export type Operations = {
  "GET /api/board/boards": {
    readonly query: {
      readonly limit?: number | undefined;
      readonly cursor?: string | undefined;
    };
    readonly response: {
      readonly boards: readonly Board[];
      /** Present in paginated responses; null on the last page. */
      readonly nextCursor?: string | null;
    };
  };
  "POST /api/board/boards": {
    readonly body: {
      /** The name of the board. */
      readonly name: string;
    };
    readonly response: {
      readonly board: BoardDetails;
    };
  };
  "GET /api/board/boards/{boardId}": {
    readonly path: {
      /** The id of the board. */
      readonly boardId: string;
    };
    readonly response: {
      readonly board: BoardDetails;
    };
  };
  "PATCH /api/board/boards/{boardId}": {
    readonly path: {
      /** The id of the board. */
      readonly boardId: string;
    };
    readonly body: {
      /** The name of the board. */
      readonly name?: string | undefined;
      /** true makes this the default board. */
      readonly isDefault?: boolean | undefined;
    };
    readonly response: {
      readonly board: BoardDetails;
    };
  };
  "DELETE /api/board/boards/{boardId}": {
    readonly path: {
      /** The id of the board. */
      readonly boardId: string;
    };
    readonly response: {
      readonly ok: true;
    };
  };
  "POST /api/board/boards/{boardId}/restore": {
    readonly path: {
      /** The id of the board. */
      readonly boardId: string;
    };
    readonly response: {
      readonly board: BoardDetails;
    };
  };
  "GET /api/board/{boardId}/events": {
    readonly path: {
      /** The id of the board. */
      readonly boardId: string;
    };
  };
  "GET /api/board/{boardId}/zones": {
    readonly path: {
      /** The id of the board. */
      readonly boardId: string;
    };
    readonly query: {
      readonly limit?: number | undefined;
      readonly cursor?: string | undefined;
    };
    readonly response: {
      readonly zones: readonly Zone[];
      /** Present in paginated responses; null on the last page. */
      readonly nextCursor?: string | null;
    };
  };
  "POST /api/board/{boardId}/zones": {
    readonly path: {
      /** The id of the board. */
      readonly boardId: string;
    };
    readonly body: {
      /** The name of the zone. */
      readonly name: string;
      /** Whether the content of the zone is used to answer questions. */
      readonly connectedToChat?: boolean | undefined;
      /** A color, or null for none. */
      readonly color?: Open<ZoneColor> | null | undefined;
      /** One emoji, or null for none. */
      readonly emoji?: string | null | undefined;
      /** The width of the zone on the page. */
      readonly size?: Open<ZoneSize> | undefined;
      /** The position of the zone on its board. */
      readonly sortOrder?: number | undefined;
    };
    readonly response: {
      readonly zone: Zone;
    };
  };
  "GET /api/board/zones/{zoneId}": {
    readonly path: {
      /** The id of the zone. */
      readonly zoneId: string;
    };
    readonly response: {
      readonly zone: Zone;
    };
  };
  "PATCH /api/board/zones/{zoneId}": {
    readonly path: {
      /** The id of the zone. */
      readonly zoneId: string;
    };
    readonly body: {
      /** The name of the zone. */
      readonly name?: string | undefined;
      /** Whether the content of the zone is used to answer questions. */
      readonly connectedToChat?: boolean | undefined;
      /** A color, or null for none. */
      readonly color?: Open<ZoneColor> | null | undefined;
      /** One emoji, or null for none. */
      readonly emoji?: string | null | undefined;
      /** The width of the zone on the page. */
      readonly size?: Open<ZoneSize> | undefined;
      /** The position of the zone on its board. */
      readonly sortOrder?: number | undefined;
    };
    readonly response: {
      readonly zone: Zone;
    };
  };
  "DELETE /api/board/zones/{zoneId}": {
    readonly path: {
      /** The id of the zone. */
      readonly zoneId: string;
    };
    readonly response: {
      readonly ok: true;
    };
  };
  "POST /api/board/zones/{zoneId}/restore": {
    readonly path: {
      /** The id of the zone. */
      readonly zoneId: string;
    };
    readonly response: {
      readonly zone: Zone;
      readonly lostExternalIds?: readonly LostExternalId[];
    };
  };
  "GET /api/board/{boardId}/tiles": {
    readonly path: {
      /** The id of the board. */
      readonly boardId: string;
    };
    readonly query: {
      /** Only tiles of this zone; none for those outside zones. */
      readonly zoneId?: string | undefined;
      /** Only tiles with one of these statuses. */
      readonly status?: Open<TileStatus> | readonly Open<TileStatus>[] | undefined;
      /** Only tiles of one of these types. */
      readonly type?: Open<TileType> | readonly Open<TileType>[] | undefined;
      /** Only tiles with all of these tags, in whatever case. */
      readonly tag?: string | readonly string[] | undefined;
      /** property.<key>=<value>, such as property.order=4711: only tiles with this value. Another key: both. The same key again: either. */
      readonly property?: Readonly<Record<string, string | readonly string[]>> | undefined;
      /** Only this tile. */
      readonly externalId?: string | undefined;
      /** Only tiles with this address. Its fragment, tracking parameters, order of parameters and trailing slash make no difference. */
      readonly sourceUrl?: string | undefined;
      /** Only tiles of this source. */
      readonly sourceId?: string | undefined;
      /** Only tiles changed at or after this time, in the order of their change. */
      readonly updatedSince?: string | Date | undefined;
      /** asc (default): oldest first. desc: newest first. position: by zone and sort order. */
      readonly order?: Open<"asc" | "desc" | "position"> | undefined;
      /** false leaves extractedText out. */
      readonly text?: boolean | undefined;
      /** Send 0 to start: the response has every tile and a syncToken. Send that token to get what was changed and deleted since. */
      readonly syncToken?: string | undefined;
      /** true adds metadata (such as author, site and duration), connectedToChat, warnings and textOverridden. */
      readonly metadata?: boolean | undefined;
      /** true adds total. */
      readonly count?: boolean | undefined;
      readonly limit?: number | undefined;
      readonly cursor?: string | undefined;
    };
    readonly response: {
      readonly tiles: readonly TileSummary[];
      /** Present in paginated responses; null on the last page. */
      readonly nextCursor?: string | null;
      /** With count: the number of tiles on all pages. */
      readonly total?: number;
      /** With sync_token: the ids of tiles deleted since. */
      readonly deleted?: readonly string[];
      /** With sync_token: true if tiles is the whole listing, not only the changes. */
      readonly complete?: boolean;
      /** With sync_token: the token that returns the next changes. */
      readonly syncToken?: string;
    };
  };
  "POST /api/board/{boardId}/tiles": {
    readonly path: {
      /** The id of the board. */
      readonly boardId: string;
    };
    readonly body: {
      /** The text. */
      readonly content?: string | undefined;
      /** A link instead of content. It is read in the background; its type is detected. */
      readonly url?: string | undefined;
      /** Only with url: the page as a browser rendered it, up to 3 MiB. It is read instead of fetching the link. */
      readonly html?: string | undefined;
      /** Only with content: where the text came from. It is shown in citations, and never fetched. */
      readonly sourceUrl?: string | undefined;
      /** The zone of the tile. It must belong to the board. */
      readonly zoneId?: string | undefined;
      /** The title. */
      readonly title?: string | undefined;
      /** Your own id. A call with the same id updates the same tile of the board. */
      readonly externalId?: string | undefined;
      /** true: nothing is made of what was deleted, by external_id or address. */
      readonly skipDeleted?: boolean | undefined;
      /** What to do with an existing tile, found by external_id, else by address or exact text. create (default): only external_id counts. skip: return it unchanged. update: update it, and read its link again. */
      readonly onDuplicate?: Open<DuplicateAction> | undefined;
      /** false: never used to answer questions. true: used if its zone is connected. null (default): follows its zone. */
      readonly connectedToChat?: boolean | null | undefined;
      /** The language of the text, as a BCP 47 tag such as de or pt-BR. It replaces the detected one. null (default): detect it. */
      readonly languageHint?: string | null | undefined;
      readonly tags?: Tags | null | undefined;
      readonly properties?: TileProperties | null | undefined;
      /** Only with content: what wrote the text. The tile then starts with connected_to_chat false. */
      readonly origin?: Open<TileOrigin> | undefined;
    };
    readonly response: TileCreation;
  };
  "POST /api/board/{boardId}/tiles/retry": {
    readonly path: {
      /** The id of the board. */
      readonly boardId: string;
    };
    readonly response: {
      readonly retried: number;
    };
  };
  "POST /api/board/{boardId}/tiles/bulk": {
    readonly path: {
      /** The id of the board. */
      readonly boardId: string;
    };
    readonly body: {
      /** At least one field. A tile matches if it meets all of them. */
      readonly filter: {
        /** Only these tiles. */
        readonly tileIds?: readonly string[] | undefined;
        /** Only these tiles. */
        readonly externalIds?: readonly string[] | undefined;
        /** Only tiles of this zone of the board; none for those outside zones. */
        readonly zoneId?: string | undefined;
        /** Only tiles with one of these statuses. */
        readonly status?: Open<TileStatus> | readonly Open<TileStatus>[] | undefined;
        /** Only tiles of one of these types. */
        readonly type?: Open<TileType> | readonly Open<TileType>[] | undefined;
        /** Only tiles with all of these tags, in whatever case. */
        readonly tag?: string | readonly string[] | undefined;
        readonly properties?: PropertiesFilter | undefined;
        /** Only tiles of this source. */
        readonly sourceId?: string | undefined;
        /** Only tiles created before this time. */
        readonly createdBefore?: string | Date | undefined;
        /** Only tiles last changed before this time. */
        readonly updatedBefore?: string | Date | undefined;
      };
      /** Exactly one action. */
      readonly action: {
        /** Moves the tiles to this zone; null removes them from their zones. */
        readonly moveTo?: string | null | undefined;
        /** With move_to and filter.tile_ids: the position of each of these tiles, in the same order. */
        readonly sortOrders?: readonly number[] | undefined;
        readonly addTags?: Tags | null | undefined;
        readonly removeTags?: Tags | null | undefined;
        readonly setProperties?: TileProperties | null | undefined;
        /** true deletes the tiles. They can be restored for 30 days. */
        readonly delete?: boolean | undefined;
        /** true restores deleted tiles that match. */
        readonly restore?: boolean | undefined;
        /** true reads links and uploads again. */
        readonly retry?: boolean | undefined;
        /** Sets connected_to_chat of the tiles. */
        readonly connectedToChat?: boolean | null | undefined;
      };
      /** true changes nothing and returns what would match. */
      readonly dryRun?: boolean | undefined;
    };
    readonly response: BulkResult;
  };
  "GET /api/board/tiles/{tileId}": {
    readonly path: {
      /** The id of the tile. */
      readonly tileId: string;
    };
    readonly query: {
      /** Seconds to wait until the tile is no longer processing. */
      readonly wait?: number | undefined;
    };
    readonly response: {
      readonly tile: Tile;
    };
  };
  "PATCH /api/board/tiles/{tileId}": {
    readonly path: {
      /** The id of the tile. */
      readonly tileId: string;
    };
    readonly body: {
      /** The title. */
      readonly title?: string | undefined;
      /** The text. */
      readonly content?: string | undefined;
      /** Moves the tile; null removes it from its zone. */
      readonly zoneId?: string | null | undefined;
      /** The position of the tile in its zone. */
      readonly sortOrder?: number | undefined;
      /** Your own id, or null. 409 if another tile has it. */
      readonly externalId?: string | null | undefined;
      /** false: never used to answer questions. true: used if its zone is connected. null (default): follows its zone. */
      readonly connectedToChat?: boolean | null | undefined;
      /** The language of the text, as a BCP 47 tag such as de or pt-BR. It replaces the detected one. null (default): detect it. */
      readonly languageHint?: string | null | undefined;
      readonly tags?: Tags | null | undefined;
      readonly properties?: TileProperties | null | undefined;
      /** How often the link is read again, in minutes. null: only by a retry. */
      readonly refreshMinutes?: number | null | undefined;
    };
    readonly response: {
      readonly tile: Tile;
    };
  };
  "DELETE /api/board/tiles/{tileId}": {
    readonly path: {
      /** The id of the tile. */
      readonly tileId: string;
    };
    readonly response: {
      readonly ok: true;
    };
  };
  "POST /api/board/tiles/{tileId}/restore": {
    readonly path: {
      /** The id of the tile. */
      readonly tileId: string;
    };
    readonly response: {
      readonly tile: Tile;
      readonly lostExternalIds?: readonly LostExternalId[];
    };
  };
  "POST /api/board/tiles/{tileId}/retry": {
    readonly path: {
      /** The id of the tile. */
      readonly tileId: string;
    };
    readonly query: {
      /** Also reads a tile again whose text was replaced by hand. The text of the source replaces it. */
      readonly replaceText?: boolean | undefined;
    };
    readonly response: {
      readonly tile: Tile;
    };
  };
  "GET /api/board/{boardId}/tiles/{tileId}/thumbnail": {
    readonly path: {
      /** The id of the board. */
      readonly boardId: string;
      /** The id of the tile. */
      readonly tileId: string;
    };
    readonly query: {
      /** Any value. Another one gets past the copy that the client stored. */
      readonly v?: string | undefined;
    };
  };
  "POST /api/board/{boardId}/files": {
    readonly path: {
      /** The id of the board. */
      readonly boardId: string;
    };
    readonly form: {
      /** Only with url: the page as a browser rendered it, up to 3 MiB. It is read instead of fetching the link. */
      readonly html?: string | undefined;
      /** Only with content: where the text came from. It is shown in citations, and never fetched. */
      readonly sourceUrl?: string | undefined;
      /** The zone of the tile. It must belong to the board. */
      readonly zoneId?: string | undefined;
      /** The title. */
      readonly title?: string | undefined;
      /** Your own id. A call with the same id updates the same tile of the board. */
      readonly externalId?: string | undefined;
      /** true: nothing is made of what was deleted, by external_id or address. */
      readonly skipDeleted?: boolean | undefined;
      /** What to do with an existing tile, found by external_id, else by address or exact text. create (default): only external_id counts. skip: return it unchanged. update: update it, and read its link again. */
      readonly onDuplicate?: Open<DuplicateAction> | undefined;
      /** false: never used to answer questions. true: used if its zone is connected. null (default): follows its zone. */
      readonly connectedToChat?: boolean | null | undefined;
      /** The language of the text, as a BCP 47 tag such as de or pt-BR. It replaces the detected one. null (default): detect it. */
      readonly languageHint?: string | null | undefined;
      readonly tags?: Tags | null | undefined;
      readonly properties?: TileProperties | null | undefined;
      /** The file. */
      readonly file: Blob;
    };
    readonly response: TileCreation;
  };
  "POST /api/inbound/tiles": {
    readonly body: InboundTileInput;
    readonly form: InboundTileInput;
    readonly response: {
      readonly tile: InboundTile | null;
      readonly created: boolean;
      /** If the tile existed. */
      readonly changed?: boolean;
      /** true if on_duplicate returned or updated an existing tile. */
      readonly duplicate?: boolean;
      /** true if skip_deleted skipped it. */
      readonly deleted?: boolean;
    };
  };
  "POST /api/inbound/tiles/batch": {
    readonly body: {
      /** The tiles to create. */
      readonly tiles: readonly InboundTileInput[];
    };
    readonly response: {
      readonly results: readonly InboundResult[];
    };
  };
  "POST /in/{token}": {
    readonly path: {
      /** What the URL of the inbound address ends with. */
      readonly token: string;
    };
    readonly body: {};
    readonly form: {};
    readonly response:
      | {
          readonly tile: InboundTile | null;
          readonly created: boolean;
          /** If the tile existed. */
          readonly changed?: boolean;
          /** true if on_duplicate returned or updated an existing tile. */
          readonly duplicate?: boolean;
          /** true if skip_deleted skipped it. */
          readonly deleted?: boolean;
          readonly attachments?: readonly InboundResult[];
        }
      | {
          readonly challenge: string;
        };
  };
  "POST /api/board/{boardId}/ask": {
    readonly path: {
      /** The id of the board. */
      readonly boardId: string;
    };
    readonly query: {
      /** Adds how the passages were ranked and selected. */
      readonly explain?: boolean | undefined;
    };
    readonly body: {
      /** The question. */
      readonly question: string;
      /** Adds how the passages were ranked and selected. */
      readonly explain?: boolean | undefined;
    };
    readonly response: Answer;
  };
  "GET /api/board/{boardId}/ask": {
    readonly path: {
      /** The id of the board. */
      readonly boardId: string;
    };
    readonly query: {
      /** The question. */
      readonly q: string;
      /** Adds how the passages were ranked and selected. */
      readonly explain?: boolean | undefined;
    };
    readonly response: Answer;
  };
  "GET /api/board/{boardId}/search": {
    readonly path: {
      /** The id of the board. */
      readonly boardId: string;
    };
    readonly query: {
      /** The search terms. "Quotation marks" match a phrase, begin* matches every word with this prefix. */
      readonly q: string;
      readonly limit?: number | undefined;
      /** Leaves out results with a lower score: the share of the best possible match, 0 to 1. Default: 0. */
      readonly minScore?: number | undefined;
      /** connected (default): content that is used to answer questions. all: also disconnected tiles, and tiles that are processing or failed, by title and address. */
      readonly scope?: Open<"connected" | "all"> | undefined;
      /** Only tiles of this zone. It must belong to the board. */
      readonly zoneId?: string | undefined;
      /** Only tiles of this type. */
      readonly type?: Open<TileType> | undefined;
      /** Only tiles created at or after this time. */
      readonly createdSince?: string | Date | undefined;
      /** Only tiles created before this time. */
      readonly createdBefore?: string | Date | undefined;
    };
    readonly response: {
      readonly results: readonly SearchResult[];
    };
  };
  "GET /api/changes": {
    readonly query: {
      readonly cursor?: string | undefined;
      /** Only changes of this board. */
      readonly boardId?: string | undefined;
      /** Only these events, such as tile.ready,tile.failed. */
      readonly events?: string | readonly string[] | undefined;
      readonly limit?: number | undefined;
      /** Seconds to wait for a change if there is none. Default: 0. */
      readonly wait?: number | undefined;
    };
    readonly response: ChangePage;
  };
  "GET /api/webhooks": {
    readonly response: {
      readonly webhooks: readonly Subscription[];
    };
  };
  "POST /api/webhooks": {
    readonly body: SubscriptionInput;
    readonly response: SubscriptionSecret;
  };
  "GET /api/webhooks/{webhookId}": {
    readonly path: {
      /** The id of the webhook. */
      readonly webhookId: string;
    };
    readonly response: {
      readonly webhook: Subscription;
    };
  };
  "PATCH /api/webhooks/{webhookId}": {
    readonly path: {
      /** The id of the webhook. */
      readonly webhookId: string;
    };
    readonly body: SubscriptionPatch;
    readonly response: {
      readonly webhook: Subscription;
    };
  };
  "DELETE /api/webhooks/{webhookId}": {
    readonly path: {
      /** The id of the webhook. */
      readonly webhookId: string;
    };
    readonly response: {
      readonly ok: true;
    };
  };
  "POST /api/webhooks/{webhookId}/rotate": {
    readonly path: {
      /** The id of the webhook. */
      readonly webhookId: string;
    };
    readonly body: RotationInput;
    readonly response: SubscriptionSecret;
  };
  "GET /api/webhooks/samples": {
    readonly query: {
      /** Default: tile.ready. */
      readonly event?: Open<FeedEvent> | undefined;
    };
    readonly response: {
      readonly samples: readonly WebhookSample[];
    };
  };
  "POST /api/webhooks/{webhookId}/test": {
    readonly path: {
      /** The id of the webhook. */
      readonly webhookId: string;
    };
    readonly response: {
      readonly delivery: {
        readonly id: string;
      };
    };
  };
  "GET /api/webhooks/{webhookId}/deliveries": {
    readonly path: {
      /** The id of the webhook. */
      readonly webhookId: string;
    };
    readonly query: {
      /** Only deliveries with this status. */
      readonly status?: Open<DeliveryStatus> | undefined;
      /** Only deliveries of events since this time. */
      readonly since?: string | Date | undefined;
      readonly limit?: number | undefined;
      readonly cursor?: string | undefined;
    };
    readonly response: {
      readonly deliveries: readonly Delivery[];
      readonly nextCursor: string | null;
    };
  };
  "GET /api/webhooks/{webhookId}/deliveries/{deliveryId}": {
    readonly path: {
      /** The id of the webhook. */
      readonly webhookId: string;
      /** The id of the delivery. */
      readonly deliveryId: string;
    };
    readonly response: {
      readonly delivery: DeliveryDetail;
    };
  };
  "POST /api/webhooks/{webhookId}/deliveries/redeliver": {
    readonly path: {
      /** The id of the webhook. */
      readonly webhookId: string;
    };
    readonly body: RedeliveryInput;
    readonly response: {
      /** How many deliveries are sent again. */
      readonly scheduled: number;
    };
  };
  "POST /api/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver": {
    readonly path: {
      /** The id of the webhook. */
      readonly webhookId: string;
      /** The id of the delivery. */
      readonly deliveryId: string;
    };
    readonly response: {
      readonly delivery: {
        readonly id: string;
      };
    };
  };
  "POST /api/v1/generate": {
    readonly body: {
      /** The board that the content comes from. */
      readonly boardId: string;
      /** The subject. Default: what the board is about. */
      readonly prompt?: string | undefined;
      /** Only tiles of these zones. With tile_ids, tiles of either. */
      readonly zoneIds?: readonly string[] | undefined;
      /** Only these tiles. With zone_ids, tiles of either. */
      readonly tileIds?: readonly string[] | undefined;
      /** true returns 202 immediately. */
      readonly async?: boolean | undefined;
      /** The format to write. */
      readonly assetType: Open<AssetType>;
      /** The tone, such as "warm" or "matter-of-fact". */
      readonly tone?: string | undefined;
      /** The intended readers. */
      readonly audience?: string | undefined;
      /** The language of the text. */
      readonly language?: string | undefined;
      /** "short", "medium", "long" or another description, or a number of words from 10 to 10,000. */
      readonly length?: string | number | undefined;
      /** An idea that an earlier call returned for this board. */
      readonly ideaId?: string | undefined;
      /** Saves the result as a text tile in this zone. Requires permission to write. */
      readonly saveToZoneId?: string | undefined;
    };
    readonly response: {
      readonly generation: Generation;
    };
  };
  "POST /api/v1/idea": {
    readonly body: {
      /** The board that the content comes from. */
      readonly boardId: string;
      /** The subject. Default: what the board is about. */
      readonly prompt?: string | undefined;
      /** Only tiles of these zones. With tile_ids, tiles of either. */
      readonly zoneIds?: readonly string[] | undefined;
      /** Only these tiles. With zone_ids, tiles of either. */
      readonly tileIds?: readonly string[] | undefined;
      /** true returns 202 immediately. */
      readonly async?: boolean | undefined;
      /** The maximum number of ideas. Default: 5. */
      readonly count?: number | undefined;
      /** The format that the ideas are for. */
      readonly assetType?: Open<AssetType> | undefined;
    };
    readonly response: {
      readonly generation: Generation;
    };
  };
  "GET /api/v1/generations": {
    readonly query: {
      /** Only generations of this board. */
      readonly boardId?: string | undefined;
      /** Only generations of this call. */
      readonly endpoint?: Open<GenerationEndpoint> | undefined;
      readonly limit?: number | undefined;
      readonly cursor?: string | undefined;
    };
    readonly response: {
      readonly generations: readonly GenerationSummary[];
      /** Present in paginated responses; null on the last page. */
      readonly nextCursor?: string | null;
    };
  };
  "GET /api/v1/generations/{generationId}": {
    readonly path: {
      /** The id of the generation. */
      readonly generationId: string;
    };
    readonly query: {
      /** Seconds to wait until the generation is no longer processing. */
      readonly wait?: number | undefined;
    };
    readonly response: {
      readonly generation: Generation;
    };
  };
  "POST /api/v1/generations/{generationId}/cancel": {
    readonly path: {
      /** The id of the generation. */
      readonly generationId: string;
    };
    readonly response: {
      readonly generation: Generation;
    };
  };
  "GET /api/me": {
    readonly response: Me;
  };
  "POST /api/settings/claim": {
    readonly body: {
      /** The part of the link after #. */
      readonly token: string;
      /** An e-mail address. Case is ignored. */
      readonly email: string;
      /** The password: 10 to 256 characters. */
      readonly password: string;
    };
    readonly response: LoggedIn;
  };
  "POST /api/settings/session": {
    readonly body: {
      /** An e-mail address. Case is ignored. */
      readonly email: string;
      /** The password. */
      readonly password: string;
    };
    readonly response: LoggedIn;
  };
  "GET /api/settings/session": {
    readonly response: Login;
  };
  "DELETE /api/settings/session": {
    readonly response: {
      readonly ok: true;
    };
  };
  "POST /api/settings/invitations/look": {
    readonly body: {
      /** The part of the link after #. */
      readonly token: string;
    };
    readonly response: InvitationPreview;
  };
  "POST /api/settings/invitations/accept": {
    readonly body: {
      /** The part of the link after #. */
      readonly token: string;
      /** The password: 10 to 256 characters. */
      readonly password: string;
    };
    readonly response: LoggedIn;
  };
  "GET /api/settings/sessions": {
    readonly response: {
      readonly sessions: readonly Session[];
    };
  };
  "DELETE /api/settings/sessions/{sessionId}": {
    readonly path: {
      /** The id of the session. */
      readonly sessionId: string;
    };
    readonly response: {
      readonly ok: true;
    };
  };
  "POST /api/settings/password": {
    readonly body: {
      /** The current password. */
      readonly currentPassword: string;
      /** The password: 10 to 256 characters. */
      readonly newPassword: string;
    };
    readonly response: {
      readonly ok: true;
    };
  };
  "GET /api/settings/members": {
    readonly response: {
      readonly members: readonly Member[];
    };
  };
  "PATCH /api/settings/members/{memberId}": {
    readonly path: {
      /** The id of the member. */
      readonly memberId: string;
    };
    readonly body: {
      /** owner: full access. admin: boards, API keys and members. member: content. */
      readonly role: Open<Role>;
    };
    readonly response: {
      readonly member: Member;
    };
  };
  "DELETE /api/settings/members/{memberId}": {
    readonly path: {
      /** The id of the member. */
      readonly memberId: string;
    };
    readonly response: {
      readonly ok: true;
    };
  };
  "GET /api/settings/invitations": {
    readonly response: {
      readonly invitations: readonly Invitation[];
    };
  };
  "POST /api/settings/invitations": {
    readonly body: {
      /** An e-mail address. Case is ignored. */
      readonly email: string;
      /** owner: full access. admin: boards, API keys and members. member: content. */
      readonly role?: Open<Role> | undefined;
    };
    readonly response: {
      readonly invitation: Invitation;
      /** The link to send to the invited person. It is shown only once. */
      readonly link: string;
    };
  };
  "DELETE /api/settings/invitations/{invitationId}": {
    readonly path: {
      /** The id of the invitation. */
      readonly invitationId: string;
    };
    readonly response: {
      readonly ok: true;
    };
  };
  "GET /api/settings/keys": {
    readonly response: {
      readonly keys: readonly ApiKey[];
    };
  };
  "POST /api/settings/keys": {
    readonly body: {
      /** A name to tell keys apart. */
      readonly name: string;
      /** Limits the key to one board. Default: all boards. */
      readonly boardId?: string | undefined;
      /** What the key is allowed to do. Default: write. */
      readonly permission?: Open<Permission> | undefined;
      /** When the key expires. Default: never. */
      readonly expiresAt?: string | Date | undefined;
      /** Tokens of language models per calendar month (UTC). Default: no limit. */
      readonly budget?: number | null | undefined;
      /** true lets the key manage webhooks of its own. Only owners can set it. Default: false. */
      readonly webhooks?: boolean | undefined;
    };
    readonly response: {
      /** The API key. It is shown only once. */
      readonly key: string;
      readonly apiKey: ApiKey;
    };
  };
  "PATCH /api/settings/keys/{keyId}": {
    readonly path: {
      /** The id of the API key. */
      readonly keyId: string;
    };
    readonly body: {
      /** A name to tell keys apart. */
      readonly name?: string | undefined;
      /** Tokens of language models per calendar month (UTC). null removes the limit. */
      readonly budget?: number | null | undefined;
    };
    readonly response: {
      readonly apiKey: ApiKey;
    };
  };
  "DELETE /api/settings/keys/{keyId}": {
    readonly path: {
      /** The id of the API key. */
      readonly keyId: string;
    };
    readonly response: {
      readonly apiKey: ApiKey;
    };
  };
  "GET /api/settings/inbound-addresses": {
    readonly response: {
      readonly inboundAddresses: readonly InboundAddress[];
    };
  };
  "POST /api/settings/inbound-addresses": {
    readonly body: {
      /** A name to tell addresses apart. */
      readonly name: string;
      /** The board of the tiles that are created. */
      readonly boardId: string;
      /** The zone of the tiles that are created. It must belong to the board. */
      readonly zoneId?: string | undefined;
      /** The tags of the tiles that are created, of 1 to 100 characters. */
      readonly tags?: readonly string[] | undefined;
      /** Requests must be signed: the HMAC-SHA256 of the body in a header, as GitHub, Typeform and many others send it. */
      readonly signature?:
        | {
            /** The header with the signature. */
            readonly header: string;
            /** The secret that you also give to the sender. It is stored encrypted. */
            readonly secret: string;
            /** How the signature is written. Default: hex. */
            readonly encoding?: Open<SignatureEncoding> | undefined;
            /** What precedes the signature in the header, such as sha256=. */
            readonly prefix?: string | undefined;
          }
        | undefined;
    };
    readonly response: {
      readonly inboundAddress: InboundAddress;
      /** Where senders post. It is shown only once. */
      readonly url: string;
    };
  };
  "DELETE /api/settings/inbound-addresses/{addressId}": {
    readonly path: {
      /** The id of the inbound address. */
      readonly addressId: string;
    };
    readonly response: {
      readonly ok: true;
    };
  };
  "GET /api/settings/webhooks": {
    readonly response: {
      readonly webhooks: readonly Subscription[];
    };
  };
  "POST /api/settings/webhooks": {
    readonly body: SubscriptionInput;
    readonly response: SubscriptionSecret;
  };
  "GET /api/settings/webhooks/{webhookId}": {
    readonly path: {
      /** The id of the webhook. */
      readonly webhookId: string;
    };
    readonly response: {
      readonly webhook: Subscription;
    };
  };
  "PATCH /api/settings/webhooks/{webhookId}": {
    readonly path: {
      /** The id of the webhook. */
      readonly webhookId: string;
    };
    readonly body: SubscriptionPatch;
    readonly response: {
      readonly webhook: Subscription;
    };
  };
  "DELETE /api/settings/webhooks/{webhookId}": {
    readonly path: {
      /** The id of the webhook. */
      readonly webhookId: string;
    };
    readonly response: {
      readonly ok: true;
    };
  };
  "POST /api/settings/webhooks/{webhookId}/rotate": {
    readonly path: {
      /** The id of the webhook. */
      readonly webhookId: string;
    };
    readonly body: RotationInput;
    readonly response: SubscriptionSecret;
  };
  "GET /api/settings/webhooks/samples": {
    readonly query: {
      /** Default: tile.ready. */
      readonly event?: Open<FeedEvent> | undefined;
    };
    readonly response: {
      readonly samples: readonly WebhookSample[];
    };
  };
  "POST /api/settings/webhooks/{webhookId}/test": {
    readonly path: {
      /** The id of the webhook. */
      readonly webhookId: string;
    };
    readonly response: {
      readonly delivery: {
        readonly id: string;
      };
    };
  };
  "GET /api/settings/webhooks/{webhookId}/deliveries": {
    readonly path: {
      /** The id of the webhook. */
      readonly webhookId: string;
    };
    readonly query: {
      /** Only deliveries with this status. */
      readonly status?: Open<DeliveryStatus> | undefined;
      /** Only deliveries of events since this time. */
      readonly since?: string | Date | undefined;
      readonly limit?: number | undefined;
      readonly cursor?: string | undefined;
    };
    readonly response: {
      readonly deliveries: readonly Delivery[];
      readonly nextCursor: string | null;
    };
  };
  "GET /api/settings/webhooks/{webhookId}/deliveries/{deliveryId}": {
    readonly path: {
      /** The id of the webhook. */
      readonly webhookId: string;
      /** The id of the delivery. */
      readonly deliveryId: string;
    };
    readonly response: {
      readonly delivery: DeliveryDetail;
    };
  };
  "POST /api/settings/webhooks/{webhookId}/deliveries/redeliver": {
    readonly path: {
      /** The id of the webhook. */
      readonly webhookId: string;
    };
    readonly body: RedeliveryInput;
    readonly response: {
      /** How many deliveries are sent again. */
      readonly scheduled: number;
    };
  };
  "POST /api/settings/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver": {
    readonly path: {
      /** The id of the webhook. */
      readonly webhookId: string;
      /** The id of the delivery. */
      readonly deliveryId: string;
    };
    readonly response: {
      readonly delivery: {
        readonly id: string;
      };
    };
  };
  "GET /api/settings/webhook": {
    readonly response: {
      readonly webhook: Webhook | null;
    };
  };
  "POST /api/settings/webhook": {
    readonly body: {
      /** The address that events are sent to. */
      readonly url: string;
      /** The events to send. */
      readonly events?: readonly Open<WebhookEventName>[] | undefined;
      /** Whether failed deliveries are tried again. Default: false. */
      readonly retries?: boolean | undefined;
    };
    readonly response: WebhookSecret;
  };
  "PATCH /api/settings/webhook": {
    readonly body: {
      /** The address that events are sent to. */
      readonly url?: string | undefined;
      /** The events to send. */
      readonly events?: readonly Open<WebhookEventName>[] | undefined;
      /** Whether failed deliveries are tried again. Default: false. */
      readonly retries?: boolean | undefined;
    };
    readonly response: {
      readonly webhook: Webhook;
    };
  };
  "DELETE /api/settings/webhook": {
    readonly response: {
      readonly ok: true;
    };
  };
  "POST /api/settings/webhook/rotate": {
    readonly body: RotationInput;
    readonly response: WebhookSecret;
  };
  "POST /api/settings/webhook/test": {
    readonly response: {
      readonly delivery: {
        readonly id: string;
      };
    };
  };
  "GET /api/settings/webhook/deliveries": {
    readonly query: {
      /** Only deliveries with this status. */
      readonly status?: Open<DeliveryStatus> | undefined;
      /** Only deliveries of events since this time. */
      readonly since?: string | Date | undefined;
      readonly limit?: number | undefined;
      readonly cursor?: string | undefined;
    };
    readonly response: {
      readonly deliveries: readonly Delivery[];
      readonly nextCursor: string | null;
    };
  };
  "GET /api/settings/webhook/deliveries/{deliveryId}": {
    readonly path: {
      /** The id of the delivery. */
      readonly deliveryId: string;
    };
    readonly response: {
      readonly delivery: DeliveryDetail;
    };
  };
  "POST /api/settings/webhook/deliveries/redeliver": {
    readonly body: RedeliveryInput;
    readonly response: {
      /** How many deliveries are sent again. */
      readonly scheduled: number;
    };
  };
  "POST /api/settings/webhook/deliveries/{deliveryId}/redeliver": {
    readonly path: {
      /** The id of the delivery. */
      readonly deliveryId: string;
    };
    readonly response: {
      readonly delivery: {
        readonly id: string;
      };
    };
  };
  "GET /api/settings/backups": {
    readonly response: Backups;
  };
  "PATCH /api/settings/backups": {
    readonly body: {
      /** How often backups are made. */
      readonly every?: Open<BackupInterval> | undefined;
      /** The hour of the day, UTC. */
      readonly hour?: number | undefined;
      /** How many backups to keep. */
      readonly keep?: number | undefined;
    };
    readonly response: {
      readonly schedule: BackupSchedule;
    };
  };
  "POST /api/settings/backups": {
    readonly response: {
      readonly backup: Backup;
    };
  };
  "GET /api/settings/audit": {
    readonly query: {
      readonly limit?: number | undefined;
      readonly cursor?: string | undefined;
    };
    readonly response: {
      readonly entries: readonly AuditEntry[];
      readonly nextCursor: string | null;
    };
  };
  "GET /api/settings/model": {
    readonly response: ModelStatus;
  };
  "GET /api/settings/boards": {
    readonly response: {
      readonly boards: readonly SettingsBoard[];
    };
  };
  "GET /api/settings/boards/{boardId}/export": {
    readonly path: {
      /** The id of the board. */
      readonly boardId: string;
    };
  };
  "POST /api/settings/boards/import": {
    readonly query: {
      /** The name of the new board. Default: the name in the file. */
      readonly name?: string | undefined;
    };
    readonly form: {
      /** The file. */
      readonly file: Blob;
    };
    readonly response: ImportedBoard;
  };
};
