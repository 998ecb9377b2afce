import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { claimOwner } from "../support/people.ts";
import { type TestService, startTestService } from "../support/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ ROLE: "api" });
});
afterAll(() => service.stop());

type Stream = {
  readonly status: number;
  /** The next event's name and data; null once the stream has ended. */
  next(): Promise<{ event: string; data: any } | null>;
  close(): void;
};

/** Opens the stream; it is closed with the test. */
async function follow(headers: Record<string, string> = { "x-api-key": service.key }, of = service, boardId = of.boardId): Promise<Stream> {
  const ended = new AbortController();
  onTestFinished(() => ended.abort());
  const response = await fetch(`${of.url}/api/board/${boardId}/events`, { headers, signal: ended.signal });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  return {
    status: response.status,
    async next() {
      for (;;) {
        const match = /^event: (\w+)\ndata: (.*)\n\n/m.exec(text);
        if (match !== null) {
          text = text.slice(match.index + match[0].length);
          return { event: match[1]!, data: JSON.parse(match[2]!) };
        }
        const { done, value } = await reader.read();
        if (done) return null;
        text += value;
      }
    },
    close: () => ended.abort(),
  };
}

const addTile = () => service.call("POST", `/api/board/${service.boardId}/tiles`, { body: { content: "New" } });

describe("a board's events", () => {
  test("tell its revision at once, and again after each change by anybody, and of no other board.", async () => {
    const other = (await service.call("POST", "/api/board/boards", { body: { name: "Other" } })).json.board.id;
    const stream = await follow();
    const first = await stream.next();
    expect(first).toEqual({ event: "revision", data: { zones: expect.any(Number), content: expect.any(Number) } });
    await service.call("POST", `/api/board/${other}/zones`, { body: { name: "Elsewhere" } });
    await addTile();
    const second = await stream.next();
    expect(second!.data.zones).toBe(first!.data.zones);
    expect(second!.data.content).toBeGreaterThan(first!.data.content);
    await service.call("POST", `/api/board/${service.boardId}/zones`, { body: { name: "Zone" } });
    const third = await stream.next();
    expect(third!.data.zones).toBeGreaterThan(second!.data.zones);
  });

  test("tell many changes in a row as few, the last one included.", async () => {
    const stream = await follow();
    await stream.next();
    await Promise.all(Array.from({ length: 40 }, addTile));
    const { content } = await Promise.resolve(
      service.foundation.deps.store.boards.revisions({ businessId: service.businessId, id: service.boardId }),
    );
    let told = 0;
    for (let seen = 0; seen < content; told++) seen = (await stream.next())!.data.content;
    expect(told).toBeLessThan(20);
  });

  test("come to a person's page as well.", async () => {
    const fresh = await startTestService({ ROLE: "api" });
    onTestFinished(() => fresh.stop());
    const { cookie } = await claimOwner(fresh);
    expect(await (await follow({ cookie, "sec-fetch-site": "same-origin" }, fresh)).next()).toMatchObject({ event: "revision" });
  });

  test("are refused to strangers, to keys of other boards and to those that may not read.", async () => {
    const other = await service.newBusiness("Other Lab");
    const statusWith = async (key: string | null) => (await service.call("GET", `/api/board/${service.boardId}/events`, { key })).status;
    expect(await statusWith(null)).toBe(401);
    expect(await statusWith((await service.newKey({ permission: "inbound" })).key)).toBe(403);
    expect(await statusWith((await service.newKey({ businessId: other.businessId })).key)).toBe(404);
    const elsewhere = (await service.call("POST", "/api/board/boards", { body: { name: "Elsewhere" } })).json.board.id;
    expect(await statusWith((await service.newKey({ boardId: elsewhere })).key)).toBe(403);
  });

  test("go to twenty streams of one key at most, and a closed one makes room.", async () => {
    const { key } = await service.newKey();
    const streams = await Promise.all(Array.from({ length: 20 }, () => follow({ "x-api-key": key })));
    const more = await service.call("GET", `/api/board/${service.boardId}/events`, { key });
    expect(more.status).toBe(429);
    expect(more.json.error).toMatch(/^Too many streams are open/);
    streams[0]!.close();
    await expect.poll(async () => (await follow({ "x-api-key": key })).status).toBe(200);
  });

  test("end when the server stops, which does not wait for them.", async () => {
    const fresh = await startTestService({ ROLE: "api" });
    const stream = await follow({ "x-api-key": fresh.key }, fresh);
    await stream.next();
    const started = performance.now();
    await fresh.stop();
    expect(await stream.next()).toBeNull();
    // Three seconds is when whatever is still open would be cut off.
    expect(performance.now() - started).toBeLessThan(2_900);
  });
});
