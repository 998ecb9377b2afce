import { expect } from "vitest";
import type { TestService } from "../support/service.ts";

/** Characters that are special in a line of a file, a shell or a database. */
const ODD = [
  "line\nbreak\r\nand\ttab",
  "\u2028line separator\u2029paragraph separator\u0085next line",
  'quotes " and \\ backslash',
  "日本語 العربية עברית",
  "👩‍🔬 🏳️‍🌈 é",
  '{"zone":{}}',
  "\uFEFFbom",
  "\u0001control",
];

/** Creates two zones, this number of unusual tiles, a link to `url` that was read, and a deleted tile. */
export async function fillBoard(service: TestService, count: number, url: string): Promise<void> {
  const zones = await Promise.all(
    ["Zone\u2028A 区", "B"].map(async (name, n) => {
      const body = { name, color: n === 0 ? "teal" : null, emoji: n === 0 ? "🧪" : null, size: "lg", connected_to_chat: n === 0 };
      return (await service.call("POST", `/api/board/${service.boardId}/zones`, { body })).json.zone;
    }),
  );
  for (let start = 0; start < count; start += 100) {
    const tiles = Array.from({ length: 100 }, (_, i) => {
      const n = start + i;
      const zone = n % 3 === 2 ? {} : { zone_id: zones[n % 3].id };
      return {
        board_id: service.boardId,
        content: `tile ${n}: ${ODD[n % ODD.length]}`,
        title: `Title ${n} ${ODD[n % ODD.length]?.slice(0, 12)}`,
        external_id: `ext-${n}`,
        ...zone,
      };
    });
    const { json } = await service.call("POST", "/api/inbound/tiles/batch", { body: { tiles } });
    expect(json.results.every(({ error }: { error?: string }) => error === undefined)).toBe(true);
  }
  const link = await service.call("POST", "/api/inbound/tiles", { body: { board_id: service.boardId, url } });
  expect((await service.call("GET", `/api/board/tiles/${link.json.tile.id}?wait=20`)).json.tile.status).toBe("ready");
  const gone = await service.call("POST", `/api/board/${service.boardId}/tiles`, { body: { content: "deleted words" } });
  await service.call("DELETE", `/api/board/tiles/${gone.json.tile.id}`);
}
