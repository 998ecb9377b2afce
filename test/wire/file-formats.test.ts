import { expect, it } from "vitest";
import { jpeg, mp3, mp4, webm } from "../ingest/read/media-samples.ts";
import { toBytes, createPdf, createZip } from "../ingest/read/samples.ts";
import { at, typed, serve } from "./typed-files.ts";

const ole = (inside = ""): Uint8Array => toBytes(`\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1${"\0".repeat(600)}${inside}`);

it.each([
  ["/table.csv", "application/vnd.ms-excel", "a,b\n1,2", "table.csv"],
  ["/table.tsv", "text/tab-separated-values", "a\tb\n1\t2", "table.tsv"],
  ["/notes.md", "text/markdown", "# Notes\n\nWords", "Notes"],
  ["/notes.txt", "application/octet-stream", "Words <b>as</b> they are", "notes.txt"],
])("plain text at %s is kept unchanged, with a title", async (path, type, body, title) => {
  const wire = await serve(typed(type, body));
  await expect(wire.ingest(at(path))).resolves.toMatchObject({ type: "DOCUMENT", title, text: body });
});

it("plain text that is binary is rejected", async () => {
  const wire = await serve(typed("text/plain", " \n"));
  await expect(wire.ingest(at("/empty.txt"))).rejects.toMatchObject({ code: "no_text" });
});

it("a picture is ready with its metadata and a warning", async () => {
  const wire = await serve(typed("image/jpeg", jpeg()));
  await expect(wire.ingest(at("/pier.jpg"))).resolves.toMatchObject({
    type: "IMAGE",
    title: "pier.jpg",
    text: expect.stringContaining("Waves at the pier"),
    metadata: { author: "Ada Keeper", stats: { width: 400, height: 300 }, thumbnailUrl: at("/pier.jpg") },
    warnings: [{ code: "no_text", message: expect.stringContaining("Only the picture's metadata") }],
  });
});

it("a picture without metadata has its name as text", async () => {
  const wire = await serve(typed("image/gif", toBytes("GIF89a\x05\0\x05\0\0\0\0;")));
  await expect(wire.ingest(at("/img/lamp%20room.gif"))).resolves.toMatchObject({
    type: "IMAGE",
    title: "lamp room.gif",
    text: "lamp room.gif",
  });
});

it("a recording is read from its beginning, with the duration of the whole", async () => {
  const long = mp3(20_000);
  const wire = await serve(typed("audio/mpeg", long, { "content-length": String(long.length) }));
  const found = await wire.ingest(at("/song.mp3"));
  expect(found).toMatchObject({ type: "AUDIO", title: "Kelp song", warnings: [{ code: "no_transcript" }] });
  expect(Math.abs((found.metadata.durationSeconds ?? 0) - 522)).toBeLessThan(3);
  expect(wire.calls).toHaveLength(1);
  const chunked = await serve(typed("audio/mpeg", long, { "transfer-encoding": "chunked" }));
  expect((await chunked.ingest(at("/song.mp3"))).metadata.durationSeconds).toBeUndefined();
});

it("a recording with timed lyrics has them as segments", async () => {
  const wire = await serve(typed("audio/mpeg", mp3(10, { sync: true })));
  const found = await wire.ingest(at("/song.mp3"));
  expect(found.warnings).toEqual([]);
  expect(found.segments?.map(({ start, end, seconds }) => [found.text.slice(start, end), seconds])).toEqual([
    ["First line", 1],
    ["Second line", 4],
  ]);
});

it("a recording in a container for both is audio or video by its media type or name", async () => {
  const sound = await serve(typed("audio/webm", webm()));
  await expect(sound.ingest(at("/get"))).resolves.toMatchObject({ type: "AUDIO", title: "Lamp film" });
  const named = await serve(typed("application/octet-stream", webm()));
  await expect(named.ingest(at("/talk.weba"))).resolves.toMatchObject({ type: "AUDIO" });
  const film = await serve(typed("application/octet-stream", mp4()));
  await expect(film.ingest(at("/tide"))).resolves.toMatchObject({ type: "VIDEO", title: "Tide film", metadata: { durationSeconds: 95 } });
});

it("a recording that is a stream playlist is rejected with that reason", async () => {
  const hls = await serve(typed("application/vnd.apple.mpegurl", "#EXTM3U\n#EXT-X-VERSION:3\n"));
  await expect(hls.ingest(at("/live.m3u8"))).rejects.toMatchObject({
    code: "unsupported_content",
    message: expect.stringContaining("playlist of a stream"),
  });
  const dash = await serve(typed("application/dash+xml", `<?xml version="1.0"?><MPD xmlns="x"></MPD>`));
  await expect(dash.ingest(at("/live.mpd"))).rejects.toMatchObject({ code: "unsupported_content" });
});

it.each([
  ["in the old form of Office", ole(), "unsupported_content", "save it as DOCX"],
  ["of Office under a password", ole("E\0n\0c\0r\0y\0p\0t\0e\0d\0P\0a\0c\0k\0a\0g\0e\0"), "encrypted", "protected by a password"],
  ["that is an archive", createZip({ "a.txt": "x" }), "unsupported_content", "zip archive"],
  ["that is an archive of another format", toBytes("\x1f\x8b\x08 x"), "unsupported_content", "This is an archive"],
  ["that is damaged", toBytes("PK\x03\x04 damaged"), "unreadable_file", "damaged"],
  ["that is locked", createPdf([[{ text: "x", y: 700 }]], "", { encrypt: true }), "encrypted", "password"],
])("a file %s fails with advice", async (_name, bytes, code, words) => {
  const wire = await serve(typed("application/octet-stream", bytes));
  await expect(wire.ingest(at("/file.doc"))).rejects.toMatchObject({ code, retryable: false, message: expect.stringContaining(words) });
});
