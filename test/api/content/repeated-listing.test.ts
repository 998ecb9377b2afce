import { beforeAll, expect, test } from "vitest";
import { exchange } from "../../support/clients/raw.ts";
import { useTestService } from "../../support/service.ts";

const service = useTestService({ ROLE: "api", RATE_LIMIT_PER_MINUTE: "100000", CORS_ORIGINS: "https://pages.example" });
beforeAll(async () => {
  const path = `/api/board/${service.boardId}`;
  for (const name of ["One", "Zwei 🏮"]) await service.call("POST", `${path}/zones`, { body: { name } });
  for (let n = 0; n < 40; n++) await service.call("POST", `${path}/tiles`, { body: { content: `Straße ${n}. ${"text ".repeat(100)}` } });
});

/** The body, and the head without the headers that differ between requests. */
async function listRaw(path: string): Promise<{ head: string; body: string }> {
  const lines = [`GET ${path} HTTP/1.1`, "Host: a", `X-API-Key: ${service.key}`, "Connection: close"];
  const { head, body } = await exchange(service.url, `${lines.join("\r\n")}\r\n\r\n`);
  return {
    head: head
      .replace(/^Date: .*$/m, "Date")
      .replace(/^x-request-id: req_\w+$/m, "id")
      .replace(/;r=\d+;t=\d+/, ""),
    body,
  };
}

test.each(["zones", "zones?limit=1", "tiles", "tiles?limit=5", "tiles?text=false"])(
  "%s: a cached response has the same headers and bytes as the first one",
  async (listing) => {
    const path = `/api/board/${service.boardId}/${listing}`;
    const first = await listRaw(path);
    expect(first.head).toMatch(/^HTTP\/1\.1 200 OK\r\nid\r\nx-content-type-options: nosniff\r\n/);
    expect(first.head).toMatch(/\r\nvary: Origin(?:, Accept-Encoding)?\r\n/);
    for (let n = 0; n < 3; n++) expect(await listRaw(path)).toEqual(first);
  },
);

test("errors are the same whether the listing is cached or not", async () => {
  const path = `/api/board/${service.boardId}/zones`;
  const { key } = await service.newKey({ permission: "inbound" });
  const before = [];
  for (const asked of [path, `${path}?never=kept`]) {
    await service.call("GET", path);
    const told = [];
    for (const sent of [null, "x", `tsr_${"a".repeat(38)}`, key]) {
      const { status, json } = await service.call("GET", asked, { key: sent });
      told.push({ status, json });
    }
    before.push(told);
  }
  expect(before[0]).toEqual(before[1]);
  expect(before[0]?.map(({ status }) => status)).toEqual([401, 401, 401, 403]);
});

test("cached responses are counted in the metrics under their route", async () => {
  const path = `/api/board/${service.boardId}/zones`;
  const counted = async (): Promise<number> => {
    const { text } = await service.call("GET", "/metrics", { key: null });
    const line = /^tessera_http_requests_total\{method="GET",route="\/api\/board\/:boardId\/zones",status="200"\} (\d+)$/m.exec(text);
    return Number(line?.[1] ?? 0);
  };
  await service.call("GET", path);
  const before = await counted();
  for (let n = 0; n < 5; n++) expect((await service.call("GET", path)).status).toBe(200);
  await expect.poll(async () => (await counted()) - before).toBe(5);
});

test("order, encoding and unknown parameters of the query do not change the response", async () => {
  const base = `/api/board/${service.boardId}/tiles`;
  const { text } = await service.call("GET", `${base}?limit=3&order=desc`);
  for (const query of ["order=desc&limit=3", "limit=003&order=%64esc", "limit=3&order=desc&p=x", "order=desc&limit=3&text=true"])
    for (let n = 0; n < 2; n++) expect((await service.call("GET", `${base}?${query}`)).text, query).toBe(text);
  expect((await service.call("GET", `${base}?limit=3&order=asc`)).text).not.toBe(text);
  expect((await service.call("GET", `${base}?limit=3&order=desc&text=false`)).text).not.toBe(text);
});
