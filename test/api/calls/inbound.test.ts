import { expect, test } from "vitest";
import { send } from "../../support/clients/raw.ts";
import { quiet, post, read, useInboundService } from "./support/inbound-service.ts";

useInboundService();

test.each([
  [{}, "board_id is required."],
  [{ board_id: 5, content: "c" }, "board_id must be a string."],
  [{ board_id: "HERE", url: 5 }, "url must be a string."],
])("an inbound call with %j is rejected: %s", async (body, message) => {
  const { status, json } = await post({
    ...body,
    ...("board_id" in body && body.board_id === "HERE" ? { board_id: quiet.boardId } : {}),
  });
  expect([status, json]).toEqual([400, { error: message }]);
});

test("a tile is updated by its external_id, from text to link and back", async () => {
  const feed = async (fields: object): Promise<string> =>
    (await post({ board_id: quiet.boardId, external_id: "feed-1", ...fields })).json.tile.id;
  const id = await feed({ content: "one" });
  expect(await feed({ content: "two", title: "Mine" })).toBe(id);
  expect(await read(id)).toMatchObject({ extractedText: "two", title: "Mine", status: "ready" });
  expect(await feed({ url: "https://example.com/x" })).toBe(id);
  expect(await read(id)).toMatchObject({ type: "WEBSITE", status: "processing", title: "Mine", sourceUrl: "https://example.com/x" });
  expect(await feed({ content: "three" })).toBe(id);
  expect(await read(id)).toMatchObject({ type: "TEXT", status: "ready", extractedText: "three", sourceUrl: null });
});

const fields = (): Record<string, string> => ({ board_id: quiet.boardId, content: "a & b = c", title: "Grüße 😀", url: "" });
const expectTile = async (answer: Awaited<ReturnType<typeof post>>): Promise<void> => {
  expect([answer.status, answer.json?.tile?.type]).toEqual([200, "TEXT"]);
  expect(await read(answer.json.tile.id)).toMatchObject({ rawContent: "a & b = c", title: "Grüße 😀" });
};

test("body formats include JSON without a media type, with an invalid one, and with a byte order mark", async () => {
  const bare = await send(quiet.url, "POST", "/api/inbound/tiles", { "x-api-key": quiet.key }, JSON.stringify(fields()));
  expect(bare.status).toBe(200);
  for (const type of ["", "json", "/", "application/json, application/json"]) {
    await expectTile(await post(JSON.stringify(fields()), { headers: { "content-type": type } }));
  }
  await expectTile(await post(`\ufeff${JSON.stringify(fields())}`));
});

test("body formats include form fields, URL-encoded and multipart", async () => {
  await expectTile(
    await post(new URLSearchParams(fields()).toString(), { headers: { "content-type": "application/x-www-form-urlencoded" } }),
  );
  const form = new FormData();
  for (const [name, value] of Object.entries(fields())) form.append(name, value);
  const multipart = new Response(form);
  const type = multipart.headers.get("content-type") ?? "";
  await expectTile(await post(new Uint8Array(await multipart.arrayBuffer()), { headers: { "content-type": type } }));
});

test("bodies that cannot be parsed return 400, and forms with too many fields are rejected early", async () => {
  const form = { "content-type": "application/x-www-form-urlencoded" };
  const parts = { "content-type": "multipart/form-data; boundary=b" };
  expect((await post("not json", { headers: { "content-type": "text/plain" } })).json).toEqual({
    error: "The request body is not valid JSON.",
  });
  expect((await post("nonsense", { headers: parts })).json).toEqual({ error: "The form could not be read." });
  expect((await post("nonsense", { headers: { "content-type": "multipart/form-data" } })).status).toBe(400);
  expect((await post("a=1", { headers: form })).json).toEqual({ error: "board_id is required." });
  const many = { error: "The form has too many fields. The maximum is 1,000." };
  expect((await post("a&".repeat(4_000_000), { headers: form })).json).toEqual(many);
  expect((await post('--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n'.repeat(200_000), { headers: parts })).json).toEqual(
    many,
  );
});
