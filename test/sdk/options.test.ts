import { describe, expect, it, test, vi } from "vitest";
import { type Client, createClient } from "@tessera-board/sdk";
import { serve } from "./server.ts";

const KEY = "tsr_key";

describe("base URLs", () => {
  it.each([
    ["notaurl", "such as https://boards.example.com"],
    ["localhost:3000", "such as https://boards.example.com"],
    ["ftp://boards.example.com", "such as https://boards.example.com"],
    ["//boards.example.com", "such as https://boards.example.com"],
    ["/boards", "such as https://boards.example.com"],
    ["https://owner:pa55@boards.example.com", "user name or password"],
    ["https://boards.example.com/?tenant=1", '"?"'],
    ["https://boards.example.com/#top", '"#"'],
  ])("a base URL of %s is refused when the client is created, without being quoted", (baseUrl, message) => {
    const create = () => createClient({ baseUrl, apiKey: KEY });
    expect(create).toThrow(RangeError);
    expect(create).toThrow(message);
    expect(create).not.toThrow("pa55");
  });

  it("an empty base URL is for pages, whose fetch resolves paths", async () => {
    expect(() => createClient({ baseUrl: "", apiKey: KEY })).toThrow(/^baseUrl is empty/);
    vi.stubGlobal("location", { href: "https://boards.example.com/" });
    try {
      expect(createClient({ baseUrl: "" }).tiles.thumbnailUrl("b", "t")).toBe("/api/board/b/tiles/t/thumbnail");
    } finally {
      vi.unstubAllGlobals();
    }
  });

  it.each(["https://boards.example.com", " https://boards.example.com/ ", "HTTPS://Boards.example.com:443//"])(
    "the base URL %o is usable",
    (baseUrl) => {
      const { tiles } = createClient({ baseUrl });
      expect(tiles.thumbnailUrl("b", "t")).toBe("https://boards.example.com/api/board/b/tiles/t/thumbnail");
    },
  );

  it("a base URL keeps its path", () => {
    const { tiles } = createClient({ baseUrl: "http://localhost:3000/tessera/" });
    expect(tiles.thumbnailUrl("b", "t")).toBe("http://localhost:3000/tessera/api/board/b/tiles/t/thumbnail");
  });
});

test.each([`${KEY}\nx`, "tsr_🏮"])("a key that can't be sent is refused, and not quoted", (apiKey) => {
  const create = () => createClient({ baseUrl: "http://tessera.test", apiKey });
  expect(create).toThrow(RangeError);
  expect(create).not.toThrow(apiKey.slice(0, 4));
});

test("a key from a file may end with a line break", async () => {
  await using server = await serve(() => ({ body: { boards: [] } }));
  await createClient({ baseUrl: server.url, apiKey: `${KEY}\n` }).boards.list();
  expect(server.seen[0]?.headers["x-api-key"]).toBe(KEY);
});

test("the global fetch may be replaced after the client is created", async () => {
  const client = createClient({ baseUrl: "http://tessera.test" });
  vi.stubGlobal("fetch", async () => Response.json({ boards: [] }));
  try {
    expect(await client.boards.list()).toEqual([]);
  } finally {
    vi.unstubAllGlobals();
  }
});

const calls: readonly [string, (client: Client, id: string) => unknown][] = [
  ["boardId", ({ boards }, id) => boards.delete(id)],
  ["boardId", ({ tiles }, id) => tiles.list(id)],
  ["boardId", ({ boards }, id) => boards.follow(id, () => {})],
  ["zoneId", ({ zones }, id) => zones.delete(id)],
  ["tileId", ({ tiles }, id) => tiles.delete(id)],
  ["tileId", ({ tiles }, id) => tiles.thumbnail("b", id)],
  ["tileId", async ({ tiles }, id) => tiles.thumbnailUrl("b", id)],
  ["boardId", async ({ settings }, id) => settings.exportPath(id)],
  ["generationId", ({ generations }, id) => generations.cancel(id)],
  ["memberId", ({ people }, id) => people.removeMember(id)],
];

it.each(["", ".", "..", undefined, { id: "b" }, "\uD83C"])(
  "an id that would lead to another path is refused before anything is sent: %o",
  async (id) => {
    await using server = await serve(() => ({ body: {} }));
    const client = createClient({ baseUrl: server.url, apiKey: KEY });
    for (const [name, call] of calls) {
      const error: unknown = await Promise.resolve(call(client, id as string)).catch((thrown: unknown) => thrown);
      expect(error).toEqual(new RangeError(`${name} must be an id: a text other than "", "." and "..".`));
    }
    expect(server.seen).toEqual([]);
  },
);

it("an id with dots or escapes in it is accepted", async () => {
  await using server = await serve(() => ({ body: { zones: [] } }));
  const client = createClient({ baseUrl: server.url });
  for (const id of ["...", "..a", "%2e%2e", "../b"]) await client.zones.list(id);
  expect(server.seen.map(({ url }) => url.split("/")[3])).toEqual(["...", "..a", "%252e%252e", "..%2Fb"]);
});

test("a path is not uploaded as a file with that text", async () => {
  await using server = await serve(() => ({ body: {} }));
  const { tiles, settings } = createClient({ baseUrl: server.url });
  for (const file of ["./notes.txt", Buffer.from("text")] as never[]) {
    await expect(tiles.upload("b", { file, name: "notes.txt" })).rejects.toThrow(/^file must be a Blob/);
    await expect(tiles.upload("b", { file })).rejects.toThrow(/^file must be a Blob/);
    await expect(settings.importBoard(file)).rejects.toThrow(/^file must be a Blob/);
  }
  expect(server.seen).toEqual([]);
});

test("fields of an instance of a class are sent under their documented names, and dates as text", async () => {
  class Filter {
    updatedSince = new Date(0);
    tileIds = ["t"];
  }
  await using server = await serve(() => ({ body: {} }));
  const filter = new Filter() as { readonly tileIds: readonly string[] };
  await createClient({ baseUrl: server.url }).tiles.bulk("b", { filter, action: Object.assign(Object.create(null), { moveTo: null }) });
  expect(server.seen[0]?.body).toEqual({
    filter: { updated_since: "1970-01-01T00:00:00.000Z", tile_ids: ["t"] },
    action: { move_to: null },
  });
});

test("an ETag that a compressing proxy made weak still matches", async () => {
  await using server = await serve(() => ({ headers: { etag: 'W/"7"' }, body: { tile: { id: "t" } } }));
  const { tiles } = createClient({ baseUrl: server.url });
  const { etag } = await tiles.get("t");
  await tiles.update("t", { title: "New" }, { ifMatch: etag });
  expect(server.seen[1]?.headers["if-match"]).toBe('"7"');
});
