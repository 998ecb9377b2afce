import { expect, test } from "vitest";
import { errorResponse, getError } from "../../support/people/settings.ts";
import { create, createPath, post, postForm, read, service, sign, useAddressService } from "./support/address-service.ts";
import { GITHUB_ISSUE, SLACK, STRIPE_LIKE, TYPEFORM, githubPing } from "./support/samples.ts";

useAddressService();

test("an event of GitHub becomes a link to its page, if its signature is right", async () => {
  const secret = "It's a Secret to Everybody";
  const path = await createPath({ signature: { header: "X-Hub-Signature-256", secret, encoding: "hex", prefix: "sha256=" } });
  const body = JSON.stringify(GITHUB_ISSUE);
  const send = (headers: Record<string, string>, sent = body) => post(path, sent, "application/json", headers);
  const signed = { "x-hub-signature-256": `sha256=${sign(secret, body)}` };
  const tile = await read(await send(signed));
  expect(tile).toMatchObject({ sourceUrl: "https://github.com/octo-org/harbour/issues/17", title: "The tide table is off by an hour" });
  for (const headers of [
    {},
    { "x-hub-signature-256": sign(secret, body) },
    { "x-hub-signature-256": `sha256=${sign("another", body)}` },
    { "x-hub-signature-256": "sha256=" },
    { "x-hub-signature-256": `sha256=${sign(secret, body, "base64")}` },
    { "x-hub-signature-256": `sha256=${"0".repeat(64)}` },
  ]) {
    const { status, headers: answered } = await send(headers as Record<string, string>);
    expect([status, answered.get("x-error-code")]).toEqual([401, "signature_invalid"]);
  }
  expect((await send(signed, body.replace("17", "18"))).status).toBe(401);
});

test("an event of GitHub in a form is read as its JSON, and a ping does not make a tile of the address itself", async () => {
  const { json } = await create();
  const path = new URL(json.url).pathname;
  expect(await read(await postForm(path, { payload: JSON.stringify(GITHUB_ISSUE) }))).toMatchObject({
    sourceUrl: "https://github.com/octo-org/harbour/issues/17",
  });
  expect(getError(await post(path, githubPing(json.url)))).toEqual(
    errorResponse(400, expect.stringContaining("Fields received: zen, hook_id, hook.")),
  );
});

test("a response of Typeform becomes a text of all its answers, with a signature in base64", async () => {
  const path = await createPath({ signature: { header: "Typeform-Signature", secret: "t", encoding: "base64", prefix: "sha256=" } });
  const body = JSON.stringify(TYPEFORM);
  const answer = await post(path, body, "application/json", { "typeform-signature": `sha256=${sign("t", body, "base64")}` });
  expect(await read(answer)).toMatchObject({ type: "TEXT", rawContent: "The light turns clockwise.\n\nIt was painted in 1999." });
});

test("an event in the shape of Stripe becomes the text that describes it", async () => {
  const path = await createPath({ signature: { header: "X-Signature", secret: "whsec" } });
  const body = JSON.stringify(STRIPE_LIKE);
  const answer = await post(path, body, "application/json; charset=utf-8", { "x-signature": sign("whsec", body).toUpperCase() });
  expect(await read(answer)).toMatchObject({ rawContent: "Mooring fee for berth 4, June", title: "Berth 4" });
  expect(answer.headers.get("x-ignored-fields")).toBe("id, object, type");
});

test("an outgoing webhook of Slack becomes its text", async () => {
  const answer = await postForm(await createPath(), SLACK);
  expect(await read(answer)).toMatchObject({ type: "TEXT", rawContent: SLACK.text, title: "Untitled note" });
  expect(answer.json.text).toBeUndefined();
});

test("Slack's Events API gets its challenge, and an event becomes its text", async () => {
  const path = await createPath();
  const challenge = "3eZbrw1aBm2rZgRNFdxV2595E9CY3gmdALWMmHkvFXO7tYXAYM8P";
  const verification = { token: "Jhj5dZrVaK7ZwHHjRyZWjbDl", challenge, type: "url_verification" };
  const count = async () => (await service.call("GET", `/api/board/${service.boardId}/tiles?count=true`)).json.total;
  const before = await count();
  const { status, json, headers } = await post(path, verification);
  expect([status, json]).toEqual([200, { challenge }]);
  expect([headers.get("content-type"), headers.get("x-content-type-options")]).toEqual(["application/json; charset=utf-8", "nosniff"]);
  for (const wrong of ["<script>", "x".repeat(257), 7, null, "", "a\nb"])
    expect((await post(path, { ...verification, challenge: wrong })).status).toBe(400);
  expect(await count()).toBe(before);
  const event = {
    type: "event_callback",
    team_id: "T1",
    event: { type: "message", channel: "C1", user: "U1", text: "The ferry leaves at noon." },
  };
  expect(await read(await post(path, event))).toMatchObject({ rawContent: "The ferry leaves at noon." });
  const { challenge: _, ...plain } = verification;
  expect((await post(`${path.slice(0, -1)}x`, verification)).status).toBe(404);
  expect((await post(path, { ...plain, type: "other", challenge })).status).toBe(400);
  const signed = await createPath({ signature: { header: "X-Signature", secret: "s" } });
  expect((await post(signed, verification)).status).toBe(401);
  const right = { "x-signature": sign("s", JSON.stringify(verification)) };
  expect((await post(signed, verification, "application/json", right)).json).toEqual({ challenge });
});

test("requests of IFTTT and Shortcuts are taken as JSON, form, text and file", async () => {
  const path = await createPath();
  expect(await read(await post(path, { Title: "A page", Url: "https://example.com/a", Tags: "x" }))).toMatchObject({
    sourceUrl: "https://example.com/a",
    title: "A page",
  });
  expect(await read(await postForm(path, { url: "https://example.com/b" }))).toMatchObject({ sourceUrl: "https://example.com/b" });
  expect(await read(await post(path, "https://example.com/c\n", "text/plain"))).toMatchObject({ sourceUrl: "https://example.com/c" });
  expect(await read(await post(path, "Grüße\r\nvom Hafen", "text/plain; charset=utf-8"))).toMatchObject({
    rawContent: "Grüße\r\nvom Hafen",
  });
  expect(await read(await post(path, Buffer.from("Gr\xfc\xdfe", "latin1"), "text/plain; charset=iso-8859-1"))).toMatchObject({
    rawContent: "Grüße",
  });
  expect(await read(await post(path, '{"text": "JSON declared as text"}', "text/plain"))).toMatchObject({
    rawContent: "JSON declared as text",
  });
  expect(await read(await post(path, "{ braces, but no JSON", "text/plain"))).toMatchObject({ rawContent: "{ braces, but no JSON" });
  expect(await read(await post(path, '"a JSON text"'))).toMatchObject({ rawContent: "a JSON text" });
});

test("the documented fields of the inbound call are read as there, with its errors", async () => {
  const zone = (await service.call("POST", `/api/board/${service.boardId}/zones`, { body: { name: "Zone" } })).json.zone.id;
  const path = await createPath();
  const answer = await post(path, { content: "one", title: "Mine", zone_id: zone, externalId: "e-1", misspelt: 1 });
  expect(answer.headers.get("x-ignored-fields")).toBe("misspelt");
  expect(await read(answer)).toMatchObject({ title: "Mine", zoneId: zone, externalId: "e-1" });
  expect((await post(path, { content: "two", external_id: "e-1" })).json).toMatchObject({ created: false, changed: true });
  const both = await post(path, { url: "https://example.com/both", content: "c", external_id: "e-2" });
  expect(await read(both)).toMatchObject({ sourceUrl: "https://example.com/both", externalId: null });
  expect(both.headers.get("x-ignored-fields")).toBe("content, external_id");
  expect(getError(await post(path, { content: "c", title: 5 }))).toEqual(errorResponse(400, "title must be a string."));
  expect(getError(await post(path, { content: "c", zone_id: "zon_none" }))).toEqual(
    errorResponse(400, "The zone does not belong to this board."),
  );
  expect(getError(await post(path, { url: "http://127.0.0.1/x" }))).toEqual(
    errorResponse(400, expect.stringContaining("url points inside")),
  );
});

test("a message can't choose another board than the one of the address", async () => {
  const { json } = await service.call("POST", "/api/board/boards", { body: { name: "Second" } });
  const path = await createPath();
  expect(await read(await post(path, { content: "c", board_id: service.boardId }))).toMatchObject({ boardId: service.boardId });
  expect((await post(path, { content: "c", board_id: json.board.id })).status).toBe(403);
});

test("tiles are put into the zone of the address, and outside zones when that was deleted", async () => {
  const zone = (await service.call("POST", `/api/board/${service.boardId}/zones`, { body: { name: "Inbox" } })).json.zone.id;
  const path = await createPath({ zone_id: zone });
  expect(await read(await post(path, { text: "one" }))).toMatchObject({ zoneId: zone });
  await service.call("DELETE", `/api/board/zones/${zone}`);
  expect(await read(await post(path, { text: "two" }))).toMatchObject({ zoneId: null });
});

test.each<[unknown, string]>([
  [{}, "none"],
  [{ foo: 1, bar: { baz: true } }, "foo, bar"],
  [{ url: "/relative", link: "ftp://example.com", text: " " }, "url, link, text"],
  [[1, 2], "none"],
  [
    Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`f${n}`, n])),
    `${Array.from({ length: 20 }, (_, n) => `f${n}`).join(", ")} and 10 more`,
  ],
])("a message with nothing usable is rejected with the names of its fields: %j", async (body, names) => {
  const { status, json } = await post(await createPath(), body as object);
  expect([status, json.error]).toEqual([
    400,
    `The request has neither an address nor a text under a known name. Fields received: ${names}.`,
  ]);
});

test("an address counts before a text, and what is nearer to the top before what is nested", async () => {
  const path = await createPath();
  expect(await read(await post(path, { message: "text", href: "https://example.com/h", link: "https://example.com/l" }))).toMatchObject({
    sourceUrl: "https://example.com/l",
  });
  expect(await read(await post(path, { user: { url: "https://example.com/u" }, message: "text", description: "no" }))).toMatchObject({
    rawContent: "text",
  });
  expect(await read(await post(path, { body: "text", name: "Third", subject: "Second" }))).toMatchObject({ title: "Second" });
});

test("a body of another media type is 415, and broken JSON, nested JSON and compressed bodies are refused", async () => {
  const path = await createPath();
  expect((await post(path, new Uint8Array([137, 80, 78, 71]), "image/png")).status).toBe(415);
  expect((await post(path, "<p>no</p>", "text/html")).status).toBe(415);
  expect((await post(path, '{"content":')).status).toBe(400);
  expect((await post(path, "[".repeat(100_000))).status).toBe(400);
  expect((await post(path, "x", "text/plain", { "content-encoding": "gzip" })).status).toBe(415);
  expect((await post(path, `{"text":"${"a".repeat(1_000_001)}"}`)).json.error).toBe(
    "content is too long. The maximum is 1,000,000 characters.",
  );
  expect(await read(await post(path, '{"text":"\\ud800 \\u0000 kept"}'))).toMatchObject({ rawContent: "\ufffd  kept" });
  expect((await post(path, "", "text/plain")).status).toBe(400);
});

test("strict handling refuses fields that are not used", async () => {
  const path = await createPath();
  const { status, json } = await post(path, { text: "t", extra: 1 }, "application/json", { prefer: "handling=strict" });
  expect([status, json.error]).toEqual([400, "extra is not a known field."]);
});
