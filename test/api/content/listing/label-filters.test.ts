import { beforeAll, expect, test } from "vitest";
import { useTestService } from "../../../support/service.ts";

const service = useTestService({ ROLE: "api" });
const names = new Map<string, string>();
let zoneId: string;

const list = async (query: string): Promise<any> =>
  (await service.call("GET", `/api/board/${service.boardId}/tiles?text=false&${query}`)).json;
const find = async (query: string): Promise<string> => {
  const { tiles, error } = await list(query);
  return error ?? tiles.map(({ id }: { id: string }) => names.get(id)).join("");
};

const TILES: Readonly<Record<string, object>> = {
  a: { content: "A", tags: ["Red", "big"], properties: { order: 4711, paid: true } },
  b: { content: "B", tags: ["red"], properties: { order: "4711", note: null, sizes: ["S", "M"] } },
  c: { content: "C", tags: ["blue", "a, b"], properties: { order: 1, sizes: ["M"], "a.b": "x=y" } },
  d: { url: "https://example.com/d", tags: ["STRASSE", "big"], properties: { note: "", ["k".repeat(100)]: "v".repeat(2_000) } },
  e: { content: "E" },
};

beforeAll(async () => {
  zoneId = (await service.call("POST", `/api/board/${service.boardId}/zones`, { body: { name: "Zone" } })).json.zone.id;
  for (const [name, tile] of Object.entries(TILES)) {
    const body = { ...tile, ...(name === "a" || name === "c" ? { zone_id: zoneId } : {}) };
    names.set((await service.call("POST", `/api/board/${service.boardId}/tiles`, { body })).json.tile.id, name);
  }
});

test.each([
  ["tag=red", "ab"],
  ["tag=RED&tag=Big", "a"],
  ["tag=red&tag=RED", "ab"],
  ["tag=a,%20b", "c"],
  ["tag=straße", "d"],
  ["tag=big&order=desc", "da"],
  ["tag=big&order=position", "ad"],
  ["tag=red&tag=big&order=position", "a"],
  ["tag=big&updated_since=2020-01-01", "ad"],
  ["tag=none", ""],
  ["tag=red&tag=none", ""],
  ["tag=", "abcde"],
  ["tag=big&status=ready", "a"],
  ["tag=big&status=ready,processing", "ad"],
  ["tag=big&status=ready&status=processing&type=TEXT", "a"],
  ["type=TEXT,WEBSITE&status=processing", "d"],
  ["type=TEXT,%20WEBSITE", "abcde"],
  ["property.order=4711", "ab"],
  ["property.order=4711&property.order=1", "abc"],
  ["property.order=1&property.order=1&order=desc", "c"],
  ["property.order=4711&property.order=1&tag=red&order=position", "ab"],
  ["property.order=4711&property.paid=true", "a"],
  ["property.sizes=M", "bc"],
  ["property.sizes=M&property.sizes=S", "bc"],
  ["property.sizes=M&property.sizes=S&order=desc", "cb"],
  ["property.note=null", "b"],
  ["property.note=", "d"],
  ["property.a.b=x%3Dy", "c"],
  ["property.order=471", ""],
  [`property.${"k".repeat(100)}=${"v".repeat(2_000)}`, "d"],
  ["property.order=4711&tag=red&external_id=none", ""],
])("%s lists the tiles %s", async (query, expected) => {
  expect(await find(query)).toBe(expected);
});

test("a filter by labels within a zone and outside zones keeps the order by position", async () => {
  expect(await find(`tag=big&zone_id=${zoneId}`)).toBe("a");
  expect(await find(`tag=big&zone_id=${zoneId}&order=position`)).toBe("a");
  expect(await find("tag=big&zone_id=none&order=position")).toBe("d");
});

test("the filters apply to the total, to pages, and to conditional requests", async () => {
  expect(await list("tag=big&count=true&limit=1")).toMatchObject({ total: 2 });
  expect(await list("property.order=4711&property.order=1&count=true")).toMatchObject({ total: 3 });
  for (const order of ["asc", "desc", "position"]) {
    const seen: string[] = [];
    for (let cursor: string | null = ""; cursor !== null;) {
      const page: any = await list(`tag=big&order=${order}&limit=1${cursor === "" ? "" : `&cursor=${cursor}`}`);
      seen.push(...page.tiles.map(({ id }: { id: string }) => names.get(id)));
      cursor = page.nextCursor;
    }
    expect(seen.toSorted()).toEqual(["a", "d"]);
  }
  const path = `/api/board/${service.boardId}/tiles?tag=`;
  const { headers } = await service.call("GET", `${path}red`);
  const revalidate = async (tag: string) =>
    (await service.call("GET", `${path}${tag}`, { headers: { "if-none-match": headers.get("etag")! } })).status;
  expect([await revalidate("RED"), await revalidate("blue")]).toEqual([304, 200]);
});

test("a cursor belongs to the tags of its listing", async () => {
  const { nextCursor } = await list("tag=big&limit=1");
  expect((await list(`tag=red&limit=1&cursor=${nextCursor}`)).error).toBe("cursor is not valid.");
});

test("a listing by tag follows changes of tags and properties", async () => {
  const body = { content: "F", tags: ["moving"], properties: { at: "sea" } };
  const { id } = (await service.call("POST", `/api/board/${service.boardId}/tiles`, { body })).json.tile;
  names.set(id, "f");
  const both = async () => [
    await find("tag=moving"),
    await find("tag=other"),
    await find("property.at=sea"),
    await find("property.at=home"),
  ];
  expect(await both()).toEqual(["f", "", "f", ""]);
  await service.call("PATCH", `/api/board/tiles/${id}`, { body: { tags: ["Other"], properties: { at: ["sea", "home"] } } });
  expect(await both()).toEqual(["", "f", "f", "f"]);
  await service.call("DELETE", `/api/board/tiles/${id}`);
  expect(await both()).toEqual(["", "", "", ""]);
  await service.call("POST", `/api/board/tiles/${id}/restore`);
  expect(await both()).toEqual(["", "f", "f", "f"]);
  await service.call("PATCH", `/api/board/tiles/${id}`, { body: { tags: null, properties: null } });
  expect(await both()).toEqual(["", "", "", ""]);
  await service.call("DELETE", `/api/board/tiles/${id}`);
});

test.each([
  ["status=oops", "status must be one of processing, ready, failed."],
  ["status=ready,oops", "status must be one of processing, ready, failed."],
  [`tag=${"x".repeat(101)}`, "tag must have 1 to 100 characters in each item."],
  [Array.from({ length: 51 }, (_, i) => `tag=${i}`).join("&"), "tag has too many items. The maximum is 50."],
  [`property.${"k".repeat(101)}=1`, "properties must have keys of 1 to 100 characters."],
  [Array.from({ length: 51 }, (_, i) => `property.a=${i}`).join("&"), "properties has a value that has more than 50 items: a."],
  ["tag=red&sync_token=0", "sync_token can't be combined with tag."],
  ["property.order=1&sync_token=0", "sync_token can't be combined with property."],
])("%s is rejected with 400", async (query, error) => {
  expect((await list(query)).error).toBe(error);
});

test("a very large or small number is found by each way to write its exponent, and other numbers as JSON writes them", async () => {
  const body = `{ "content": "F", "properties": { "big": 1E308, "small": -0.0000001, "long": 1${"0".repeat(23)}, "order": 1.10, "text": "1e308" } }`;
  const { id } = (await service.call("POST", `/api/board/${service.boardId}/tiles`, { body })).json.tile;
  names.set(id, "f");
  const found = ["big=1e308", "big=1E%2B308", "big=1.0e308", "big=10e307", "small=-1e-7", "small=-0.0000001", "long=1e23", "text=1e308"];
  for (const query of [...found, `long=1${"0".repeat(23)}`, "big=0&property.big=1e308"]) expect(await find(`property.${query}`)).toBe("f");
  for (const query of ["big=1e307", "big=1e309", "small=1e-7", "text=1E308", "order=1.10"])
    expect(await find(`property.${query}`)).toBe("");
  await service.call("DELETE", `/api/board/tiles/${id}`);
});

test("only parameters with a key after property. are known", async () => {
  const path = `/api/board/${service.boardId}/tiles?limit=1&`;
  const known = await service.call("GET", `${path}property.a=1&property.a.b=2`, { headers: { prefer: "handling=strict" } });
  expect([known.status, known.headers.get("x-ignored-fields")]).toEqual([200, null]);
  const unknown = await service.call("GET", `${path}property.=1&property=2&properties.a=3`);
  expect(unknown.headers.get("x-ignored-fields")).toBe("property., property, properties.a");
  const strict = await service.call("GET", `${path}property=2`, { headers: { prefer: "handling=strict" } });
  expect(strict.json.error).toBe("property is not a known field.");
});
