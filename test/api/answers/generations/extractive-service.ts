import { afterAll, beforeAll, expect } from "vitest";
import { type TestService, startTestService } from "../../../support/service.ts";

export let service: TestService;

export const KELP = `# Kelp forests
Kelp forests grow half a metre a day in cold and clear water. Sea otters keep urchins away from the kelp, so that the forest stands.
Where otters were hunted, urchins ate whole forests within ten years.

## Harvest
Fishermen of the bay cut kelp by hand from May to August. A cut forest needs three years until it is as tall as before.`;
export const TIDES =
  "The tide of the bay rises four metres twice a day. Boats leave the harbour two hours before high water. Kelp lies bare at low tide.";
export const MARKET = "The fish market opens at six in the morning. Sea urchins are sold by weight and cost twelve crowns a kilo.";

export async function newBoard(): Promise<string> {
  return (await service.call("POST", "/api/board/boards", { body: { name: "Bay" } })).json.board.id;
}

export async function addTile(boardId: string, content: string, more: object = {}): Promise<string> {
  const { status, json } = await service.call("POST", `/api/board/${boardId}/tiles`, { body: { content, ...more } });
  expect(status).toBe(200);
  return json.tile.id;
}

export const addZone = async (boardId: string, connected = true): Promise<string> =>
  (await service.call("POST", `/api/board/${boardId}/zones`, { body: { name: "Zone", connected_to_chat: connected } })).json.zone.id;

export async function newBoardOfTheBay(): Promise<string> {
  const board = await newBoard();
  await addTile(board, KELP, { title: "The kelp forest" });
  await addTile(board, TIDES, { title: "Tides of the bay" });
  await addTile(board, MARKET, { title: "The market" });
  return board;
}

export const generate = (body: object, headers: Record<string, string> = {}, key?: string) =>
  service.call("POST", "/api/v1/generate", { body, headers, ...(key === undefined ? {} : { key }) });
export const findIdeas = (body: object, headers: Record<string, string> = {}) => service.call("POST", "/api/v1/idea", { body, headers });

export async function expectQuotes(citations: readonly any[]): Promise<void> {
  for (const { tileId, quote, start, end } of citations) {
    const { json } = await service.call("GET", `/api/board/tiles/${tileId}`);
    expect(json.tile.extractedText.slice(start, end)).toBe(quote);
  }
}

/** Registers the hooks that set up and close what the tests of a file share. */
export function useExtractiveService(): void {
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.stop());
}
