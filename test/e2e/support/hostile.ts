import type { ServerResponse } from "node:http";
import { createGzip, gzipSync } from "node:zlib";

/** A hostile response. It continues until the client closes the connection. */
export type Hostile = (response: ServerResponse) => void;

const HTML = { "content-type": "text/html; charset=utf-8" };
const page = (body: string): string => `<!doctype html><html><head><title>Odd</title></head><body>${body}</body></html>`;

/** Writes the same bytes until the client closes the connection. */
function writeEndlessly(response: ServerResponse, piece: Buffer): void {
  const write = (): void => {
    while (!response.destroyed && response.write(piece));
    if (!response.destroyed) response.once("drain", write);
  };
  write();
}

const endless =
  (type: string, start = ""): Hostile =>
  (response) => {
    response.writeHead(200, { "content-type": type });
    response.write(start);
    writeEndlessly(response, Buffer.alloc(65_536, "<p>words and words</p>\n"));
  };

const whole =
  (make: () => string | Buffer, headers: Readonly<Record<string, string>> = HTML): Hostile =>
  (response) => {
    response.writeHead(200, headers);
    response.end(make());
  };

const drip: Hostile = (response) => {
  response.writeHead(200, HTML);
  response.write("<!doctype html><html><body><p>");
  const timer = setInterval(() => response.write("a"), 100);
  response.once("close", () => clearInterval(timer));
};

/** A gigabyte of zeros for each megabyte sent. */
const gzipBomb: Hostile = (response) => {
  response.writeHead(200, { ...HTML, "content-encoding": "gzip" });
  const gzip = createGzip({ level: 9 });
  gzip.pipe(response);
  const zeros = Buffer.alloc(1_048_576);
  let left = 2_000;
  const write = (): void => {
    if (response.destroyed || left-- === 0) return void gzip.end();
    gzip.write(zeros, () => setImmediate(write));
  };
  write();
};

/** The hostile responses by name. Each has its own host. */
export const HOSTILE: Readonly<Record<string, Hostile>> = {
  "endless-page": endless("text/html"),
  "endless-pdf": endless("application/pdf", "%PDF-1.7\n"),
  "endless-picture": endless("image/jpeg", "\u00ff\u00d8\u00ff"),
  drip,
  "gzip-bomb": gzipBomb,
  "redirect-loop": (response) => response.writeHead(302, { location: `/again?${Math.random()}` }).end(),
  "nested-divs": whole(() => page("<div>".repeat(2_000) + "words ".repeat(400) + "</div>".repeat(2_000))),
  "a-million-divs": whole(() => page("<div>".repeat(1_000_000))),
  "all-links": whole(() => page(Array.from({ length: 17_000 }, (_, i) => `<a href="/${i}">link number ${i} of many</a> `).join(""))),
  "many-paragraphs": whole(() => page(Array.from({ length: 26_000 }, (_, i) => `<p>Paragraph ${i} has words.</p>`).join(""))),
  "one-line": whole(() => page("words and words ".repeat(3_300_000))),
  "zip-as-html": whole(() => Buffer.concat([Buffer.from("PK\u0003\u0004"), Buffer.alloc(3_000_000, 7)])),
  "garbage-pdf": whole(() => Buffer.concat([Buffer.from("%PDF-1.7\n"), Buffer.alloc(2_000_000, "1 0 obj<</Type/Page>>endobj ")]), {
    "content-type": "application/pdf",
  }),
  "huge-feed": whole(
    () =>
      `<?xml version="1.0"?><rss version="2.0"><channel><title>Odd</title>${"<item><title>x</title></item>".repeat(150_000)}</channel></rss>`,
    { "content-type": "application/rss+xml" },
  ),
  "gzip-of-gzip": whole(() => gzipSync(gzipSync(Buffer.alloc(50_000_000))), { ...HTML, "content-encoding": "gzip, gzip" }),
  silent: () => {},
};
