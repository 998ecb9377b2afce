import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

export type Origin = { readonly port: number; readonly url: string; close(): Promise<void> };

/** Starts a web server on loopback. */
export async function startOrigin(listener: RequestListener): Promise<Origin> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const SENTENCES = [
  "The keeper of the northern lighthouse trimmed the lamp every evening before the ships came in from the strait.",
  "Its lens was ground in Paris and weighs four tonnes, and it throws the beam over thirty kilometres of open water.",
  "In the winter of 1911 a storm broke the gallery windows, and the lamp was kept burning by hand for six nights.",
  "Today the light is automatic, and the keeper's house is a museum that opens on Sundays between May and September.",
];

/** Returns an HTML page that is recognised as an article. */
export const articlePage = (title = "The northern lighthouse"): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title></head><body><nav><a href="/">Home</a></nav><article><h1>${title}</h1>${SENTENCES.map(
    (sentence) => `<p>${sentence} ${sentence}</p>`,
  ).join("")}</article><footer>Imprint</footer></body></html>`;

/** Responds to every path with the article. */
export const serveArticle: RequestListener = (_request, response) => {
  response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(articlePage());
};
