import { createHash } from "node:crypto";
import type { Actor } from "#domain/core/access.ts";
import { type AttachedFile, MAX_ATTACHED_FILES, sanitiseFileName } from "#domain/content/file.ts";
import { AppError, invalid, isUnavailable } from "#domain/core/errors/error.ts";
import { formatBytes } from "#domain/core/text.ts";
import { MAX_TAGS, addTags } from "#domain/labels/tags.ts";
import type { InboundAddress } from "#domain/settings/inbound-address.ts";
import { yieldToOthers } from "../work-queue.ts";
import { authorizeBoard } from "../access.ts";
import type { ContentDeps, StoreDeps } from "../deps.ts";
import { openFileSlot } from "./files.ts";
import { type BatchResult, type InboundCreation, createInboundTile } from "./inbound.ts";
import type { CommonContent, NewContent } from "./drafts.ts";

const CHUNK_BYTES = 1_048_576;

/** What a sender posted: the content of a tile, or null if there are files alone, and the files. */
export type InboundMessage = {
  readonly tile: NewContent | null;
  readonly boardId?: string;
  readonly files: readonly AttachedFile[];
  /** The number of files that the message has, of which an e-mail passes on only the first. */
  readonly fileCount: number;
  readonly fileTitle?: string;
  /** Is the same if the message is sent again, so that it makes no second tiles; absent for messages without an identity. */
  readonly id?: string;
};

/** The first tile, and the results of the further files. */
export type InboundMessageResult = { readonly first: InboundCreation; readonly files: readonly BatchResult[] };

/**
 * Creates the tiles of a message to an inbound address. A file that can't be stored is a result, since the sender could do nothing about
 * it. Throws the error of the first tile.
 */
export async function createFromMessage(
  deps: ContentDeps,
  actor: Actor,
  address: InboundAddress,
  message: InboundMessage,
  maxFileBytes: number,
): Promise<InboundMessageResult> {
  const { tile, boardId = address.boardId, files, fileCount, id, fileTitle } = message;
  const fields = await readTileFields(deps, address);
  const store = (file: AttachedFile, index: number): Promise<InboundCreation> =>
    storeFile(deps, { actor, boardId, maxFileBytes }, file, {
      ...fields,
      ...(fileTitle === undefined || fileCount > 1 ? {} : { title: fileTitle }),
      ...(id === undefined ? {} : { externalId: `${id}-${index + 1}` }),
    });
  const [firstFile] = files;
  if (tile === null && firstFile === undefined) throw invalid("The message has no content.");
  const first =
    tile === null
      ? await store(firstFile as AttachedFile, 0)
      : await createTile(deps, actor, { ...tile, ...mergeFields(fields, tile), boardId });
  const results: BatchResult[] = [];
  for (const [index, file] of files.slice(0, MAX_ATTACHED_FILES).entries())
    if (tile !== null || index > 0) results.push(await store(file, index).catch(toResult));
  if (fileCount > MAX_ATTACHED_FILES) results.push(tooManyFiles(fileCount));
  return { first, files: results };
}

/** What an address sets on every tile that is created by it. */
type AddressFields = { readonly zoneId: string | null; readonly tags: readonly string[] };

/** Returns what the address sets. A zone that was deleted since then is left out, so that nothing that is sent gets lost. */
async function readTileFields({ store }: StoreDeps, { businessId, zoneId, tags }: InboundAddress): Promise<AddressFields> {
  const zone = zoneId === null ? null : await store.zones.find(businessId, zoneId);
  return { zoneId: zone?.id ?? null, tags };
}

/** The zone of the address takes precedence over the one that a message names. Its tags are added, as far as a tile may have so many. */
const mergeFields = (fields: AddressFields, tile: NewContent): AddressFields => ({
  zoneId: fields.zoneId ?? tile.zoneId ?? null,
  tags: addTags(tile.tags ?? [], fields.tags).slice(0, MAX_TAGS),
});

async function createTile(deps: ContentDeps, actor: Actor, tile: NewContent & { readonly boardId: string }): Promise<InboundCreation> {
  const outcome = await createInboundTile(deps, actor, tile);
  if (outcome.replayed) throw new Error("A creation without an idempotency key was repeated.");
  return outcome.value;
}

type Target = { readonly actor: Actor; readonly boardId: string; readonly maxFileBytes: number };

/** Stores a file as an upload. */
async function storeFile(deps: ContentDeps, target: Target, { name, mediaType, bytes }: AttachedFile, fields: CommonContent) {
  const { actor, boardId, maxFileBytes } = target;
  if (bytes.length > maxFileBytes) throw new AppError("too_large", `The file is too large. The maximum is ${formatBytes(maxFileBytes)}.`);
  const slot = openFileSlot(deps, await authorizeBoard(deps, actor, boardId, "inbound"));
  try {
    const hash = createHash("sha256");
    for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
      const chunk = bytes.subarray(at, at + CHUNK_BYTES);
      hash.update(chunk);
      await slot.append(chunk);
      await yieldToOthers();
    }
    const file = { name: sanitiseFileName(name), mediaType, sha256: hash.digest("hex") };
    const outcome = await slot.finish(slot.draft(file, fields));
    if (outcome.replayed) throw new Error("A creation without an idempotency key was repeated.");
    return outcome.value;
  } catch (error) {
    // If it is unknown whether the tile was written, keep the bytes. Unused ones are deleted a day later.
    if (!isUnavailable(error)) await slot.discard();
    throw error;
  }
}

/** Returns the error of a file as its result, unless the whole message should be sent again. */
function toResult(error: unknown): BatchResult {
  if (error instanceof AppError && !isUnavailable(error)) return error;
  throw error;
}

const tooManyFiles = (count: number): AppError =>
  invalid(`The message has ${count.toLocaleString("en")} files. The first ${MAX_ATTACHED_FILES} are stored, and the others left out.`);
