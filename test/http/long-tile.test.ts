import { expect, test } from "vitest";
import type { Tile } from "#domain/content/tile.ts";
import { buildTile } from "#domain/content/tile-rules.ts";
import { renderLongTile } from "#http/response/send-tile.ts";
import { presentTile } from "#http/wire/tiles/tile.ts";
import { T0, textTile } from "../support/boards.ts";
import { countTurns } from "../support/turns.ts";

const newTile = (content: string): Tile => buildTile({ businessId: "biz_1", id: "brd_1" }, textTile(content), 1, T0);

const LOST = [{ tileId: "til_1", externalId: 'a "quoted" id' }];
/** The response to a restoration, which has a field beside the tile. */
const readRendered = async (tile: Tile): Promise<unknown> =>
  JSON.parse((await renderLongTile({ tile, lostExternalIds: LOST } as { tile: Tile })).toString());
const presentShort = (tile: Tile): unknown => JSON.parse(JSON.stringify({ tile: presentTile(tile), lostExternalIds: LOST }));

test.each([
  ["quotes and control characters", 'a"\\\n\u0000\u2028 '.repeat(50_000)],
  ["surrogate pairs at every offset of a slice", `x${"🧪".repeat(200_000)}`],
  ["surrogate pairs at even offsets", "🧪".repeat(200_000)],
  ["a lone surrogate", `${"x".repeat(131_072)}\udc00${"y".repeat(131_072)}\ud800`],
  ["nothing", ""],
])("a long tile with %s is rendered as a short one", async (_name, content) => {
  const tile = newTile(content);
  expect(await readRendered(tile)).toEqual(presentShort(tile));
  const link = { ...tile, rawContent: "https://one.example/" };
  expect(await readRendered(link)).toEqual(presentShort(link));
});

test("other work runs while a long tile is rendered", async () => {
  const { turns } = await countTurns(() => renderLongTile({ tile: newTile("x".repeat(10 * 131_072)) }));
  expect(turns).toBeGreaterThanOrEqual(10);
});
