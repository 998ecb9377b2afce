import {
  type Actor,
  type Authorized,
  type RequiredAccess,
  type Permission,
  checkBoardAccess,
  checkBusinessAccess,
} from "#domain/core/access.ts";
import { hashKey, hasKeyFormat } from "#domain/settings/api-key.ts";
import type { Board, Business } from "#domain/core/board.ts";
import { AppError, notFound } from "#domain/core/errors/error.ts";
import type { TileHead } from "#domain/content/tile.ts";
import type { Zone } from "#domain/content/zone.ts";
import { andThen } from "#runtime/wait.ts";
import { RESTORE_WINDOW_MS, type StoreDeps } from "./deps.ts";

/** Authenticates an API key. Unknown, revoked and expired keys fail with the same error. */
export function authenticate({ store, clock }: StoreDeps, key: string | undefined): Actor | Promise<Actor> {
  if (key === undefined) {
    throw new AppError("key_missing", "Missing API key. Send it in the X-API-Key header.");
  }
  return andThen(hasKeyFormat(key) ? store.apiKeys.findByHash(hashKey(key)) : null, (found) => {
    const isUsable = found !== null && found.revokedAt === null && (found.expiresAt === null || found.expiresAt > clock.now());
    if (!isUsable) throw new AppError("key_invalid", "Invalid API key.");
    const { businessId, id: keyId, name: keyName, boardId, permission, expiresAt, budget, webhooks } = found;
    return { kind: "key", businessId, keyId, keyName, boardId, permission, expiresAt, budget, webhooks };
  });
}

export async function authorizeBusiness<N extends RequiredAccess>(deps: StoreDeps, actor: Actor, required: N) {
  return checkBusinessAccess(actor, await deps.store.boards.business(actor.businessId), required);
}

/** Returns a promise only if the board must be waited for. */
export function authorizeBoard<N extends RequiredAccess>(deps: StoreDeps, actor: Actor, boardId: string, required: N) {
  return andThen(deps.store.boards.find(actor.businessId, boardId), (board) => checkBoardAccess(actor, boardId, board, required));
}

/** Authorizes managing a board that may be deleted, in order to restore it. */
export async function authorizeDeletedBoard(deps: StoreDeps, actor: Actor, boardId: string) {
  const { boards } = deps.store;
  const board =
    (await boards.find(actor.businessId, boardId)) ??
    (await boards.findDeleted(actor.businessId, boardId, deps.clock.now() - RESTORE_WINDOW_MS));
  return checkBoardAccess(actor, boardId, board, "manage");
}

export async function authorizeZone<N extends RequiredAccess>(
  deps: StoreDeps,
  actor: Actor,
  zoneId: string,
  required: N,
  includeDeleted = false,
) {
  const { zones } = deps.store;
  let zone: Zone | null = await zones.find(actor.businessId, zoneId);
  if (zone === null && includeDeleted) zone = await zones.findDeleted(actor.businessId, zoneId, deps.clock.now() - RESTORE_WINDOW_MS);
  if (zone === null) throw notFound("Zone");
  return { zone, scope: await authorizeBoard(deps, actor, zone.boardId, required) };
}

/** Finds a tile without its texts, which may be long, and authorizes access to its board. */
export async function authorizeTile<N extends RequiredAccess>(
  deps: StoreDeps,
  actor: Actor,
  tileId: string,
  required: N,
  includeDeleted = false,
) {
  const { tiles } = deps.store;
  let tile: TileHead | null = await tiles.findHead(actor.businessId, tileId);
  if (tile === null && includeDeleted) tile = await tiles.findDeletedHead(actor.businessId, tileId, deps.clock.now() - RESTORE_WINDOW_MS);
  if (tile === null) throw notFound("Tile");
  return { tile, scope: await authorizeBoard(deps, actor, tile.boardId, required) };
}

export type BoardReader = Authorized<Board, "read">;
export type BoardAsker = Authorized<Board, "ask" | "read">;
export type BoardWriter = Authorized<Board, "read" | "ask" | "write" | "inbound">;
export type BoardContributor = Authorized<Board, "inbound">;
export type BoardManager = Authorized<Board, Permission | "manage">;
export type BusinessManager = Authorized<Business, Permission | "manage">;
export type BusinessAdmin = Authorized<Business, Exclude<RequiredAccess, "own" | "subscribe">>;
export type BusinessOwner = Authorized<Business, RequiredAccess>;
