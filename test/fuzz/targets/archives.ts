import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { AppError } from "#domain/core/errors/error.ts";
import { newId } from "#domain/core/system.ts";
import { readConfig } from "#config";
import { openAppContext } from "#composition/app-context.ts";
import { authorizeBoard, authorizeBusiness } from "#service/access.ts";
import { exportBoard } from "#service/content/transfer/export.ts";
import { importBoard, streamLines } from "#service/content/transfer/import.ts";
import { draftTile } from "#service/content/drafts.ts";
import { createTile } from "#service/content/tiles.ts";
import { checkPortable } from "#storage/transfer/read-portable.ts";
import { mutateBytes, mutateText } from "../support/mutate.ts";
import { expectKind, type Target } from "../support/target.ts";

const PORTABLE_HEAD = JSON.stringify({ format: "tessera-backup", version: 1, schema: 7, writtenAt: "2026-01-01T00:00:00.000Z" });
const PORTABLE = [PORTABLE_HEAD, '{"table":"vector_model","row":{"is_on":true,"model":"m"}}', '{"end":true,"tables":{}}', ""].join("\n");

async function* once(text: string): AsyncGenerator<string> {
  yield text;
}

/** Changed board exports and portable backups. */
export const archives: Target = {
  name: "archives",
  testRounds: 700,
  async open() {
    const folder = mkdtempSync(join(tmpdir(), "tessera-fuzz-"));
    const appContext = await openAppContext(readConfig({ DATA_DIR: join(folder, "data"), EMBEDDINGS: "off" }));
    const { deps } = appContext;
    const [business] = await deps.store.boards.businesses();
    if (business === undefined) throw new Error("A new database holds one business.");
    const actor = { kind: "operator", businessId: business.id } as const;
    const [board] = await deps.store.boards.list(business.id);
    if (board === undefined) throw new Error("A business has a default board.");
    const writer = await authorizeBoard(deps, actor, board.id, "write");
    for (const content of ["The harbour opens at six.", "Oil and wick."])
      await createTile(deps, writer, draftTile(deps, { content, title: "A note" }));
    await deps.store.zones.create(
      writer,
      { id: newId("zon", 1), name: "Zone", connectedToChat: true, color: null, emoji: null, size: "md", sortOrder: 1 },
      1,
    );
    let exported = "";
    for await (const line of exportBoard(deps, await authorizeBoard(deps, actor, board.id, "read"))) exported += line;
    const scope = await authorizeBusiness(deps, actor, "manage");
    const authorize = (made: typeof board) => authorizeBoard(deps, actor, made.id, "manage");
    const file = join(folder, "backup.gz");
    return {
      async round(random) {
        if (random.chance(0.5)) {
          const text = mutateText(exported, random);
          try {
            const made = await importBoard(deps, scope, {
              name: null,
              lines: streamLines(once(text), { maxLength: 1_000_000, hold: () => undefined }),
              authorize,
            });
            await deps.store.boards.discard(await authorize(made.board), deps.clock.now());
          } catch (error) {
            expectKind(error, AppError);
          }
          const boards = await deps.store.boards.list(business.id);
          if (boards.length !== 1) throw new Error(`A failed import left ${boards.length - 1} boards behind.`);
          return;
        }
        const packed = gzipSync(random.chance(0.7) ? mutateText(PORTABLE, random) : PORTABLE);
        writeFileSync(file, random.chance(0.5) ? mutateBytes(packed, random) : packed);
        await checkPortable(file, 7).then(
          () => undefined,
          (error: unknown) => {
            if (!(error instanceof Error && /can't be restored: .+\.$/s.test(error.message)))
              throw new Error("A backup failed without a sentence.", { cause: error });
          },
        );
      },
      async close() {
        await appContext.close();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  },
};
