import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { checkBusinessAccess } from "#domain/core/access.ts";
import { exportBoard } from "#service/content/transfer/export.ts";
import { importBoard, streamLines } from "#service/content/transfer/import.ts";
import { authorizeOn } from "../../support/boards.ts";
import { useTestService } from "../../support/service.ts";

const service = useTestService({ ROLE: "api" });

const create = (body: object) => service.call("POST", `/api/board/${service.boardId}/tiles`, { body });
const read = async (id: string): Promise<any> => (await service.call("GET", `/api/board/tiles/${id}`)).json.tile;
const patch = (id: string, body: object) => service.call("PATCH", `/api/board/tiles/${id}`, { body });
const NO_TAG = { status: 400, json: { error: "language_hint must be a BCP 47 language tag such as de or pt-BR." } };

test("a language hint is stored and returned in its canonical form, changed, and cleared by null", async () => {
  const { id, languageHint } = (await create({ content: "Häuser am Hafen", language_hint: "DE-at" })).json.tile;
  expect(languageHint).toBe("de-AT");
  expect(await read(id)).toMatchObject({ languageHint: "de-AT" });
  expect((await patch(id, { language_hint: "sv" })).json.tile.languageHint).toBe("sv");
  expect((await patch(id, { title: "Other" })).json.tile.languageHint).toBe("sv");
  expect((await patch(id, { language_hint: null })).json.tile).not.toHaveProperty("languageHint");
  expect(await read(id)).not.toHaveProperty("languageHint");
});

test("a language hint is accepted as languageHint, and is absent if none was given", async () => {
  expect((await create({ content: "Casas", languageHint: "es" })).json.tile.languageHint).toBe("es");
  for (const hint of [undefined, null, "", "  "])
    expect((await create({ content: "Casas", language_hint: hint })).json.tile).not.toHaveProperty("languageHint");
});

test.each(["german", "d", "de_AT", "de-", "🌊", "de\u2028", `de-${"a".repeat(33)}`])(
  "the language hint %j is rejected with 400",
  async (hint) => {
    const tile = (await create({ content: "Text" })).json.tile;
    for (const response of [await create({ content: "Text", language_hint: hint }), await patch(tile.id, { language_hint: hint })])
      expect({ status: response.status, json: response.json }).toMatchObject(NO_TAG);
    expect(await read(tile.id)).toEqual(tile);
  },
);

test.each([7, true, ["de"], { tag: "de" }])("the language hint %j is rejected with 400 because it is not a string", async (hint) => {
  const { status, json } = await create({ content: "Text", language_hint: hint });
  expect({ status, json }).toMatchObject({ status: 400, json: { error: "language_hint must be a string." } });
});

test("a language hint is set by inbound calls and links, and kept by an update with the same external id", async () => {
  const send = async (body: object): Promise<any> =>
    (await service.call("POST", "/api/inbound/tiles", { body: { board_id: service.boardId, external_id: "sync-1", ...body } })).json.tile;
  const first = await send({ content: "Hamnen öppnar", language_hint: "sv" });
  expect(await read(first.id)).toMatchObject({ languageHint: "sv" });
  await send({ content: "Hamnen stänger" });
  expect(await read(first.id)).toMatchObject({ languageHint: "sv", extractedText: "Hamnen stänger" });
  await send({ content: "Hamnen stänger", language_hint: "nb" });
  expect(await read(first.id)).toMatchObject({ languageHint: "nb", externalId: "sync-1" });
  const link = (await create({ url: "https://example.com/page", language_hint: "nl" })).json.tile;
  expect(await read(link.id)).toMatchObject({ languageHint: "nl", status: "processing" });
});

test("a language hint lets other forms of a word be found and highlighted in a text whose language is not detected", async () => {
  const { id } = (await create({ content: "Häuser, Wälder, Städte", language_hint: "de" })).json.tile;
  const { results } = (await service.call("GET", `/api/board/${service.boardId}/search?q=Haus`)).json;
  expect(results).toMatchObject([{ tileId: id, highlights: [{ start: 0, end: 6 }] }]);
});

test("a language hint is a field of the upload form", async () => {
  const upload = async (hint: string): Promise<Response> => {
    const form = new FormData();
    form.set("language_hint", hint);
    form.set("file", new Blob(["Het huis"]), "huis.txt");
    return fetch(`${service.url}/api/board/${service.boardId}/files`, {
      method: "POST",
      headers: { authorization: `Bearer ${service.key}` },
      body: form,
    });
  };
  const response = await upload("NL");
  expect(response.status).toBe(200);
  const { tile } = (await response.json()) as { tile: { languageHint: string } };
  expect(tile.languageHint).toBe("nl");
  expect((await upload("dutch!")).status).toBe(400);
});

test("a language hint is exported and imported, and an invalid one is rejected on import", async () => {
  const { deps } = service.appContext;
  const board = await deps.store.boards.find(service.businessId, service.boardId);
  const business = await deps.store.boards.business(service.businessId);
  const importLines = (lines: readonly string[]) =>
    importBoard(deps, checkBusinessAccess({ kind: "operator", businessId: service.businessId }, business!, "manage"), {
      name: "Copy",
      lines: streamLines(Readable.from(lines)),
      authorize: async (made) => authorizeOn(made),
    });
  const { id } = (await create({ content: "Maisons du port", language_hint: "fr" })).json.tile;
  const lines: string[] = [];
  for await (const line of exportBoard(deps, authorizeOn(board!))) lines.push(line);
  const kept = [lines[0]!, ...lines.filter((line) => line.includes(id))];
  expect(kept).toHaveLength(2);
  const copy = await importLines(kept.map((line) => line.replace('"languageHint":"fr"', '"languageHint":"FR"')));
  const { tiles } = (await service.call("GET", `/api/board/${copy.board.id}/tiles`)).json;
  expect(await read(tiles[0].id)).toMatchObject({ languageHint: "fr", extractedText: "Maisons du port" });
  await expect(importLines(kept.map((line) => line.replace('"languageHint":"fr"', '"languageHint":"fr fr"')))).rejects.toThrow("Line 2");
});
