import { describe, expect, it } from "vitest";
import { createSemaphore } from "#runtime/semaphore.ts";
import { getFileName } from "#ingest/formats/file/name.ts";
import { jpeg, mp3, mp4, webm } from "../ingest/read/media-samples.ts";
import { bytesOf, docx, epub, pdfOf, pptx, rtf, xlsx, zipOf } from "../ingest/read/samples.ts";
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
const ole = (inside = ""): Uint8Array => bytesOf(`\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1${"\0".repeat(600)}${inside}`);

describe("a link to a file", () => {
  it("that its name promises is fetched once and read by its form", async () => {
    const wire = await serve(typed("application/pdf", sampleBytes("doc.pdf")));
    await expect(wire.ingest(at("/brief.pdf"))).resolves.toEqual({
      type: "PDF",
      title: "Lens brief",
      text: "Rebuild the lens",
      metadata: { stats: { pages: 1 }, wordCount: 3 },
      warnings: [],
    });
    expect(wire.calls).toEqual([`GET ${HOST}/brief.pdf`]);
  });

  it("under an address that promises nothing is read from what was fetched", async () => {
    const wire = await serve(typed("text/html", sampleBytes("doc.pdf")));
    await expect(wire.ingest(at("/download?id=7"))).resolves.toMatchObject({ type: "PDF", text: "Rebuild the lens" });
    expect(wire.calls).toHaveLength(1);
  });

  it.each([
    ["DOCX", docx(), "DOCUMENT", "Light is kept"],
    ["PPTX", pptx(), "DOCUMENT", "Say it slowly"],
    ["XLSX", xlsx(), "DOCUMENT", "2023-04-05"],
    ["EPUB", epub(), "DOCUMENT", "It was light."],
    ["RTF", rtf(), "DOCUMENT", "café"],
    ["DOCX of the samples", sampleBytes("doc.docx"), "DOCUMENT", "Rebuild the lens"],
  ])("of the form %s is told by its bytes, whatever its label", async (_name, bytes, type, words) => {
    const wire = await serve(typed("application/octet-stream", bytes));
    await expect(wire.ingest(at("/get"))).resolves.toMatchObject({ type, text: expect.stringContaining(words) });
    const named = await serve(typed("application/pdf", bytes));
    await expect(named.ingest(at("/wrong.pdf"))).resolves.toMatchObject({ type });
  });

  it("where a page comes instead is a page", async () => {
    const wire = await serve(typed("application/pdf", page));
    await expect(wire.ingest(at("/report.pdf"))).resolves.toMatchObject({ type: "WEBSITE", title: "A page" });
    expect(wire.calls).toHaveLength(1);
  });

  it("that leads to a page by a redirect is a page, and one that a page's address leads to is a file, each fetched once", async () => {
    const wire = await openWire({
      [HOST]: ({ path }) =>
        path === "/old.pdf"
          ? { status: 302, headers: { location: "/login" } }
          : path === "/go"
            ? { status: 302, headers: { location: "/new.pdf" } }
            : path === "/new.pdf"
              ? typed("application/pdf", sampleBytes("doc.pdf"))
              : page,
    });
    await expect(wire.ingest(at("/old.pdf"))).resolves.toMatchObject({ type: "WEBSITE" });
    await expect(wire.ingest(at("/go"))).resolves.toMatchObject({ type: "PDF" });
    expect(wire.calls.map((call) => call.split("/").at(-1))).toEqual(["old.pdf", "login", "go", "new.pdf"]);
  });

  it("that is gone or barred says so", async () => {
    const wire = await openWire({ [HOST]: ({ path }) => ({ status: path === "/gone.pdf" ? 404 : 403, body: page }) });
    await expect(wire.ingest(at("/gone.pdf"))).rejects.toMatchObject({ code: "not_found" });
    await expect(wire.ingest(at("/mine.docx"))).rejects.toMatchObject({ code: "forbidden" });
  });

  it("is named by its header, else by its address", () => {
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
  const large = pdfOf([[{ text: "Words of a large file", y: 700 }]], `/Pad (${"x".repeat(9 * MIB)})`);

  it("that was cut at first is fetched once more, whole", async () => {
    const wire = await serve(typed("application/pdf", large));
    await expect(wire.ingest(at("/large.pdf"))).resolves.toMatchObject({ type: "PDF", text: "Words of a large file" });
    expect(wire.calls).toHaveLength(2);
    const plain = await serve(typed("text/html", large));
    await expect(plain.ingest(at("/large"))).resolves.toMatchObject({ type: "PDF" });
    expect(plain.calls).toHaveLength(2);
  });

  it("of more than 24 MiB is refused, by its header before it is fetched anew, else by what comes", async () => {
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

  it("waits until one of two places is free, and leaves when it is aborted", async () => {
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

describe("plain words", () => {
  it.each([
    ["/table.csv", "application/vnd.ms-excel", "a,b\n1,2", "table.csv"],
    ["/table.tsv", "text/tab-separated-values", "a\tb\n1\t2", "table.tsv"],
    ["/notes.md", "text/markdown", "# Notes\n\nWords", "Notes"],
    ["/notes.txt", "application/octet-stream", "Words <b>as</b> they are", "notes.txt"],
  ])("at %s are kept as they are, under a title", async (path, type, body, title) => {
    const wire = await serve(typed(type, body));
    await expect(wire.ingest(at(path))).resolves.toMatchObject({ type: "DOCUMENT", title, text: body });
  });

  it("that are none are refused", async () => {
    const wire = await serve(typed("text/plain", " \n"));
    await expect(wire.ingest(at("/empty.txt"))).rejects.toMatchObject({ code: "no_text" });
  });
});

describe("a picture", () => {
  it("is ready with what it says of itself and a warning", async () => {
    const wire = await serve(typed("image/jpeg", jpeg()));
    await expect(wire.ingest(at("/pier.jpg"))).resolves.toMatchObject({
      type: "IMAGE",
      title: "pier.jpg",
      text: expect.stringContaining("Waves at the pier"),
      metadata: { author: "Ada Keeper", stats: { width: 400, height: 300 }, thumbnailUrl: at("/pier.jpg") },
      warnings: [{ code: "no_text", message: expect.stringContaining("Only the picture's metadata") }],
    });
  });

  it("that says nothing has its name for text", async () => {
    const wire = await serve(typed("image/gif", bytesOf("GIF89a\x05\0\x05\0\0\0\0;")));
    await expect(wire.ingest(at("/img/lamp%20room.gif"))).resolves.toMatchObject({
      type: "IMAGE",
      title: "lamp room.gif",
      text: "lamp room.gif",
    });
  });
});

describe("a recording", () => {
  it("is read from its beginning, its length told by the whole", async () => {
    const long = mp3(20_000);
    const wire = await serve(typed("audio/mpeg", long, { "content-length": String(long.length) }));
    const found = await wire.ingest(at("/song.mp3"));
    expect(found).toMatchObject({ type: "AUDIO", title: "Kelp song", warnings: [{ code: "no_transcript" }] });
    expect(Math.abs((found.metadata.durationSeconds ?? 0) - 522)).toBeLessThan(3);
    expect(wire.calls).toHaveLength(1);
    const chunked = await serve(typed("audio/mpeg", long, { "transfer-encoding": "chunked" }));
    expect((await chunked.ingest(at("/song.mp3"))).metadata.durationSeconds).toBeUndefined();
  });

  it("with lyrics in time has them as segments", async () => {
    const wire = await serve(typed("audio/mpeg", mp3(10, { sync: true })));
    const found = await wire.ingest(at("/song.mp3"));
    expect(found.warnings).toEqual([]);
    expect(found.segments?.map(({ start, end, seconds }) => [found.text.slice(start, end), seconds])).toEqual([
      ["First line", 1],
      ["Second line", 4],
    ]);
  });

  it("in a box that holds either is what its label or its name says", async () => {
    const sound = await serve(typed("audio/webm", webm()));
    await expect(sound.ingest(at("/get"))).resolves.toMatchObject({ type: "AUDIO", title: "Lamp film" });
    const named = await serve(typed("application/octet-stream", webm()));
    await expect(named.ingest(at("/talk.weba"))).resolves.toMatchObject({ type: "AUDIO" });
    const film = await serve(typed("application/octet-stream", mp4()));
    await expect(film.ingest(at("/tide"))).resolves.toMatchObject({ type: "VIDEO", title: "Tide film", metadata: { durationSeconds: 95 } });
  });

  it("that is a playlist of a stream is refused honestly", async () => {
    const hls = await serve(typed("application/vnd.apple.mpegurl", "#EXTM3U\n#EXT-X-VERSION:3\n"));
    await expect(hls.ingest(at("/live.m3u8"))).rejects.toMatchObject({
      code: "unsupported_content",
      message: expect.stringContaining("playlist of a stream"),
    });
    const dash = await serve(typed("application/dash+xml", `<?xml version="1.0"?><MPD xmlns="x"></MPD>`));
    await expect(dash.ingest(at("/live.mpd"))).rejects.toMatchObject({ code: "unsupported_content" });
  });
});

describe("a file that can't be read", () => {
  it.each([
    ["in the old form of Office", ole(), "unsupported_content", "save it as DOCX"],
    ["of Office under a password", ole("E\0n\0c\0r\0y\0p\0t\0e\0d\0P\0a\0c\0k\0a\0g\0e\0"), "encrypted", "protected by a password"],
    ["that is an archive", zipOf({ "a.txt": "x" }), "unsupported_content", "zip archive"],
    ["that is an archive of another kind", bytesOf("\x1f\x8b\x08 x"), "unsupported_content", "This is an archive"],
    ["that is damaged", bytesOf("PK\x03\x04 damaged"), "unreadable_file", "damaged"],
    ["that is locked", pdfOf([[{ text: "x", y: 700 }]], "", { encrypt: true }), "encrypted", "password"],
  ])("%s says what to do", async (_name, bytes, code, words) => {
    const wire = await serve(typed("application/octet-stream", bytes));
    await expect(wire.ingest(at("/file.doc"))).rejects.toMatchObject({ code, retryable: false, message: expect.stringContaining(words) });
  });
});
