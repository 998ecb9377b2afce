import { isUnavailable } from "#domain/core/errors/error.ts";
import { authorizeBoard } from "#service/access.ts";
import { openFileSlot } from "#service/content/files.ts";
import { findExisting } from "#service/content/tiles.ts";
import { sendTileCreation } from "../response/raw-json.ts";
import { digestJson } from "../request/body/body-digest.ts";
import { sendUpsert } from "../response/send-tile.ts";
import { readObject } from "../request/schema-reader.ts";
import { readUpload } from "../request/form/upload.ts";
import { type AnyRoute, defineRoute } from "../route.ts";
import { readIdempotencyKey } from "../request/idempotency.ts";
import type { InputLimits } from "../wire/schema.ts";
import { TILE_RESPONSES, presentTileCreation, presentRepeatableCreation } from "../wire/tiles/tile.ts";
import { createTileInputs, listIneffectiveFields, readFileFields } from "../wire/tiles/tile-input.ts";

type Inputs = ReturnType<typeof createTileInputs>;

const uploadRoute = (inputs: Inputs) =>
  defineRoute({
    method: "POST",
    path: "/api/board/:boardId/files",
    operationId: "uploadFile",
    tag: "Tiles",
    summary: "Upload a file",
    description:
      "Send a multipart form with the file and, before or after it, the other fields. The type is detected from the bytes of the file. The text is read in the background.",
    form: inputs.file,
    headers: ["Idempotency-Key"],
    isVersioned: true,
    example: 2,
    response: TILE_RESPONSES.created,
    guard: (deps, actor, { boardId = "" }) => authorizeBoard(deps, actor, boardId, "write"),
    async handle({ deps, actor, authorized, ignored, request, reply }) {
      const slot = openFileSlot(deps, authorized);
      try {
        const upload = await readUpload(request.raw, { maxBytes: deps.limits.fileBytes, onChunk: (bytes) => slot.append(bytes) });
        ignored.addUnknown(inputs.file, upload.fields);
        const fields = readObject(inputs.file, upload.fields, "form");
        ignored.addWithoutEffect(...listIneffectiveFields(fields));
        // Idempotency compares this instead of the body, since the boundary of the form differs in each call.
        request.bodyDigest = digestJson([fields, upload.name, upload.sha256]);
        const file = { name: upload.name, mediaType: upload.mediaType, sha256: upload.sha256 };
        const tile = slot.draft(file, readFileFields(fields));
        const idempotency = readIdempotencyKey(request, actor, deps.clock.now(), presentRepeatableCreation);
        const head = await findExisting(deps, authorized, tile);
        return await sendUpsert({ deps, actor, reply }, head, "", async () =>
          sendTileCreation(reply, await slot.finish(tile, idempotency), presentTileCreation),
        );
      } catch (error) {
        // If it is unknown whether the tile was written, keep the bytes. Unused ones are deleted a day later.
        if (!isUnavailable(error)) await slot.discard();
        throw error;
      }
    },
  });

export function fileRoutes(limits: InputLimits): AnyRoute[] {
  const inputs = createTileInputs(limits);
  return [uploadRoute(inputs)];
}
