import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, test } from "vitest";
import { type Client, ConnectionError, TesseraError, createClient } from "@tessera-board/sdk";
import { serve } from "./server.ts";

const ITERATORS: readonly [string, string, (client: Client) => AsyncGenerator<unknown, void, undefined>][] = [
  ["boards", "boards", ({ boards }) => boards.iterate()],
  ["zones", "zones", ({ zones }) => zones.iterate("b")],
  ["tiles", "tiles", ({ tiles }) => tiles.iterate("b")],
  ["generations", "generations", ({ generations }) => generations.iterate()],
  ["audit", "entries", ({ settings }) => settings.iterateAudit()],
  ["deliveries", "deliveries", ({ settings }) => settings.webhook.iterateDeliveries()],
];

async function drain(items: AsyncGenerator<unknown>): Promise<number> {
  let count = 0;
  for await (const _ of items) count += 1;
  return count;
}

describe.each(ITERATORS)("iterator of %s", (_name, field, iterate) => {
  it("the iterator ends if the cursor is missing", async () => {
    await using server = await serve(() => ({ body: { [field]: [1, 2] } }));
    expect(await drain(iterate(createClient({ baseUrl: server.url })))).toBe(2);
    expect(server.seen).toHaveLength(1);
  });

  it.each([[["x"]], [["x", "y", "z", "y"]]])("the iterator fails if the server repeats a cursor: %o", async (cursors) => {
    let pages = 0;
    await using server = await serve(() => ({ body: { [field]: [1], nextCursor: cursors[Math.min(pages++, cursors.length - 1)] } }));
    const failure = drain(iterate(createClient({ baseUrl: server.url })));
    await expect(failure).rejects.toThrow("The service repeats a page");
    await expect(failure).rejects.toBeInstanceOf(TesseraError);
    expect(server.seen.length).toBeLessThanOrEqual(cursors.length + 1);
  });

  it.each([{}, { [field]: null }, { [field]: {} }])("the iterator fails with a sentence if there is no list: %o", async (body) => {
    await using server = await serve(() => ({ body }));
    const failure = drain(iterate(createClient({ baseUrl: server.url })));
    await expect(failure).rejects.toThrow("The answer has no list: is baseUrl the service's address?");
    await expect(failure).rejects.toBeInstanceOf(TesseraError);
  });
});

test.each<[string, (client: Client) => Promise<unknown>]>([
  ["boards", ({ boards }) => boards.list()],
  ["zones", ({ zones }) => zones.list("b")],
  ["tiles", ({ tiles }) => tiles.list("b")],
  ["generations", ({ generations }) => generations.list()],
  ["results of a search", ({ search }) => search("b", "q")],
  ["results of a batch", ({ inbound }) => inbound.batch([])],
  ["changes", ({ tiles }) => tiles.changes("b")],
])("%s that are missing in a response are an error with a sentence", async (_what, call) => {
  for (const body of [{}, []]) {
    await using server = await serve(() => ({ body }));
    const failure = call(createClient({ baseUrl: server.url }));
    await expect(failure).rejects.toThrow(/^The answer (?:has no|is not a)/);
    await expect(failure).rejects.toBeInstanceOf(TesseraError);
  }
});

it("a call without a connection fails with a typed error that has the cause", async () => {
  const server = await serve(() => ({ body: {} }));
  await server[Symbol.asyncDispose]();
  const client = createClient({ baseUrl: server.url, maxRetries: 0 });
  const calls = await Promise.allSettled([
    client.boards.list(),
    client.zones.create("b", { name: "Z" }),
    client.tiles.thumbnail("b", "t"),
    client.boards.follow("b", () => {}),
  ]);
  for (const call of calls) {
    const error: unknown = call.status === "rejected" ? call.reason : undefined;
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toBeInstanceOf(TesseraError);
    expect(error).toMatchObject({ name: "ConnectionError", status: 0, code: null, cause: expect.any(TypeError) });
  }
});

it.each<[string, (client: Client) => Promise<unknown>]>([
  ["a listing", ({ boards }) => boards.list()],
  ["a thumbnail", ({ tiles }) => tiles.thumbnail("b", "t")],
  ["an answer", ({ ask }) => ask("b", "Why?", { onText: () => {} })],
  ["a followed board", ({ boards }) => boards.follow("b", () => {})],
])("a response that breaks off is a lost connection too: %s", async (_what, call) => {
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream", "content-length": "1000" });
    response.write("event: revision\ndata: {}\n\n", () => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const client = createClient({ baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, maxRetries: 0 });
    await expect(call(client)).rejects.toBeInstanceOf(ConnectionError);
  } finally {
    server.close();
  }
});
