import { createClient } from "@tessera-board/sdk";
import { expect, test } from "vitest";
import { openReceiver } from "../../e2e/support/servers.ts";
import { useTestService } from "../../support/service.ts";
import { encodeForm, file } from "./files/file-service.ts";

/** A host without an address, so that every attempt to fetch it fails. */
const URL = "https://rendered.invalid/harbour";
const TEXT = "The harbour was dredged in March, and ships of four metres draught can moor again at the northern quay.";
const HTML = `<!doctype html><html lang="en"><head><title>Harbour news</title></head><body><nav><a href="/">Home</a></nav>
  <article><h1>Harbour news</h1><p>${TEXT}</p><p>The next dredging is planned for the spring of the year after.</p></article></body></html>`;

const service = useTestService();
const TILES = () => `/api/board/${service.boardId}/tiles`;
const post = (path: string, body: object, headers: Record<string, string> = {}) => service.call("POST", path, { body, headers });
const wait = async (id: string) => (await service.call("GET", `/api/board/tiles/${id}?wait=60`)).json.tile;

test("a page that a browser rendered is read without fetching its link", async () => {
  const created = (await post(TILES(), { url: URL, html: HTML })).json;
  expect(created).toMatchObject({ created: true, tile: { type: "WEBSITE", status: "processing", sourceUrl: URL, rawContent: URL } });
  const { id } = created.tile;
  const tile = await wait(id);
  expect(tile).toMatchObject({ status: "ready", title: "Harbour news", type: "WEBSITE", sourceUrl: URL, error: null, rawContent: URL });
  expect(tile.extractedText).toContain(TEXT);
  expect(tile.extractedText).not.toContain("Home");
  const { files } = service.appContext.deps.store;
  expect(await files.read(service.businessId, id)).toBeNull();

  await service.call("POST", `/api/board/tiles/${id}/retry`);
  const again = await wait(id);
  expect(again.extractedText).toContain(TEXT);
  expect(again.warnings.map(({ code }: { code: string }) => code)).toContain("refresh_failed");
});

test("the inbound calls and the client send pages too, and the type of the link stays", async () => {
  const board = { board_id: service.boardId };
  const one = await post("/api/inbound/tiles", { ...board, url: "https://www.youtube.com/watch?v=abcdefghijk", html: HTML });
  expect(one.json.tile).toMatchObject({ type: "YOUTUBE", status: "processing" });
  const { results } = (
    await post("/api/inbound/tiles/batch", {
      tiles: [
        { ...board, url: `${URL}/feed.xml`, html: HTML },
        { ...board, html: HTML },
        { ...board, content: "c", html: HTML },
      ],
    })
  ).json;
  expect(results).toMatchObject([{ created: true }, { error: "html needs url.", status: 400 }, { error: "html needs url.", status: 400 }]);
  const sent = await createClient({ baseUrl: service.url, apiKey: service.key }).tiles.create(service.boardId, { url: URL, html: HTML });
  for (const [id, type] of [
    [one.json.tile.id, "YOUTUBE"],
    [results[0].tile.id, "WEBSITE"],
    [sent.id, "WEBSITE"],
  ]) {
    const tile = await wait(id);
    expect(tile).toMatchObject({ status: "ready", type });
    expect(tile.extractedText).toContain(TEXT);
  }
});

test("a page without text fails, and a page needs its link and may have 3 MiB", async () => {
  const { tile } = (await post(TILES(), { url: URL, html: "<html><body></body></html>" })).json;
  expect(await wait(tile.id)).toMatchObject({ status: "failed", error: { code: "no_text" } });
  const refusals = [
    [{ html: HTML }, "html needs url."],
    [{ content: "c", html: HTML }, "html needs url."],
    [{ url: URL, html: "é".repeat(1_572_865) }, "html is too long. The maximum is 3 MiB."],
    [{ url: URL, html: 1 }, "html must be a string."],
  ] as const;
  for (const [body, error] of refusals)
    expect([(await post(TILES(), body)).status, (await post(TILES(), body)).json.error]).toEqual([400, error]);
  const inbound = await post("/api/inbound/tiles", { board_id: service.boardId, html: HTML });
  expect(inbound.json.error).toBe("html needs url.");
  const { body, headers } = encodeForm([{ name: "html", body: "<p>Page" }, file("A line.")]);
  expect((await service.call("POST", `/api/board/${service.boardId}/files`, { body, headers })).json.error).toBe("html needs url.");
  const longest = `<p>${TEXT}</p>`.padEnd(3 * 1_048_576, " ");
  expect(await wait((await post(TILES(), { url: URL, html: longest })).json.tile.id)).toMatchObject({ status: "ready" });
});

test("a page may be of an address inside the network, which no update and no retry fetches", async () => {
  const intranet = await openReceiver((_, response) => response.end(HTML));
  const url = `${intranet.url}/harbour`;
  const refused = { error: "url points inside the network." };
  const { tile } = (await post(TILES(), { url, html: HTML })).json;
  const { id } = tile;
  expect(await wait(id)).toMatchObject({ status: "ready", title: "Harbour news", sourceUrl: url, error: null, warnings: [] });

  for (const again of [{}, { on_duplicate: "update" }, { on_duplicate: "skip" }, { html: " " }])
    expect((await post(TILES(), { url, ...again })).json).toEqual(refused);
  const update = await post(TILES(), { url, html: HTML.replace("March", "April"), on_duplicate: "update" });
  expect(update.json).toMatchObject({ tile: { id }, created: false, duplicate: true });
  expect((await wait(id)).extractedText).toContain("April");

  const kept = { status: "ready", error: null, warnings: [{ code: "refresh_failed" }] };
  expect((await post(`/api/board/tiles/${id}/retry`, {})).status).toBe(200);
  expect(await wait(id)).toMatchObject(kept);
  await post(`${TILES()}/bulk`, { filter: { tile_ids: [id] }, action: { retry: true } });
  expect(await wait(id)).toMatchObject(kept);

  const empty = (await post(TILES(), { url: `${intranet.url}/empty`, html: "<html><body></body></html>" })).json.tile;
  expect(await wait(empty.id)).toMatchObject({ status: "failed", error: { code: "no_text" } });
  await post(`${TILES()}/retry`, {});
  expect(await wait(empty.id)).toMatchObject({ status: "failed", error: { code: "address_refused" } });
  for (const address of ["http://localhost/a", "http://[::1]:8080/a", "http://nas.local/a"])
    expect((await post(TILES(), { url: address, html: HTML })).json.tile).toMatchObject({ sourceUrl: address });
  expect(intranet.received).toEqual([]);
  for (const [bad, problem] of [
    ["ftp://intranet/a", "url must be an http or https address."],
    ["http://user:secret@intranet/a", "url must not carry credentials."],
  ])
    expect((await post(TILES(), { url: bad, html: HTML })).json).toEqual({ error: problem });
  await intranet.close();
});

test("a repeated call with a page has the first response", async () => {
  const key = { "idempotency-key": `page ${Date.now()}` };
  const first = await post(TILES(), { url: URL, html: HTML }, key);
  const again = await post(TILES(), { url: URL, html: HTML }, key);
  expect([again.json, again.headers.get("idempotency-replayed")]).toEqual([first.json, "true"]);
  expect((await post(TILES(), { url: URL, html: `${HTML} ` }, key)).status).toBe(409);
});
