import { expect, it } from "vitest";
import { openWire } from "../../support/wire.ts";
import { HOST, ID, PATH, LINK, API, note, answer, json, paragraph, words, openSubstack } from "./responses.ts";

const preloads = (data: unknown): string =>
  `<html><head><title>Note</title></head><body><script>window._preloads        = JSON.parse(${JSON.stringify(JSON.stringify(data))})</script></body></html>`;
const tags = (title: string, description: string): string =>
  `<html><head><meta property="og:title" content="${title}"><meta property="og:description" content="${description}"></head><body></body></html>`;

it("a note on Substack that was deleted fails with not_found, without further requests", async () => {
  for (const api of [
    () => json(404, { error: "Comment not found" }),
    () => answer(note({ deleted: true })),
    () => answer(note({ body: null })),
  ]) {
    const wire = await openSubstack(api, () => tags("The Keeper (@keeper)", "The lamp"));
    await expect(wire.ingest(LINK)).rejects.toMatchObject({ code: "not_found", retryable: false });
    expect(wire.calls).toHaveLength(1);
  }
});

it("a note on Substack that is private fails with login_wall", async () => {
  const wire = await openWire({
    [HOST]: ({ path }) => {
      if (path === API) return json(403, { error: "Forbidden" });
      return path === PATH ? { status: 302, headers: { location: "/home" }, body: "" } : "<title>Substack</title><p>Discover</p>";
    },
  });
  await expect(wire.ingest(LINK)).rejects.toMatchObject({ code: "login_wall", retryable: false });
});

it("a note on Substack is read from the data in its page if the API fails", async () => {
  const data = { feed: [{ comment: note({ id: 7, body: "Another." }) }], 'a")b\\': 1, item: { comment: note() } };
  for (const api of [() => json(404, "gone"), () => json(500, {}), () => "{ not JSON", () => "[]", () => answer(note({ id: 9 }))]) {
    const wire = await openSubstack(api, () => preloads(data));
    expect(await wire.ingest(LINK)).toMatchObject({
      text: "The lamp was lit at nine.",
      metadata: { author: "The Keeper" },
      warnings: [],
    });
  }
});

it("a note on Substack has the truncated text in the tags of its page if nothing else can be read", async () => {
  for (const script of ["", '<script>window._preloads = JSON.parse("{broken")</script>', '<script>window._preloads = JSON.parse("']) {
    const wire = await openSubstack(
      () => json(500, {}),
      () => tags("The Keeper (@keeper)", "The lamp was lit…").replace("</head>", `${script}</head>`),
    );
    expect(await wire.ingest(LINK)).toMatchObject({
      title: "The Keeper on Substack: The lamp was lit…",
      text: "The lamp was lit…",
      warnings: [{ code: "truncated" }],
    });
  }
});

it("a note on Substack is retried while Substack rejects requests temporarily", async () => {
  const busy = () => ({ ...json(429, {}), headers: { "content-type": "application/json", "retry-after": "7" } });
  const wire = await openSubstack(busy, busy);
  await expect(wire.ingest(LINK)).rejects.toMatchObject({ code: "rate_limited", retryable: true, retryAfterSeconds: 7 });
});

it("a note of an unknown format fails with source_changed", async () => {
  for (const body of [
    "null",
    "7",
    '"x"',
    "{}",
    '{"item":null}',
    '{"item":{"comment":[]}}',
    answer({ id: ID }),
    answer({ id: ID, body: 7 }),
  ]) {
    const wire = await openSubstack(
      () => body,
      () => "<title>Substack</title><p>Nothing.</p>",
    );
    await expect(wire.ingest(LINK), body).rejects.toMatchObject({ code: "source_changed" });
  }
});

it("a note on Substack that is nested endlessly, or huge, is read in bounded time", async () => {
  let deep: unknown = paragraph(words("Bottom."));
  for (let level = 0; level < 500; level++) deep = { type: "bulletList", content: [{ type: "listItem", content: [deep] }] };
  const wide = Array.from({ length: 30_000 }, () => paragraph(words("Words.")));
  const wire = await openSubstack(() => answer(note({ body_json: { type: "doc", content: [paragraph(words("Top.")), deep, ...wide] } })));
  const { text } = await wire.ingest(LINK);
  expect(text.startsWith("Top.")).toBe(true);
  expect(text.length).toBeLessThan(250_000);
});
