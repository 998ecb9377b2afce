import { readRows } from "./engine.ts";
import type { Ids } from "./operations.ts";
import { type TestService, startTestService } from "./service.ts";

/** Two businesses: A with two boards, each with a zone, a tile and deleted ones; B with one board. */
export type TestData = {
  readonly service: TestService;
  readonly boardA1: Ids;
  readonly boardA2: Ids;
  /** Deleted zone and tile of A's first board. */
  readonly deleted: Ids;
  readonly deletedBoardId: string;
  readonly boardB1: Ids;
  readonly keyB: string;
};

/** Starts a service without background work, so that only requests change its data. */
export async function startServiceWithData(environment: Record<string, string> = {}): Promise<TestData> {
  const service = await startTestService({ ROLE: "api", ...environment });
  const second = (await service.call("POST", "/api/board/boards", { body: { name: "Second" } })).json.board.id;
  const third = (await service.call("POST", "/api/board/boards", { body: { name: "Third" } })).json.board.id;
  await service.call("DELETE", `/api/board/boards/${third}`);
  const other = await service.newBusiness("Other Lab");
  const { key: keyB } = await service.newKey({ businessId: other.businessId });
  const deleted = await fillBoard(service, service.boardId);
  await service.call("DELETE", `/api/board/tiles/${deleted.tileId}`);
  await service.call("DELETE", `/api/board/zones/${deleted.zoneId}`);
  return {
    service,
    boardA1: await fillBoard(service, service.boardId),
    boardA2: await fillBoard(service, second),
    deleted,
    deletedBoardId: third,
    boardB1: await fillBoard(service, other.boardId, keyB),
    keyB,
  };
}

/** Creates a zone, a text tile in it, and a generated post. */
export async function fillBoard(service: TestService, boardId: string, key: string = service.key): Promise<Ids> {
  const zone = await service.call("POST", `/api/board/${boardId}/zones`, { key, body: { name: "Zone" } });
  const tile = await service.call("POST", `/api/board/${boardId}/tiles`, {
    key,
    body: { content: "The harbour opens at six.", zone_id: zone.json.zone.id },
  });
  const made = await service.call("POST", "/api/v1/generate", { key, body: { board_id: boardId, asset_type: "post" } });
  return { boardId, zoneId: zone.json.zone.id, tileId: tile.json.tile.id, generationId: made.json.generation.id };
}

/** Valid ids that do not exist. */
export const UNKNOWN_TARGET: Ids = {
  boardId: "brd_00000000zzzzzzzzzzzzzzzzzz",
  zoneId: "zon_00000000zzzzzzzzzzzzzzzzzz",
  tileId: "til_00000000zzzzzzzzzzzzzzzzzz",
  generationId: "gen_00000000zzzzzzzzzzzzzzzzzz",
};

const TABLES = [
  "board",
  "zone",
  "tile",
  "once",
  "generation",
  "idea",
  "webhook",
  "delivery",
  "audit",
  "usage",
  "member",
  "session",
  "invitation",
  "claim",
  "job",
];

/** Returns every stored row of a business, to check that nothing changed. */
export async function dumpBusiness(service: TestService, businessId: string): Promise<string> {
  const dumps: string[] = [];
  for (const table of TABLES) {
    const rows = await readRows(service, `SELECT * FROM ${table} WHERE business_id = ?`, businessId);
    dumps.push(
      `${table}\n${rows
        .map((row) => JSON.stringify(row))
        .sort()
        .join("\n")}`,
    );
  }
  return dumps.join("\n");
}
