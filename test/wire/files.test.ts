import { describe, expect, it } from "vitest";
import { createSemaphore } from "#runtime/semaphore.ts";
import { getFileName } from "#ingest/formats/file/name.ts";
import { jpeg, mp3, mp4, webm } from "../ingest/read/media-samples.ts";
import { toBytes, docx, epub, createPdf, pptx, rtf, xlsx, createZip } from "../ingest/read/samples.ts";
import { openWire, sampleBytes } from "./support/wire.ts";

const HOST = "files.example.com";
const MIB = 1024 * 1024;
const at = (path: string): string => `https://${HOST}${path}`;
const page = `<!doctype html><title>A page</title><p>${"Some words of a page, which are many. ".repeat(20)}</p>`;
const typed = (type: string, body: string | Uint8Array, headers: Readonly<Record<string, string>> = {}) => ({
  headers: { "content-type": type, ...headers },
  body,
});
const serve = (answer: ReturnType<typeof typed> | string | Uint8Array) => openWire({ [HOST]: () => answer });
const ole = (inside = ""): Uint8Array => toBytes(`\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1${"\0".repeat(600)}${inside}`);

describe("a link to a file", () => {
  it("with a file extension is fetched once and read by its format", async () => {
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

  it("without a file extension is read from the response", async () => {
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
  ])("of format %s is detected by its bytes, whatever its media type", async (_name, bytes, type, words) => {
    const wire = await serve(typed("application/octet-stream", bytes));
    await expect(wire.ingest(at("/get"))).resolves.toMatchObject({ type, text: expect.stringContaining(words) });
    const named = await serve(typed("application/pdf", bytes));
    await expect(named.ingest(at("/wrong.pdf"))).resolves.toMatchObject({ type });
  });

  it("that returns a page is read as a page", async () => {
    const wire = await serve(typed("application/pdf", page));
    await expect(wire.ingest(at("/report.pdf"))).resolves.toMatchObject({ type: "WEBSITE", title: "A page" });
    expect(wire.calls).toHaveLength(1);
  });

  it("redirected to a page is a page, and a page redirected to a file is a file, each fetched once", async () => {
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

  it("that is missing or blocked fails with that reason", async () => {
    const wire = await openWire({ [HOST]: ({ path }) => ({ status: path === "/gone.pdf" ? 404 : 403, body: page }) });
    await expect(wire.ingest(at("/gone.pdf"))).rejects.toMatchObject({ code: "not_found" });
    await expect(wire.ingest(at("/mine.docx"))).rejects.toMatchObject({ code: "forbidden" });
  });

  it("is named by its header, otherwise by its address", () => {
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
});

describe("a large file", () => {
  const large = createPdf([[{ text: "Words of a large file", y: 700 }]], `/Pad (${"x".repeat(9 * MIB)})`);

  it("truncated at first is fetched completely in a second request", async () => {
    const wire = await serve(typed("application/pdf", large));
    await expect(wire.ingest(at("/large.pdf"))).resolves.toMatchObject({ type: "PDF", text: "Words of a large file" });
    expect(wire.calls).toHaveLength(2);
    const plain = await serve(typed("text/html", large));
    await expect(plain.ingest(at("/large"))).resolves.toMatchObject({ type: "PDF" });
    expect(plain.calls).toHaveLength(2);
  });

  it("of more than 24 MiB is rejected, by its header before the second request, otherwise by its size", async () => {
    const told = await serve(typed("application/pdf", large, { "content-length": String(60 * MIB) }));
    await expect(told.ingest(at("/huge.pdf"))).rejects.toMatchObject({
      code: "too_large",
      retryable: false,
      message: expect.stringContaining("24 MiB"),
    });
    expect(told.calls).toHaveLength(1);
    const chunked = await serve(
      typed("application/pdf", Buffer.concat([large, Buffer.alloc(42 * MIB)]), { "transfer-encoding": "chunked" }),
    );
    await expect(chunked.ingest(at("/huge.pdf"))).rejects.toMatchObject({ code: "too_large" });
    expect(chunked.calls).toHaveLength(2);
  });

  it("waits until one of two slots is free, and leaves the queue when aborted", async () => {
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
});

describe("plain text", () => {
  it.each([
    ["/table.csv", "application/vnd.ms-excel", "a,b\n1,2", "table.csv"],
    ["/table.tsv", "text/tab-separated-values", "a\tb\n1\t2", "table.tsv"],
    ["/notes.md", "text/markdown", "# Notes\n\nWords", "Notes"],
    ["/notes.txt", "application/octet-stream", "Words <b>as</b> they are", "notes.txt"],
  ])("at %s is kept unchanged, with a title", async (path, type, body, title) => {
    const wire = await serve(typed(type, body));
    await expect(wire.ingest(at(path))).resolves.toMatchObject({ type: "DOCUMENT", title, text: body });
  });

  it("that is binary is rejected", async () => {
    const wire = await serve(typed("text/plain", " \n"));
    await expect(wire.ingest(at("/empty.txt"))).rejects.toMatchObject({ code: "no_text" });
  });
});

describe("a picture", () => {
  it("is ready with its metadata and a warning", async () => {
    const wire = await serve(typed("image/jpeg", jpeg()));
    await expect(wire.ingest(at("/pier.jpg"))).resolves.toMatchObject({
      type: "IMAGE",
      title: "pier.jpg",
      text: expect.stringContaining("Waves at the pier"),
      metadata: { author: "Ada Keeper", stats: { width: 400, height: 300 }, thumbnailUrl: at("/pier.jpg") },
      warnings: [{ code: "no_text", message: expect.stringContaining("Only the picture's metadata") }],
    });
  });

  it("without metadata has its name as text", async () => {
    const wire = await serve(typed("image/gif", toBytes("GIF89a\x05\0\x05\0\0\0\0;")));
    await expect(wire.ingest(at("/img/lamp%20room.gif"))).resolves.toMatchObject({
      type: "IMAGE",
      title: "lamp room.gif",
      text: "lamp room.gif",
    });
  });
});

describe("a recording", () => {
  it("is read from its beginning, with the duration of the whole", async () => {
    const long = mp3(20_000);
    const wire = await serve(typed("audio/mpeg", long, { "content-length": String(long.length) }));
    const found = await wire.ingest(at("/song.mp3"));
    expect(found).toMatchObject({ type: "AUDIO", title: "Kelp song", warnings: [{ code: "no_transcript" }] });
    expect(Math.abs((found.metadata.durationSeconds ?? 0) - 522)).toBeLessThan(3);
    expect(wire.calls).toHaveLength(1);
    const chunked = await serve(typed("audio/mpeg", long, { "transfer-encoding": "chunked" }));
    expect((await chunked.ingest(at("/song.mp3"))).metadata.durationSeconds).toBeUndefined();
  });

  it("with timed lyrics has them as segments", async () => {
    const wire = await serve(typed("audio/mpeg", mp3(10, { sync: true })));
    const found = await wire.ingest(at("/song.mp3"));
    expect(found.warnings).toEqual([]);
    expect(found.segments?.map(({ start, end, seconds }) => [found.text.slice(start, end), seconds])).toEqual([
      ["First line", 1],
      ["Second line", 4],
    ]);
  });

  it("in a container for both is audio or video by its media type or name", async () => {
    const sound = await serve(typed("audio/webm", webm()));
    await expect(sound.ingest(at("/get"))).resolves.toMatchObject({ type: "AUDIO", title: "Lamp film" });
    const named = await serve(typed("application/octet-stream", webm()));
    await expect(named.ingest(at("/talk.weba"))).resolves.toMatchObject({ type: "AUDIO" });
    const film = await serve(typed("application/octet-stream", mp4()));
    await expect(film.ingest(at("/tide"))).resolves.toMatchObject({ type: "VIDEO", title: "Tide film", metadata: { durationSeconds: 95 } });
  });

  it("that is a stream playlist is rejected with that reason", async () => {
    const hls = await serve(typed("application/vnd.apple.mpegurl", "#EXTM3U\n#EXT-X-VERSION:3\n"));
    await expect(hls.ingest(at("/live.m3u8"))).rejects.toMatchObject({
      code: "unsupported_content",
      message: expect.stringContaining("playlist of a stream"),
    });
    const dash = await serve(typed("application/dash+xml", `<?xml version="1.0"?><MPD xmlns="x"></MPD>`));
    await expect(dash.ingest(at("/live.mpd"))).rejects.toMatchObject({ code: "unsupported_content" });
  });
});

describe("an unreadable file", () => {
  it.each([
    ["in the old form of Office", ole(), "unsupported_content", "save it as DOCX"],
    ["of Office under a password", ole("E\0n\0c\0r\0y\0p\0t\0e\0d\0P\0a\0c\0k\0a\0g\0e\0"), "encrypted", "protected by a password"],
    ["that is an archive", createZip({ "a.txt": "x" }), "unsupported_content", "zip archive"],
    ["that is an archive of another format", toBytes("\x1f\x8b\x08 x"), "unsupported_content", "This is an archive"],
    ["that is damaged", toBytes("PK\x03\x04 damaged"), "unreadable_file", "damaged"],
    ["that is locked", createPdf([[{ text: "x", y: 700 }]], "", { encrypt: true }), "encrypted", "password"],
  ])("%s fails with advice", async (_name, bytes, code, words) => {
    const wire = await serve(typed("application/octet-stream", bytes));
    await expect(wire.ingest(at("/file.doc"))).rejects.toMatchObject({ code, retryable: false, message: expect.stringContaining(words) });
  });
});
