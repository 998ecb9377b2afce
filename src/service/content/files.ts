import type { UploadedFile } from "#domain/content/file.ts";
import { invalidField } from "#domain/core/errors/error.ts";
import type { IdempotencyRecord, IdempotentOutcome } from "#domain/core/idempotency.ts";
import { newId } from "#domain/core/system.ts";
import type { TileCreation } from "#domain/content/tile-store.ts";
import { type TileOptions, pickTileOptions } from "#domain/content/tile-options.ts";
import type { BoardContributor } from "../access.ts";
import type { ContentDeps } from "../deps.ts";
import { newJob } from "./links.ts";
import type { NewContent } from "./tiles.ts";

/** Leading bytes of a file that are enough to detect its type. */
const HEAD_BYTES = 4_096;

/** What an upload sets on its tile. */
export type FileFields = Partial<TileOptions> & Pick<NewContent, "zoneId" | "title" | "externalId" | "skipDeleted">;

export type FileSlot = {
  append(bytes: Uint8Array): Promise<void>;
  /**
   * Creates the tile from the appended bytes, or updates the one with the same external id. A repeated idempotency key returns the stored
   * response. Throws 400 for an empty file.
   */
  finish(file: UploadedFile, fields: FileFields, idempotency?: IdempotencyRecord<TileCreation>): Promise<IdempotentOutcome<TileCreation>>;
  /** Deletes the appended bytes. */
  discard(): Promise<void>;
};

/** Opens a slot for a file that is being uploaded. `finish` creates its tile. */
export function openFileSlot(deps: ContentDeps, scope: BoardContributor): FileSlot {
  const { store, clock } = deps;
  const { businessId } = scope.target;
  const tileId = newId("til", clock.now());
  let head = new Uint8Array();
  let parts = 0;
  const discard = async (): Promise<void> => {
    if (parts > 0) await store.files.drop(businessId, tileId);
  };
  return {
    async append(bytes) {
      if (parts === 0) head = Uint8Array.from(bytes.subarray(0, HEAD_BYTES));
      await store.files.append(businessId, tileId, parts++, bytes, clock.now());
    },
    async finish(file, { zoneId, title, externalId, skipDeleted, ...options }, idempotency) {
      if (parts === 0) throw invalidField("file", "must not be empty.");
      const tile = {
        id: tileId,
        zoneId: zoneId ?? null,
        type: deps.links.detectFile(head, file),
        title: title ?? file.name,
        titleOverridden: title !== undefined,
        rawContent: file.name,
        extractedText: "",
        sourceUrl: null,
        metadata: {},
        externalId: externalId ?? null,
        ...(skipDeleted === true ? { skipDeleted } : {}),
        ...pickTileOptions(options),
        file,
        job: newJob(deps, null),
      };
      const outcome = await store.tiles.create(scope, tile, clock.now(), idempotency);
      // A tile that was updated has taken the bytes, or they were deleted with the update because it had the same ones.
      if (outcome.replayed || outcome.value.tile === null) await discard();
      return outcome;
    },
    discard,
  };
}
