import type { Board } from "#domain/core/board.ts";
import type { Generation, GenerationSummary } from "#domain/answers/generation.ts";
import { changedPassages } from "#domain/answers/passages.ts";
import { isoTime } from "#domain/core/system.ts";
import type { Tile, TileSummary } from "#domain/content/tile.ts";
import type { SearchResult } from "#service/answer/ask.ts";
import type { Zone } from "#domain/content/zone.ts";

/** Output shapes, in one place: what is stored is never answered as it is. */
export const presentBoard = (board: Board) => ({ id: board.id, name: board.name, isDefault: board.isDefault, slug: board.slug });

export const presentZone = (zone: Zone) => ({
  id: zone.id,
  boardId: zone.boardId,
  name: zone.name,
  sortOrder: zone.sortOrder,
  connectedToChat: zone.connectedToChat,
  color: zone.color,
  emoji: zone.emoji,
  size: zone.size,
  createdAt: isoTime(zone.createdAt),
  updatedAt: isoTime(zone.updatedAt),
});

/** A row of a tile listing; without text where the caller asked for none. */
export const presentTileSummary = (tile: TileSummary, withText: boolean) => ({
  id: tile.id,
  zoneId: tile.zoneId,
  type: tile.type,
  title: tile.title,
  ...(withText ? { extractedText: tile.extractedText } : {}),
  status: tile.status,
  sourceUrl: tile.sourceUrl,
  error: tile.error,
  sortOrder: tile.sortOrder,
  createdAt: isoTime(tile.createdAt),
  updatedAt: isoTime(tile.updatedAt),
  ...(tile.metadata === undefined ? {} : { metadata: tile.metadata, connectedToChat: tile.connectedToChat ?? null }),
  ...(tile.textOverridden === true ? { textOverridden: true } : {}),
  ...(tile.warnings === undefined || tile.warnings.length === 0 ? {} : { warnings: tile.warnings }),
});

const presentChanges = (tile: Tile, earlier: { readonly text: string; readonly until: number }) => ({
  at: isoTime(earlier.until),
  ...changedPassages(earlier.text, tile.extractedText),
});

export const presentTile = (tile: Tile) => ({
  id: tile.id,
  boardId: tile.boardId,
  zoneId: tile.zoneId,
  type: tile.type,
  title: tile.title,
  rawContent: tile.rawContent,
  extractedText: tile.extractedText,
  status: tile.status,
  sourceUrl: tile.sourceUrl,
  metadata: tile.metadata,
  error: tile.error,
  warnings: tile.warnings,
  ...(tile.segments.length === 0 ? {} : { segments: tile.segments }),
  ...(tile.earlier === null ? {} : { changes: presentChanges(tile, tile.earlier) }),
  ...(tile.refreshMinutes === null ? {} : { refreshMinutes: tile.refreshMinutes }),
  ...(tile.textOverridden ? { textOverridden: true } : {}),
  sortOrder: tile.sortOrder,
  externalId: tile.externalId,
  connectedToChat: tile.connectedToChat,
  createdAt: isoTime(tile.createdAt),
  updatedAt: isoTime(tile.updatedAt),
});

/** What the inbound calls answer, exactly as the specification has it. */
export const presentInbound = (tile: Tile) => ({ id: tile.id, status: tile.status, type: tile.type });

/** A row of search results. */
export const presentResult = ({ state, ...result }: SearchResult) => ({ ...result, ...state });

/** A generation without what it made. */
const presentGenerationHead = (generation: GenerationSummary) => ({
  id: generation.id,
  boardId: generation.boardId,
  endpoint: generation.endpoint,
  ...(generation.assetType === null ? {} : { assetType: generation.assetType }),
  status: generation.status,
  ...(generation.savedTileId === null ? {} : { savedTileId: generation.savedTileId }),
  ...(generation.error === null ? {} : { error: { code: generation.error.code, message: generation.error.message } }),
  createdAt: isoTime(generation.createdAt),
  updatedAt: isoTime(generation.updatedAt),
});

export const presentGenerationSummary = (generation: GenerationSummary) => ({
  ...presentGenerationHead(generation),
  ...(generation.title === null ? {} : { title: generation.title }),
});

/** `output` of generate, `ideas` of idea; null until it is complete. The zones and tiles it was restricted to, where it was. */
export const presentGeneration = (generation: Generation) => ({
  ...presentGenerationHead(generation),
  ...(generation.request.zoneIds === undefined ? {} : { zoneIds: generation.request.zoneIds }),
  ...(generation.request.tileIds === undefined ? {} : { tileIds: generation.request.tileIds }),
  mode: generation.result?.mode ?? null,
  ...(generation.endpoint === "/api/v1/idea" ? { ideas: generation.result?.ideas ?? null } : { output: generation.result?.output ?? null }),
  citations: generation.result?.citations ?? [],
  contextTokens: generation.result?.contextTokens ?? 0,
  ...(generation.result?.notice === undefined ? {} : { notice: generation.result.notice }),
});
