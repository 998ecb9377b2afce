import { AppError } from "#domain/core/error.ts";
import type { Tile } from "#domain/content/tile.ts";
import { grantBoard } from "#service/access.ts";
import { openFileSlot } from "#service/content/files.ts";
import { sendCreated } from "../response/answers.ts";
import { readObject } from "../request/schema-reader.ts";
import { readUpload } from "../request/upload.ts";
import { type AnyRoute, defineRoute } from "../route.ts";
import { readIdempotencyKey } from "../request/idempotency.ts";
import { presentTile } from "../wire/content.ts";
import type { Inputs } from "../wire/inputs.ts";
import { OUTPUTS } from "../wire/outputs.ts";

const render = (tile: Tile): string => JSON.stringify({ tile: presentTile(tile) });

export function fileRoutes(inputs: Inputs): AnyRoute[] {
  return [
    defineRoute({
      method: "POST",
      path: "/api/board/:boardId/files",
      tag: "Tiles",
      summary: "Upload a file",
      description:
        "A multipart form with the file and, before or after it, zone_id, title and connected_to_chat. The tile is answered at once; its type is told by the file's bytes, and its text is read in the background.",
      form: inputs.fileCreate,
      response: OUTPUTS.tile,
      guard: (deps, actor, { boardId = "" }) => grantBoard(deps, actor, boardId, "write"),
      async handle({ deps, actor, authorized, request, reply }) {
        const slot = openFileSlot(deps, authorized);
        try {
          const upload = await readUpload(request.raw, { maxBytes: deps.limits.fileBytes, onPart: (bytes) => slot.append(bytes) });
          const fields = readObject(inputs.fileCreate, upload.fields, true);
          // What an idempotency key is compared by: the form's own boundary differs from call to call.
          request.rawBody = Buffer.from(JSON.stringify([fields, upload.name, upload.sha256]));
          const outcome = await slot.finish(
            { name: upload.name, mediaType: upload.mediaType },
            {
              zoneId: fields.zone_id ?? null,
              connectedToChat: fields.connected_to_chat ?? null,
              ...(fields.title === undefined ? {} : { title: fields.title }),
            },
            readIdempotencyKey(request, actor, deps.clock.now(), render),
          );
          return sendCreated(reply, outcome, render);
        } catch (error) {
          // Where nobody knows whether the tile was written, its bytes stay; left over, they are erased a day later.
          if (!(error instanceof AppError && error.code === "unavailable")) await slot.drop();
          throw error;
        }
      },
    }),
  ];
}
