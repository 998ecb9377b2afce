import type { UploadedFile } from "#domain/content/file.ts";
import { invalid } from "#domain/core/error.ts";
import type { IdempotencyRecord, IdempotentOutcome } from "#domain/core/idempotency.ts";
import { newId } from "#domain/core/system.ts";
import { type Tile } from "#domain/content/tile.ts";
import { type TileOptions, pickTileOptions } from "#domain/content/tile-options.ts";
import type { BoardWriter } from "../access.ts";
import type { Deps } from "../deps.ts";
import { newJob } from "./links.ts";

/** Leading bytes of a file that are enough to detect its type. */
const HEAD_BYTES = 4_096;

export type FileSlot = {
  append(bytes: Uint8Array): Promise<void>;
  /** Creates the tile from the appended bytes. A repeated idempotency key returns the stored response. Throws 400 for an empty file. */
  finish(
    file: UploadedFile,
    more: Partial<TileOptions> & { readonly zoneId?: string | null; readonly title?: string },
    idempotency?: IdempotencyRecord<Tile>,
  ): Promise<IdempotentOutcome<Tile>>;
  /** Deletes the appended bytes. */
  discard(): Promise<void>;
};

/** Opens a slot for a file that is being uploaded. `finish` creates its tile. */
export function openFileSlot(deps: Deps, scope: BoardWriter): FileSlot {
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
    async finish(file, { zoneId, title, ...options }, idempotency) {
      if (parts === 0) throw invalid("file must not be empty.");
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
        externalId: null,
        ...pickTileOptions(options),
        file,
        job: newJob(deps, null),
      };
      const outcome = await store.tiles.create(scope, tile, clock.now(), idempotency);
      if (outcome.replayed) await discard();
      return outcome;
    },
    discard,
  };
}
