import { afterAll, beforeAll, it } from "vitest";
import { type TestDatabase, newDatabase } from "../support/postgres/databases.ts";
import type { OpenAiServer } from "../support/servers/openai-server.ts";
import { type Origin, serveArticle, startOrigin } from "../support/servers/origin.ts";
import { startGuideModel } from "./support/model.ts";
import { GUIDES } from "./support/pages.ts";
import { runPage } from "./support/reader.ts";

/** A guide starts several servers and commands. */
const LIMIT_MS = 180_000;

/** An address without user and password, as the command line prints it. */
function withoutUser(url: string): string {
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}

let origin: Origin;
let model: OpenAiServer;
let database: TestDatabase;
beforeAll(async () => {
  origin = await startOrigin(serveArticle);
  model = await startGuideModel();
  database = await newDatabase();
});
afterAll(() => Promise.all([origin.close(), model.close(), database.drop()]));

it.each(GUIDES)("the guide docs/%s.md works as written", { timeout: LIMIT_MS }, async (name) => {
  await runPage(`docs/${name}.md`, {
    replace: [
      ["127.0.0.1:11434", `127.0.0.1:${model.port}`],
      ["postgres://tessera:secret@127.0.0.1:5432/tessera", database.url],
      ["postgres://127.0.0.1:5432/tessera", withoutUser(database.url)],
    ],
    // Pages of other sites are served by this machine.
    environment: { FETCH_ALLOW: `127.0.0.1:${origin.port}`, FETCH_ROUTES: `https://en.wikipedia.org=${origin.url}` },
  });
});
