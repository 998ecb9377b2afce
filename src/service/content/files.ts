import type { UploadedFile } from "#domain/content/file.ts";
import { invalidField } from "#domain/core/errors/error.ts";
import type { IdempotencyRecord, IdempotentOutcome } from "#domain/core/idempotency.ts";
import { newId } from "#domain/core/system.ts";
import type { NewTile, TileCreation } from "#domain/content/tile-store.ts";
import type { BoardContributor } from "../access.ts";
import type { ContentDeps } from "../deps.ts";
import { newJob } from "./links.ts";
import { type CommonContent, draftCommon } from "./drafts.ts";

/** Leading bytes of a file that are enough to detect its type. */
const HEAD_BYTES = 4_096;

export type FileSlot = {
  append(bytes: Uint8Array): Promise<void>;
  /** Builds the tile of the appended bytes. Throws 400 if there are none. */
  draft(file: UploadedFile, fields: CommonContent): NewTile;
  /**
   * Creates the tile of the appended bytes, or updates or returns the one with the same external id. A repeated idempotency key returns the
   * stored response.
   */
  finish(tile: NewTile, idempotency?: IdempotencyRecord<TileCreation>): Promise<IdempotentOutcome<TileCreation>>;
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
    draft(file, fields) {
      if (parts === 0) throw invalidField("file", "must not be empty.");
      return {
        ...draftCommon(deps, fields),
        id: tileId,
        type: deps.links.detectFile(head, file),
        title: fields.title ?? file.name,
        rawContent: file.name,
        extractedText: "",
        sourceUrl: null,
        metadata: {},
        file,
        job: newJob(deps, null),
      };
    },
    async finish(tile, idempotency) {
      const outcome = await store.tiles.create(scope, tile, clock.now(), idempotency);
      // An existing tile has taken the bytes, or they were deleted because it has the same ones or stays as it is.
      if (outcome.replayed || outcome.value.tile === null) await discard();
      return outcome;
    },
    discard,
  };
}
