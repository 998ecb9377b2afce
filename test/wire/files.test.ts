import { expect, it } from "vitest";
import { createSemaphore } from "#runtime/turns/semaphore.ts";
import { getFileName } from "#ingest/formats/file/name.ts";
import { docx, epub, createPdf, pptx, rtf, xlsx } from "../ingest/read/samples.ts";
import { openWire, sampleBytes } from "./support/wire.ts";
import { HOST, at, typed, serve } from "./typed-files.ts";

const MIB = 1024 * 1024;
const page = `<!doctype html><title>A page</title><p>${"Some words of a page, which are many. ".repeat(20)}</p>`;

it("a link with a file extension is fetched once and read by its format", async () => {
  const wire = await serve(typed("application/pdf", sampleBytes("documents/doc.pdf")));
  await expect(wire.ingest(at("/brief.pdf"))).resolves.toEqual({
    type: "PDF",
    title: "Lens brief",
    text: "Rebuild the lens",
    metadata: { stats: { pages: 1 }, wordCount: 3 },
    warnings: [],
  });
  expect(wire.calls).toEqual([`GET ${HOST}/brief.pdf`]);
});

it("a link without a file extension is read from the response", async () => {
  const wire = await serve(typed("text/html", sampleBytes("documents/doc.pdf")));
  await expect(wire.ingest(at("/download?id=7"))).resolves.toMatchObject({ type: "PDF", text: "Rebuild the lens" });
  expect(wire.calls).toHaveLength(1);
});

it.each([
  ["DOCX", docx(), "DOCUMENT", "Light is kept"],
  ["PPTX", pptx(), "DOCUMENT", "Say it slowly"],
  ["XLSX", xlsx(), "DOCUMENT", "2023-04-05"],
  ["EPUB", epub(), "DOCUMENT", "It was light."],
  ["RTF", rtf(), "DOCUMENT", "café"],
  ["DOCX of the samples", sampleBytes("documents/doc.docx"), "DOCUMENT", "Rebuild the lens"],
])("a file of format %s is detected by its bytes, whatever its media type", async (_name, bytes, type, words) => {
  const wire = await serve(typed("application/octet-stream", bytes));
  await expect(wire.ingest(at("/get"))).resolves.toMatchObject({ type, text: expect.stringContaining(words) });
  const named = await serve(typed("application/pdf", bytes));
  await expect(named.ingest(at("/wrong.pdf"))).resolves.toMatchObject({ type });
});

it("a link to a file that returns a page is read as a page", async () => {
  const wire = await serve(typed("application/pdf", page));
  await expect(wire.ingest(at("/report.pdf"))).resolves.toMatchObject({ type: "WEBSITE", title: "A page" });
  expect(wire.calls).toHaveLength(1);
});

it("a link to a file that is redirected to a page is a page, and a page redirected to a file is a file, each fetched once", async () => {
  const wire = await openWire({
    [HOST]: ({ path }) =>
      path === "/old.pdf"
        ? { status: 302, headers: { location: "/login" } }
        : path === "/go"
          ? { status: 302, headers: { location: "/new.pdf" } }
          : path === "/new.pdf"
            ? typed("application/pdf", sampleBytes("documents/doc.pdf"))
            : page,
  });
  await expect(wire.ingest(at("/old.pdf"))).resolves.toMatchObject({ type: "WEBSITE" });
  await expect(wire.ingest(at("/go"))).resolves.toMatchObject({ type: "PDF" });
  expect(wire.calls.map((call) => call.split("/").at(-1))).toEqual(["old.pdf", "login", "go", "new.pdf"]);
});

it("a link to a file that is missing or blocked fails with that reason", async () => {
  const wire = await openWire({ [HOST]: ({ path }) => ({ status: path === "/gone.pdf" ? 404 : 403, body: page }) });
  await expect(wire.ingest(at("/gone.pdf"))).rejects.toMatchObject({ code: "not_found" });
  await expect(wire.ingest(at("/mine.docx"))).rejects.toMatchObject({ code: "forbidden" });
});

it("a file is named by its header, otherwise by its address", () => {
  const named = (disposition: string | null, url = at("/a/Jahres%20bericht.pdf?x=1")) =>
    getFileName({
      url,
      status: 200,
      headers: disposition === null ? {} : { "content-disposition": disposition },
      body: new Uint8Array(),
      truncated: false,
    });
  expect(named(null)).toBe("Jahres bericht.pdf");
  expect(named(null, at("/download"))).toBeNull();
  expect(named(`attachment; filename="../a \\"b\\".docx"`)).toBe('a "b".docx');
  expect(named("attachment; filename=plain.txt; filename*=UTF-8''%e2%82%ac%20rates.txt")).toBe("€ rates.txt");
  expect(named("attachment; filename*=UTF-8''%zz")).toBe("%zz");
  expect(named(`inline; filename="${Buffer.from("Größe.pdf").toString("latin1")}"`)).toBe("Größe.pdf");
});

const large = createPdf([[{ text: "Words of a large file", y: 700 }]], `/Pad (${"x".repeat(9 * MIB)})`);

it("a large file that is truncated at first is fetched completely in a second request", async () => {
  const wire = await serve(typed("application/pdf", large));
  await expect(wire.ingest(at("/large.pdf"))).resolves.toMatchObject({ type: "PDF", text: "Words of a large file" });
  expect(wire.calls).toHaveLength(2);
  const plain = await serve(typed("text/html", large));
  await expect(plain.ingest(at("/large"))).resolves.toMatchObject({ type: "PDF" });
  expect(plain.calls).toHaveLength(2);
});

it("a file of more than 24 MiB is rejected, by its header before the second request, otherwise by its size", async () => {
  const told = await serve(typed("application/pdf", large, { "content-length": String(60 * MIB) }));
  await expect(told.ingest(at("/huge.pdf"))).rejects.toMatchObject({
    code: "too_large",
    retryable: false,
    message: expect.stringContaining("24 MiB"),
  });
  expect(told.calls).toHaveLength(1);
  const chunked = await serve(typed("application/pdf", Buffer.concat([large, Buffer.alloc(42 * MIB)]), { "transfer-encoding": "chunked" }));
  await expect(chunked.ingest(at("/huge.pdf"))).rejects.toMatchObject({ code: "too_large" });
  expect(chunked.calls).toHaveLength(2);
});

it("a large file waits until one of two slots is free, and leaves the queue when aborted", async () => {
  const gate = createSemaphore({ slots: 2 });
  const never = new AbortController().signal;
  const ends = [0, 1, 2, 3].map(() => Promise.withResolvers<void>());
  const begun: number[] = [];
  const enter = (place: number, signal = never) =>
    gate.run(
      async () => {
        begun.push(place);
        await ends[place]?.promise;
      },
      { signal },
    );
  const aborted = new AbortController();
  const works = [enter(0), enter(1), enter(2, aborted.signal), enter(3)];
  await Promise.resolve();
  expect(begun).toEqual([0, 1]);
  aborted.abort(new Error("too late"));
  await expect(works[2]).rejects.toThrow("too late");
  ends[0]?.resolve();
  await works[0];
  await new Promise((resolve) => setTimeout(resolve, 1));
  expect(begun).toEqual([0, 1, 3]);
  for (const end of ends) end.resolve();
  await Promise.all([works[1], works[3]]);
  await expect(gate.run(async () => 1, { signal: AbortSignal.abort(new Error("before")) })).rejects.toThrow("before");
  await expect(gate.run(async () => 7)).resolves.toBe(7);
});
