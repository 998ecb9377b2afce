// Generated from the OpenAPI document by `npm run sdk:types`. Do not edit.

/** A string of a list that newer servers may extend: editors complete the known values, and others still type-check. */
export type Open<Known extends string> = Known | (string & Record<never, never>);

export type ActorKind = "operator" | "key" | "member";

export type Answer = {
  readonly answer: string;
  readonly contextTokens: number;
  /** false if the board does not contain the answer; citations are then the closest passages. */
  readonly answered: boolean;
  readonly mode: Open<"model" | "extractive">;
  /** What readers should know about how the answer was made, such as why no model was used. */
  readonly notice?: string;
  readonly citations: readonly Citation[];
  readonly explain?: Explanation;
};

export type ApiKey = {
  readonly id: string;
  readonly name: string;
  /** The first characters of the key, to tell keys apart. */
  readonly prefix: string;
  /** The only board that the key can access. null: all boards. */
  readonly boardId: string | null;
  readonly permission: Open<Permission>;
  readonly expiresAt: string | null;
  readonly lastUsedAt: string | null;
  readonly revokedAt: string | null;
  /** Tokens of language models that the key may use per calendar month (UTC). null: no limit. */
  readonly budget: number | null;
  /** Whether the key may manage webhooks of its own. */
  readonly webhooks: boolean;
  readonly usage: MonthUsage;
  /** The id of the member, or operator. */
  readonly createdBy: string;
  readonly createdAt: string;
};

export type AssetType = "video" | "short_video" | "post" | "thread" | "article" | "newsletter" | "carousel" | "podcast";

export type AuditEntry = {
  readonly actor: {
    readonly kind: Open<ActorKind>;
    readonly id: string;
    readonly name: string;
  };
  readonly action: string;
  /** The id of the resource that was changed. */
  readonly subject: string;
  readonly at: string;
};

export type Backup = {
  readonly id: string;
  /** The file name in the backup folder of the node. */
  readonly file: string;
  /** The machine that makes the backup. null until one has started. */
  readonly node: string | null;
  readonly bytes: number | null;
  /** removed: the file was deleted, by rotation or manually. */
  readonly status: Open<BackupStatus>;
  readonly error: string | null;
  readonly startedAt: string;
  readonly endedAt: string | null;
};

export type BackupInterval = "off" | "day" | "week";

export type BackupSchedule = {
  readonly every: Open<BackupInterval>;
  /** The hour of the day, UTC. */
  readonly hour: number;
  /** How many backups are kept. */
  readonly keep: number;
  readonly nextAt: string | null;
};

export type BackupStatus = "running" | "done" | "failed" | "removed";

export type Backups = {
  readonly schedule: BackupSchedule;
  readonly backups: readonly Backup[];
  /** true if the install has several businesses; then only the operator manages backups. */
  readonly isShared: boolean;
};

export type Board = {
  readonly id: string;
  readonly name: string;
  readonly isDefault: boolean;
  readonly slug: string;
};

export type BoardDetails = {
  readonly id: string;
  readonly name: string;
  readonly isDefault: boolean;
  readonly slug: string;
  readonly createdAt: string;
  readonly updatedAt: string;
};

export type BulkResult = {
  readonly matched: number;
  readonly changed: number;
  /** The first 1,000 tiles that matched. */
  readonly tileIds: readonly string[];
  readonly lostExternalIds?: readonly LostExternalId[];
  /** The first 1,000 tiles that stay as they are: they would have too many tags or properties. */
  readonly overLimit?: readonly string[];
};

export type Change = {
  /** The same in every response. It changes when a backup is restored. */
  readonly id: string;
  readonly event: Open<FeedEvent>;
  readonly payload: EventPayload;
  readonly at: string;
};

export type ChangePage = {
  readonly changes: readonly Change[];
  /** Continues after these changes, for 30 days. */
  readonly nextCursor: string;
  /** Whether more changes follow already, even after an empty page. */
  readonly hasMore: boolean;
};

export type Citation = {
  readonly tileId: string;
  readonly title: string;
  readonly type: Open<TileType>;
  readonly sourceUrl: string | null;
  /** Words of the tile's extractedText, from start to end. */
  readonly quote: string;
  /** UTF-16 code units. */
  readonly start: number;
  readonly end: number;
  /** When it is said, if the tile is a transcript. */
  readonly seconds?: number;
  /** Where the sentences, rows or items that answer are in quote. Only without a model. */
  readonly highlights?: readonly {
    readonly start: number;
    readonly end: number;
  }[];
};

export type Delivery = {
  readonly id: string;
  readonly event: string;
  readonly url: string;
  readonly status: Open<DeliveryStatus>;
  readonly responseStatus: number | null;
  readonly durationMs: number | null;
  readonly error: string | null;
  /** How many attempts have ended. */
  readonly attempts: number;
  /** When it is tried again, while the status is retrying. */
  readonly nextAttemptAt: string | null;
  readonly createdAt: string;
  readonly sentAt: string | null;
};

export type DeliveryAttempt = {
  readonly at: string;
  readonly responseStatus: number | null;
  readonly durationMs: number;
  readonly error: string | null;
};

export type DeliveryDetail = {
  readonly id: string;
  readonly event: string;
  readonly url: string;
  readonly status: Open<DeliveryStatus>;
  readonly responseStatus: number | null;
  readonly durationMs: number | null;
  readonly error: string | null;
  /** How many attempts have ended. */
  readonly attempts: number;
  /** When it is tried again, while the status is retrying. */
  readonly nextAttemptAt: string | null;
  readonly createdAt: string;
  readonly sentAt: string | null;
  /** The attempts that have ended, oldest first; at most the last 20. */
  readonly attemptLog: readonly DeliveryAttempt[];
  /** The exact body of the last request; null until it is sent. The texts of a tile in it are left out. */
  readonly body: string | null;
  /** The request headers, with masked signatures. null until it is sent. */
  readonly headers: Readonly<Record<string, string>> | null;
  /** The first 20,000 bytes of the response, as text. */
  readonly responseStart: string | null;
};

export type DeliveryStatus = "pending" | "sending" | "retrying" | "succeeded" | "failed";

export type DuplicateAction = "create" | "skip" | "update";

export type EmbeddingsKind = "local" | "off" | "openai-compatible";

export type EventPayload = {
  readonly boardId: string;
  /** Events of tiles have these fields, as they were then. */
  readonly tileId?: string;
  readonly title?: string;
  readonly type?: Open<TileType>;
  readonly externalId?: string | null;
  readonly sourceUrl?: string | null;
  readonly zoneId?: string | null;
  readonly tags?: readonly string[];
  /** Events of sources have this field and the next one. */
  readonly sourceId?: string;
  readonly url?: string;
  /** Events of generations have these fields. */
  readonly generationId?: string;
  readonly endpoint?: Open<GenerationEndpoint>;
  readonly assetType?: Open<AssetType>;
};

export type Explanation = {
  readonly budgetTokens: number;
  readonly candidates: readonly {
    readonly tileId: string;
    readonly start: number;
    readonly end: number;
    readonly score: number;
    readonly parts: {
      readonly lexical?: number | null;
      readonly semantic?: number | null;
      readonly rerank?: number | null;
    };
    readonly used: boolean;
    readonly reason: string;
  }[];
};

export type FeedEvent =
  | "tile.created"
  | "tile.ready"
  | "tile.updated"
  | "tile.failed"
  | "tile.deleted"
  | "source.failing"
  | "generation.complete"
  | "generation.failed";

export type Generation = {
  readonly id: string;
  readonly boardId: string;
  readonly endpoint: Open<GenerationEndpoint>;
  readonly assetType?: Open<AssetType>;
  readonly status: Open<GenerationStatus>;
  /** The tile that contains the result. */
  readonly savedTileId?: string;
  readonly error?: {
    readonly code: string;
    readonly message: string;
  };
  readonly createdAt: string;
  readonly updatedAt: string;
  /** The zones it was restricted to. Absent if it was not. */
  readonly zoneIds?: readonly string[];
  /** The tiles it was restricted to. Absent if it was not. */
  readonly tileIds?: readonly string[];
  /** model: written by a language model. extractive: assembled from sentences of the tiles. null until it is complete. */
  readonly mode: Open<"model" | "extractive"> | null;
  readonly output?: {
    readonly title: string;
    /** The whole text, as light Markdown. */
    readonly text: string;
    readonly sections: readonly OutputSection[];
  } | null;
  readonly ideas?: readonly Idea[] | null;
  readonly citations: readonly Citation[];
  readonly contextTokens: number;
  /** What readers should know about how it was made. */
  readonly notice?: string;
};

export type GenerationEndpoint = "/api/v1/generate" | "/api/v1/idea";

export type GenerationStatus = "processing" | "complete" | "failed" | "cancelled";

export type GenerationSummary = {
  readonly id: string;
  readonly boardId: string;
  readonly endpoint: Open<GenerationEndpoint>;
  readonly assetType?: Open<AssetType>;
  readonly status: Open<GenerationStatus>;
  /** The tile that contains the result. */
  readonly savedTileId?: string;
  readonly error?: {
    readonly code: string;
    readonly message: string;
  };
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly title?: string;
};

export type Idea = {
  readonly id: string;
  readonly title: string;
  readonly hook: string;
  readonly angle: string;
  readonly rationale: string;
  readonly citations: readonly Citation[];
};

export type ImportedBoard = {
  readonly board: Board;
  readonly zones: number;
  readonly tiles: number;
};

export type InboundAddress = {
  readonly id: string;
  readonly name: string;
  readonly boardId: string;
  /** The zone of the tiles that are created. null: none. */
  readonly zoneId: string | null;
  /** The tags of the tiles that are created. */
  readonly tags: readonly string[];
  /** Where requests have their signature. null: requests are not signed. The secret is not returned. */
  readonly signature: {
    readonly header: string;
    /** How the signature is written. Default: hex. */
    readonly encoding: Open<SignatureEncoding>;
    readonly prefix: string;
  } | null;
  /** The id of the member, or operator. */
  readonly createdBy: string;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
};

export type InboundResult = {
  readonly tile?: InboundTile | null;
  readonly created?: boolean;
  /** If the tile existed. */
  readonly changed?: boolean;
  /** true if on_duplicate returned or updated an existing tile. */
  readonly duplicate?: boolean;
  /** true if skip_deleted skipped it. */
  readonly deleted?: boolean;
  readonly error?: string;
  /** The error code, as in X-Error-Code. */
  readonly code?: string;
  /** The status that a call for this item alone would have. */
  readonly status?: number;
};

export type InboundTile = {
  readonly id: string;
  readonly status: Open<TileStatus>;
  readonly type: Open<TileType>;
};

export type InboundTileInput = {
  /** The board of the new tile. */
  readonly boardId: string;
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

export type Invitation = {
  readonly id: string;
  readonly email: string;
  /** owner: full access. admin: boards, API keys and members. member: content. */
  readonly role: Open<Role>;
  readonly expiresAt: string;
  readonly createdBy: string;
  readonly createdAt: string;
};

export type InvitationPreview = {
  readonly invitation: {
    readonly email: string;
    /** owner: full access. admin: boards, API keys and members. member: content. */
    readonly role: Open<Role>;
    readonly expiresAt: string;
  };
  readonly business: {
    readonly name: string;
  };
};

export type LoggedIn = {
  readonly member: Member;
  readonly business: {
    readonly id: string;
    readonly name: string;
  };
};

export type Login = {
  readonly member: Member;
  readonly business: {
    readonly id: string;
    readonly name: string;
  };
  readonly session: {
    readonly id: string;
  };
  readonly limits: {
    /** The largest file that can be uploaded, in bytes. */
    readonly fileBytes: number;
  };
  /** Present for owners while the server has no secret key, or another one than before: webhooks wait until the operator starts it with the right key, or the webhook is set again. */
  readonly operatorNotice?: Open<OperatorNotice>;
};

/** A restored tile without its external_id, because another tile has it now. */
export type LostExternalId = {
  readonly tileId: string;
  readonly externalId: string;
};

export type Me = {
  readonly business: {
    readonly id: string;
    readonly name: string;
  };
  readonly key: {
    readonly id: string;
    readonly name: string;
  };
  readonly scope: {
    /** The only board that the key can access. null: all boards. */
    readonly boardId: string | null;
  };
  readonly permission: Open<Permission>;
  readonly expiresAt: string | null;
  /** Tokens of language models that the key may use per calendar month (UTC). null: no limit. */
  readonly budget: number | null;
  /** Whether the key may manage webhooks of its own. */
  readonly webhooks: boolean;
  readonly usage: MonthUsage;
  readonly limits: {
    /** The largest file that can be uploaded, in bytes. */
    readonly fileBytes: number;
  };
};

export type Member = {
  readonly id: string;
  readonly email: string;
  /** owner: full access. admin: boards, API keys and members. member: content. */
  readonly role: Open<Role>;
  readonly lastSeenAt: string | null;
  readonly createdAt: string;
};

export type ModelStatus = {
  /** null if no language model is configured: answers are then extractive. */
  readonly model: {
    readonly provider: string;
    readonly name: string;
  } | null;
  readonly embeddings: {
    readonly kind: Open<EmbeddingsKind>;
    readonly model: string | null;
  };
};

/** How much the key used language models this month. */
export type MonthUsage = {
  /** The current month, such as 2026-11. */
  readonly month: string;
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
};

export type OperatorNotice = "secret_key_lost" | "secret_key_changed";

export type OutputSection = {
  readonly heading: string;
  readonly text: string;
  readonly citations: readonly Citation[];
};

export type Permission = "read" | "ask" | "write" | "inbound";

/** Only tiles with these values of their properties. An array: any of its values. */
export type PropertiesFilter = Readonly<Record<string, string | number | boolean | null | readonly (string | number | boolean | null)[]>>;

export type RedeliveryInput = {
  /** Only failed deliveries are sent again. */
  readonly status?: Open<"failed"> | undefined;
  /** From this time on. */
  readonly since: string | Date;
  /** Before this time. Default: now. */
  readonly until?: string | Date | undefined;
};

export type Role = "owner" | "admin" | "member";

export type RotationInput = {
  /** How long the previous secret keeps signing, in hours. Default: 24. */
  readonly overlapHours?: number | undefined;
};

export type SearchResult = {
  readonly tileId: string;
  readonly title: string;
  readonly type: Open<TileType>;
  /** The share of the best possible match, 0 to 1. */
  readonly score: number;
  /** The tile's extractedText from start to end. */
  readonly quote: string;
  readonly start: number;
  readonly end: number;
  /** Where the search terms are in quote. */
  readonly highlights: readonly {
    readonly start: number;
    readonly end: number;
  }[];
  /** Only with scope=all: whether the tile is used to answer questions once it is ready. */
  readonly connected?: boolean;
  /** Only with scope=all. quote is empty unless the tile is ready. */
  readonly status?: Open<TileStatus>;
};

export type Segment = {
  readonly start: number;
  readonly end: number;
  readonly seconds: number;
};

export type Session = {
  readonly id: string;
  /** The User-Agent header of the browser. */
  readonly agent: string;
  readonly createdAt: string;
  readonly lastSeenAt: string;
  readonly expiresAt: string;
  readonly isCurrent: boolean;
};

export type SettingsBoard = {
  readonly id: string;
  readonly name: string;
  readonly isDefault: boolean;
  readonly slug: string;
  readonly deletedAt: string | null;
};

export type SignatureEncoding = "hex" | "base64";

export type Subscription = {
  readonly id: string;
  readonly url: string;
  readonly events: readonly Open<FeedEvent>[];
  /** Only events of this board; null: of all. */
  readonly boardId: string | null;
  /** Only tiles in these zones; empty: all. */
  readonly zoneIds: readonly string[];
  /** Only tiles of these types; empty: all. */
  readonly types: readonly Open<TileType>[];
  /** Only tiles that have all of these tags. */
  readonly tags: readonly string[];
  readonly properties: Readonly<Record<string, readonly string[]>>;
  /** Whether events carry the tile, as it is when they are sent. */
  readonly includeTile: boolean;
  /** Whether a failed delivery is tried again, six times within 31 hours. */
  readonly retries: boolean;
  readonly description: string | null;
  readonly status: Open<SubscriptionStatus>;
  /** Why the server paused it; null if a caller did. */
  readonly pausedReason: string | null;
  /** Null while attempts succeed. */
  readonly failingSince: string | null;
  readonly owner: {
    readonly kind: Open<ActorKind>;
    readonly id: string;
    readonly name: string;
  };
  /** Until when the previous secret signs too. */
  readonly overlapUntil: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly lastDeliveryAt: string | null;
};

export type SubscriptionInput = {
  /** The address that events are sent to. */
  readonly url: string;
  /** The events to send. */
  readonly events: readonly Open<FeedEvent>[];
  /** Only this board. A key of one board has that board. */
  readonly boardId?: string | null | undefined;
  /** Only tiles in these zones. */
  readonly zoneIds?: readonly string[] | null | undefined;
  /** Only these types of tiles. */
  readonly types?: readonly Open<TileType>[] | null | undefined;
  /** Only tiles that have all of these tags. */
  readonly tags?: readonly string[] | null | undefined;
  readonly properties?: PropertiesFilter | null | undefined;
  /** Adds tile to events of tiles. Its texts are cut after 100,000 characters. */
  readonly includeTile?: boolean | undefined;
  /** Whether failed deliveries are tried again. Default: true. */
  readonly retries?: boolean | undefined;
  /** A note for people. */
  readonly description?: string | null | undefined;
};

export type SubscriptionPatch = {
  /** The address that events are sent to. */
  readonly url?: string | undefined;
  /** The events to send. */
  readonly events?: readonly Open<FeedEvent>[] | undefined;
  /** Only this board. A key of one board has that board. */
  readonly boardId?: string | null | undefined;
  /** Only tiles in these zones. */
  readonly zoneIds?: readonly string[] | null | undefined;
  /** Only these types of tiles. */
  readonly types?: readonly Open<TileType>[] | null | undefined;
  /** Only tiles that have all of these tags. */
  readonly tags?: readonly string[] | null | undefined;
  readonly properties?: PropertiesFilter | null | undefined;
  /** Adds tile to events of tiles. Its texts are cut after 100,000 characters. */
  readonly includeTile?: boolean | undefined;
  /** Whether failed deliveries are tried again. Default: true. */
  readonly retries?: boolean | undefined;
  /** A note for people. */
  readonly description?: string | null | undefined;
  /** active resumes, paused pauses. */
  readonly status?: Open<SubscriptionStatus> | undefined;
};

export type SubscriptionSecret = {
  readonly webhook: Subscription;
  /** The signing secret. It is shown only once. */
  readonly secret: string;
};

export type SubscriptionStatus = "active" | "paused";

/** Up to 50 tags of at most 100 characters. Spaces around a tag are left out, and tags that differ from an earlier one only in case. */
export type Tags = readonly string[];

export type Tile = {
  readonly id: string;
  readonly zoneId: string | null;
  readonly type: Open<TileType>;
  readonly title: string;
  readonly status: Open<TileStatus>;
  readonly sourceUrl: string | null;
  readonly error: TileError | null;
  readonly sortOrder: number;
  readonly externalId: string | null;
  readonly tags: Tags;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly boardId: string;
  readonly rawContent: string;
  readonly extractedText: string;
  readonly metadata: TileMetadata;
  readonly warnings: readonly TileWarning[];
  /** Where each part of a transcript is in extractedText, in UTF-16 code units, and when it is said. Absent if there are no times. */
  readonly segments?: readonly Segment[];
  /** true if the text of a link or upload was replaced by hand; absent otherwise. Only a retry with replace_text=true then reads the source again. */
  readonly textOverridden?: boolean;
  /** How often the link is read again, in minutes. Absent if it is not. */
  readonly refreshMinutes?: number;
  /** What the last refresh that changed the text added and removed. Absent if none did. */
  readonly changes?: {
    readonly at: string;
    readonly added: readonly string[];
    readonly removed: readonly string[];
  };
  /** false: never used to answer questions. true: used if its zone is connected. null: follows its zone. */
  readonly connectedToChat: boolean | null;
  /** The language of the text, where one was given. */
  readonly languageHint?: string;
  readonly properties: TileProperties;
  /** The source that made the tile. */
  readonly sourceId: string | null;
  /** Whether the uploaded file is stored with the tile. */
  readonly hasFile: boolean;
};

export type TileCreation = {
  readonly tile: Tile | null;
  readonly created: boolean;
  /** If the tile existed. */
  readonly changed?: boolean;
  /** true if on_duplicate returned or updated an existing tile. */
  readonly duplicate?: boolean;
  /** true if skip_deleted skipped it. */
  readonly deleted?: boolean;
};

export type TileError = {
  readonly code: string;
  readonly message: string;
  readonly stage: string;
  readonly retryable: boolean;
  readonly attempts: number;
};

/** What is known about the source. Unknown fields are left out. */
export type TileMetadata = {
  readonly subtype?: string;
  readonly pageType?: string;
  readonly author?: string;
  readonly authorUrl?: string;
  readonly siteName?: string;
  readonly publishedAt?: string;
  readonly durationSeconds?: number;
  readonly thumbnailUrl?: string;
  readonly language?: string;
  readonly wordCount?: number;
  readonly canonicalUrl?: string;
  readonly stats?: {};
  /** Present on saved answers and generations. */
  readonly origin?: Open<TileOrigin>;
};

export type TileOrigin = "answer" | "generation";

/** Your own data: up to 64 keys of at most 100 characters. Texts have at most 2,000 characters, and arrays up to 50 texts; all together 16 KiB as JSON. */
export type TileProperties = Readonly<Record<string, string | number | boolean | readonly string[] | null>>;

export type TileStatus = "processing" | "ready" | "failed";

export type TileSummary = {
  readonly id: string;
  readonly zoneId: string | null;
  readonly type: Open<TileType>;
  readonly title: string;
  readonly status: Open<TileStatus>;
  readonly sourceUrl: string | null;
  readonly error: TileError | null;
  readonly sortOrder: number;
  readonly externalId: string | null;
  readonly tags: Tags;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly extractedText?: string;
  readonly metadata?: TileMetadata;
  /** true if the text of a link or upload was replaced by hand; absent otherwise. Only a retry with replace_text=true then reads the source again. */
  readonly textOverridden?: boolean;
  readonly warnings?: readonly TileWarning[];
  /** false: never used to answer questions. true: used if its zone is connected. null: follows its zone. */
  readonly connectedToChat?: boolean | null;
};

export type TileType =
  | "TEXT"
  | "PODCAST"
  | "SOUNDCLOUD"
  | "SPOTIFY"
  | "GITHUB"
  | "GOOGLE_DOC"
  | "BLUESKY"
  | "FACEBOOK"
  | "HACKERNEWS"
  | "INSTAGRAM"
  | "LINKEDIN"
  | "MASTODON"
  | "REDDIT"
  | "SUBSTACK"
  | "THREADS"
  | "X"
  | "DAILYMOTION"
  | "LOOM"
  | "TIKTOK"
  | "TWITCH"
  | "VIMEO"
  | "YOUTUBE"
  | "FEED"
  | "PDF"
  | "DOCUMENT"
  | "IMAGE"
  | "AUDIO"
  | "VIDEO"
  | "WEBSITE";

export type TileWarning = {
  readonly code: string;
  readonly message: string;
};

export type Webhook = {
  readonly id: string;
  readonly url: string;
  readonly events: readonly Open<WebhookEventName>[];
  /** Whether a failed delivery is tried again, six times within 31 hours. */
  readonly retries: boolean;
  /** Until when the previous secret signs as well. null: only the current one signs. */
  readonly overlapUntil: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
};

export type WebhookEventName = "tile.ready" | "generation.complete" | "tile.failed" | "tile.updated" | "generation.failed";

export type WebhookSample = {
  readonly event: Open<FeedEvent>;
  readonly payload: EventPayload;
  readonly sentAt: string;
};

export type WebhookSecret = {
  readonly webhook: Webhook;
  /** The signing secret. It is shown only once. */
  readonly secret: string;
};

export type Zone = {
  readonly id: string;
  readonly boardId: string;
  readonly name: string;
  readonly sortOrder: number;
  readonly connectedToChat: boolean;
  readonly color: Open<ZoneColor> | null;
  readonly emoji: string | null;
  readonly size: Open<ZoneSize>;
  readonly createdAt: string;
  readonly updatedAt: string;
};

export type ZoneColor = "gray" | "red" | "orange" | "yellow" | "green" | "teal" | "blue" | "purple" | "pink";

export type ZoneSize = "sm" | "md" | "lg" | "xl";
