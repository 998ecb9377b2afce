import { expect, it } from "vitest";
import { readCsv } from "#ingest/sites/documents/google-doc/table.ts";
import { measureCpuMs } from "../../support/cpu-time.ts";
import { sample } from "../support/wire.ts";
import { ID, DOC, LOGIN, open, named, ARTICLE_TEXT } from "./google-site.ts";

const SHEET = `https://docs.google.com/spreadsheets/d/${ID}/edit`;

it("a document on Google Docs is read as Markdown without escapes and pictures, named after its file", async () => {
  const markdown =
    "# Lens brief\n\n1\\. Rebuild the [lens](https://x.example) \\- from *drawings*.\n\n![][image1]\n\n| a | b |\n| --- | --- |\n\n[image1]: <data:image/png;base64,AAAA>";
  const wire = await open(({ query }) => (query.get("format") === "md" ? named(markdown, "Lens “brief”.md") : undefined));
  expect(await wire.ingest(DOC)).toMatchObject({
    type: "GOOGLE_DOC",
    title: "Lens “brief”",
    text: "# Lens brief\n\n1. Rebuild the lens - from *drawings*.\n\n| a | b |\n| --- | --- |",
    metadata: { subtype: "DOC", siteName: "Google Docs" },
    warnings: [],
  });
  expect(wire.calls).toEqual([`GET docs.google.com/document/d/${ID}/export?format=md`]);
});

it("a document on Google Docs is read as plain text if there is no Markdown", async () => {
  for (const status of [400, 404, 500]) {
    const wire = await open(({ query }) =>
      query.get("format") === "txt" ? `\uFEFF${sample("documents/googledocs.export.txt")}` : { status },
    );
    expect(await wire.ingest(DOC)).toMatchObject({ text: sample("documents/googledocs.export.txt").trim(), warnings: [] });
  }
});

it("a document on Google Docs has only the tab of the link", async () => {
  const wire = await open(() => named("Tab.", "a.md"));
  await wire.ingest(`https://docs.google.com/document/d/${ID}/edit?tab=t.abc123`);
  expect(wire.calls[0]).toContain("format=md&tab=t.abc123");
});

it("a document on Google Docs that is private or deleted fails with that reason", async () => {
  const hidden = await open(() => ({ status: 302, headers: { location: LOGIN } }));
  await expect(hidden.ingest(DOC)).rejects.toMatchObject({
    code: "private",
    stage: "extract",
    message: expect.stringContaining("This document is private"),
  });
  const refused = await open(() => ({ status: 401 }));
  await expect(refused.ingest(DOC)).rejects.toMatchObject({ code: "private" });
  const inPage = await open(() => '<html><a href="https://accounts.google.com/ServiceLogin?x">Sign in</a></html>');
  await expect(inPage.ingest(DOC)).rejects.toMatchObject({ code: "private" });
  for (const status of [404, 410]) {
    const gone = await open(() => ({ status }));
    await expect(gone.ingest(DOC)).rejects.toMatchObject({ code: "not_found", stage: "extract" });
  }
});

it("a document on Google Docs without download permission is read from its page", async () => {
  const page = `<!doctype html><html><head><title>Brief - Google Docs</title></head><body><div><p>${ARTICLE_TEXT}</p></div></body></html>`;
  const wire = await open(({ path }) => (path.endsWith("/mobilebasic") ? page : { status: 403 }));
  expect(await wire.ingest(DOC)).toMatchObject({ title: "Brief", text: expect.stringContaining("twenty miles"), warnings: [] });
  const closed = await open(() => ({ status: 403 }));
  await expect(closed.ingest(DOC)).rejects.toMatchObject({ code: "private", message: expect.stringContaining("Ask its owner") });
  const published = await open(({ path }) => (path === "/document/d/e/2PACX-abc/pub" ? page : undefined));
  expect((await published.ingest("https://docs.google.com/document/d/e/2PACX-abc/pub")).text).toContain("twenty miles");
});

it("a document on Google Docs is retried after a rate limit, and a challenge is not solved", async () => {
  const limited = await open(() => ({ status: 429, headers: { "retry-after": "12" } }));
  await expect(limited.ingest(DOC, { isLastAttempt: false })).rejects.toMatchObject({ code: "rate_limited", retryAfterSeconds: 12 });
  const broken = await open(() => "<html><title>Sorry, unable to open the file</title></html>");
  await expect(broken.ingest(DOC)).rejects.toMatchObject({ name: "IngestError" });
});

it("a spreadsheet on Google Docs is the table of the sheet in the link", async () => {
  const csv = 'Lens,"Rings, all",\n"a ""b""\nc",3,\n,,\nd|e,4\n';
  const wire = await open(() => named(csv, "Lenses - Sheet1.csv"));
  expect(await wire.ingest(`${SHEET}#gid=77`)).toMatchObject({
    title: "Lenses - Sheet1",
    text: '| Lens | Rings, all |\n| --- | --- |\n| a "b" c | 3 |\n| d\\|e | 4 |',
    metadata: { subtype: "SHEET" },
    warnings: [],
  });
  expect(wire.calls).toEqual([`GET docs.google.com/spreadsheets/d/${ID}/export?format=csv&gid=77`]);
  await wire.ingest(`${SHEET}?gid=5`);
  expect(wire.calls[1]).toContain("gid=5");
});

it("a spreadsheet without download permission is read with the chart API; published and private ones are distinguished", async () => {
  const wire = await open(({ path }) => (path.endsWith("/gviz/tq") ? named('"a","b"\n"1","2"', "d.csv") : { status: 403 }));
  expect((await wire.ingest(SHEET)).text).toBe("| a | b |\n| --- | --- |\n| 1 | 2 |");
  const published = await open(({ path, query }) =>
    path.endsWith("/d/e/2PACX-x/pub") && query.get("output") === "csv" ? named("a,b\n1,2", "p.csv") : undefined,
  );
  expect((await published.ingest("https://docs.google.com/spreadsheets/d/e/2PACX-x/pubhtml")).text).toContain("| 1 | 2 |");
  const hidden = await open(() => ({ status: 307, headers: { location: LOGIN } }));
  await expect(hidden.ingest(SHEET)).rejects.toMatchObject({ code: "private" });
});

it("a spreadsheet on Google Docs is truncated if it is data rather than text, and read in time whatever it contains", async () => {
  const wire = await open(() => named("a,b\n".repeat(20_000), "big.csv"));
  const found = await wire.ingest(SHEET);
  expect(found.text.split("\n")).toHaveLength(5_001);
  expect(found.warnings).toMatchObject([{ code: "truncated" }]);
  expect(readCsv('"never closed, and\nmore', 10)).toEqual([["never closed, and\nmore"]]);
  expect(readCsv('a,"b"x,c\n\n,', 10)).toEqual([["a", "b"], [""], ["", ""]]);
  const took = measureCpuMs(() => {
    readCsv('""'.repeat(500_000), 10);
    readCsv(",".repeat(1_000_000), 10);
    readCsv('"'.repeat(1_000_001), 10);
  });
  expect(took).toBeLessThan(3_000);
});
