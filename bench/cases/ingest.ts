import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { formatDecimal, formatSpread, computeSpread } from "../output/numbers.ts";
import type { Report } from "../output/report.ts";
import { type BenchContext, sleep } from "../context.ts";
import { type Board, type Service, callApi, createBoard, startService } from "../servers/service.ts";
import { generateProse } from "../output/random-text.ts";
import type { Options } from "../load/load-context.ts";

const MAX_SECONDS = 1;
const TIMEOUT_MS = 15_000;
const PARAGRAPHS = 25;
const IDLE_MS = 2_000;

const FACTS = [
  ["the Varnholt lighthouse", "Ingrid Solberg"],
  ["the Quenby observatory", "Tomas Ferreira"],
  ["the Ostrava planetarium", "Milena Novotna"],
  ["the Kilbrannan aqueduct", "Fergus McAllister"],
  ["the Tarquinia theatre", "Lucia Bellandi"],
] as const;

type Article = { readonly building: string; readonly person: string };

const renderPage = (
  { building, person }: Article,
  n: number,
): string => `<!doctype html><html lang="en"><head><title>A history of ${building}</title></head><body>
<nav><a href="/">Home</a> <a href="/news">News</a></nav><article><h1>A history of ${building}</h1>
<p>In 1874 the architect ${person} designed ${building} after years of study.</p>
${Array.from({ length: PARAGRAPHS }, (_, i) => `<p>${generateProse(600, n * 100 + i)}</p>`).join("\n")}</article><footer>All rights reserved.</footer></body></html>`;

/** Measures the time from the last byte of a page until its tile is ready, and until an answer quotes it, on an idle service. */
export async function runIngest(context: BenchContext, options: Options): Promise<Report> {
  const sent = new Map<string, number>();
  const articles = FACTS.slice(0, options.isQuick ? 3 : FACTS.length).map(([building, person]) => ({ building, person }));
  const origin = createServer((request, response) => {
    const path = request.url ?? "";
    const article = articles[Number(path.slice("/article-".length))];
    if (article === undefined) return void response.writeHead(404).end();
    response.once("finish", () => sent.set(path, performance.now()));
    response.writeHead(200, { "Content-Type": "text/html; charset=utf-8" }).end(renderPage(article, articles.indexOf(article)));
  });
  await new Promise<void>((resolve) => void origin.listen(0, "127.0.0.1", resolve));
  try {
    const host = `127.0.0.1:${(origin.address() as AddressInfo).port}`;
    const dataDir = join(context.folder, "ingest");
    const board = await createBoard(dataDir, "Articles");
    const service = await startService(context, dataDir, { FETCH_ALLOW: host });
    const runs = [];
    for (const [n, article] of articles.entries()) {
      await sleep(IDLE_MS);
      runs.push(await ingest(service, board, { host, path: `/article-${n}`, article, sent }));
    }
    await service.stop();
    return buildReport(runs);
  } finally {
    origin.close();
    origin.closeAllConnections();
  }
}

type Run = { readonly ready: number; readonly answerable: number };
type Page = { readonly host: string; readonly path: string; readonly article: Article; readonly sent: ReadonlyMap<string, number> };
type AskAnswer = { answered: boolean; citations: { tileId: string; quote: string }[] };

async function ingest(service: Service, { id, key }: Board, { host, path, article, sent }: Page): Promise<Run> {
  const { tile } = await callApi<{ tile: { id: string } }>(service, key, "POST", "/api/inbound/tiles", {
    board_id: id,
    url: `http://${host}${path}`,
  });
  const waited = await callApi<{ tile: { status: string; error: unknown } }>(service, key, "GET", `/api/board/tiles/${tile.id}?wait=25`);
  const ready = performance.now();
  if (waited.tile.status !== "ready") throw new Error(`The article ended as ${waited.tile.status}: ${JSON.stringify(waited.tile.error)}`);
  const lastByte = sent.get(path) ?? Number.NaN;
  const question = `Who designed ${article.building}?`;
  for (;;) {
    const answer = await callApi<AskAnswer>(service, key, "POST", `/api/board/${id}/ask`, { question });
    const isQuoted = answer.answered && answer.citations.some(({ tileId, quote }) => tileId === tile.id && quote.includes(article.person));
    if (isQuoted) return { ready: (ready - lastByte) / 1_000, answerable: (performance.now() - lastByte) / 1_000 };
    if (performance.now() - lastByte > TIMEOUT_MS) throw new Error(`"${question}" was not answered with a quote of the article.`);
    await sleep(10);
  }
}

function buildReport(runs: readonly Run[]): Report {
  const ready = computeSpread(runs.map((run) => run.ready));
  const answerable = computeSpread(runs.map((run) => run.answerable));
  return {
    figures: [
      {
        name: "time until a fetched page is searchable",
        value: answerable.max,
        unit: "s",
        max: MAX_SECONDS,
        detail: `the slowest of ${runs.length}, measured from its last byte: ready ${formatSpread(ready, 3)}, answerable ${formatSpread(answerable, 3)}; the first, before any thread was started, ${formatDecimal(runs[0]?.answerable ?? Number.NaN, 3)}`,
      },
    ],
    sections: [],
  };
}
