import { expect, onTestFinished, test } from "vitest";
import { call } from "../e2e/support/process.ts";
import { listen, pause, sendPage, until } from "../e2e/support/servers.ts";
import { create, startClients } from "./support/clients.ts";
import { seconds, printFigure } from "./support/figures.ts";
import { listTiles, postLinks } from "./support/links.ts";
import { openNodes } from "./support/nodes.ts";
import { startDurablePostgres } from "./support/postgres.ts";

const MAX_RECOVERY_MS = 10_000;
const CREATORS = 8;
const READERS = 4;

/** An origin that delays its responses until the test releases them. */
async function openGatedOrigin() {
  const held: (() => void)[] = [];
  let isOpen = false;
  const origin = await listen((request, response) => {
    const answer = () => sendPage(response, `Page ${request.url}`);
    if (isOpen) answer();
    else held.push(answer);
  });
  onTestFinished(() => origin.close());
  const open = (): void => {
    isOpen = true;
    for (const answer of held.splice(0)) answer();
  };
  return { origin, held, open };
}

test(
  "a crash of PostgreSQL under load loses and duplicates no acknowledged write, and the service recovers after its restart",
  { timeout: 300_000 },
  async () => {
    const postgres = await startDurablePostgres();
    const { origin, held, open } = await openGatedOrigin();
    const nodes = await openNodes({ FETCH_ALLOW: origin.host, INGEST_PER_HOST: "8" }, postgres);
    const access = await nodes.newAccess();
    const [api, worker] = await Promise.all([nodes.start("api"), nodes.start("worker")]);
    const links = Array.from({ length: 4 }, (_, n) => `${origin.url}/${n}`);
    const linkIds = await postLinks(api.url, access, links);
    await until("links under way", () => held.length === links.length);

    const clients = startClients(api.url, access, CREATORS, READERS);
    await until("some creations", () => clients.creations.length >= 300);
    await postgres.stopKeeping("immediate");
    // These are read while the database is unavailable.
    open();
    await pause(500);
    const probes = ["live", "ready"].map(async (probe) => (await call(api.url, null, "GET", `/health/${probe}`)).status);
    expect(await Promise.all(probes)).toEqual([200, 503]);
    await pause(500);
    await postgres.start();
    const restarted = performance.now();
    await until("answers to everybody", () => clients.outages().every(({ back }) => back !== undefined), 3 * MAX_RECOVERY_MS);
    await pause(1_000);
    await clients.stop();

    const outages = clients.outages();
    const back = Math.max(...outages.map((outage) => (outage.back ?? Infinity) - restarted));
    const [passed, refused] = [200, 503].map((status) => clients.statuses.get(status) ?? 0);
    printFigure(
      `PostgreSQL restarted after a crash: every client is served again after ${seconds(back)} (${passed} calls answered 200, ${refused} answered 503)`,
    );
    expect(clients.failures).toEqual([]);
    expect(outages).toHaveLength(CREATORS + READERS);
    expect(back).toBeLessThan(MAX_RECOVERY_MS);

    const unsure = clients.creations.filter(({ id }) => id === undefined);
    expect(unsure.length).toBeGreaterThan(0);
    for (const creation of unsure) {
      const { status, json } = await create(api.url, access, creation);
      expect(status).toBe(200);
      creation.id = json.tile.id;
    }
    const inOrder = (tiles: readonly { readonly title: string; id?: string }[]) =>
      tiles.map(({ id, title }) => `${title}: ${id}`).toSorted();
    const notes = (await listTiles(api.url, access)).filter(({ sourceUrl }) => sourceUrl === null);
    expect(inOrder(notes)).toEqual(inOrder(clients.creations));

    const isReady = async (): Promise<boolean> => {
      const tiles = new Map((await listTiles(api.url, access)).map(({ id, status }) => [id, status]));
      return linkIds.every((id) => tiles.get(id) === "ready");
    };
    await until("the links", isReady);
    printFigure(`links that were being read in the crash: all ready ${seconds(performance.now() - restarted)} after the restart`);
    expect(api.stderr() + worker.stderr()).toBe("");
  },
);
