import { expect, test } from "vitest";
import { useTestService } from "../../support/service.ts";

const service = useTestService({ ROLE: "api" });

const create = (body: unknown, boardId = service.boardId) => service.call("POST", `/api/board/${boardId}/zones`, { body });
const newBoard = async (): Promise<string> => (await service.call("POST", "/api/board/boards", { body: { name: "Board" } })).json.board.id;

test.each([
  [null, "name is required."],
  [{ name: ["a"] }, "name must be a string."],
  [{ name: "x".repeat(201) }, "name is too long. The maximum is 200 characters."],
  [{ name: "z", connected_to_chat: "yes" }, "connected_to_chat must be a boolean."],
  [{ name: "z", connected_to_chat: 1 }, "connected_to_chat must be a boolean."],
  [{ name: "z", connectedToChat: [] }, "connected_to_chat must be a boolean."],
  [{ name: "z", color: "black" }, "color must be one of gray, red, orange, yellow, green, teal, blue, purple, pink."],
  [{ name: "z", color: "constructor" }, "color must be one of gray, red, orange, yellow, green, teal, blue, purple, pink."],
  [{ name: "z", emoji: "ab" }, "emoji must be one emoji or null."],
  [{ name: "z", emoji: "😀😀" }, "emoji must be one emoji or null."],
  [{ name: "z", emoji: 1 }, "emoji must be a string."],
  [{ name: "z", size: "xxl" }, "size must be one of sm, md, lg, xl."],
  [{ name: "z", sort_order: 1.5 }, "sort_order must be a whole number from -1000000000 to 1000000000."],
  [{ name: "z", sort_order: "3" }, "sort_order must be a whole number from -1000000000 to 1000000000."],
  [{ name: "z", sort_order: 2 ** 53 }, "sort_order must be a whole number from -1000000000 to 1000000000."],
  [[{ name: "z" }], "The request body must be a JSON object."],
])("a zone from %j is rejected: %s", async (body, message) => {
  const { status, json } = await create(body);
  expect([status, json]).toEqual([400, { error: message }]);
});

test("a new zone always leaves a free position for the next one", async () => {
  const boardId = await newBoard();
  const { status } = await create({ name: "Last", sort_order: 1_000_000_000 }, boardId);
  expect(status).toBe(200);
  expect((await create({ name: "After" }, boardId)).json.zone.sortOrder).toBe(1_000_000_001);
});

test("a tile of a deleted zone is restored with its zone only, and the message says so", async () => {
  const { id } = (await create({ name: "Z" })).json.zone;
  const tile = await service.call("POST", `/api/board/${service.boardId}/tiles`, { body: { content: "x", zone_id: id } });
  await service.call("DELETE", `/api/board/zones/${id}`);
  const { status, json } = await service.call("POST", `/api/board/tiles/${tile.json.tile.id}/restore`);
  expect([status, json]).toEqual([409, { error: "The tile's zone is deleted. Restore the zone first." }]);
});

test("an id that no zone or tile has returns 404, whatever its characters", async () => {
  for (const noun of ["Zone", "Tile"])
    for (const id of ["x", "%00", "a%2Fb", service.boardId, "x".repeat(500), "..%2f"])
      for (const [method, suffix] of [
        ["GET", ""],
        ["PATCH", ""],
        ["DELETE", ""],
        ["POST", "/restore"],
        ...(noun === "Tile" ? ([["POST", "/retry"]] as const) : []),
      ] as const) {
        const path = `/api/board/${noun.toLowerCase()}s/${id}${suffix}`;
        const { status, json } = await service.call(method, path, method === "PATCH" ? { body: {} } : {});
        expect([status, json], `${method} ${path}`).toEqual([404, { error: `${noun} not found.` }]);
      }
});
