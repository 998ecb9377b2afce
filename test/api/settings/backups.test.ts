import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { authorizeBusiness } from "#service/access.ts";
import { call, startServer, tesseraJson } from "../../e2e/support/process.ts";
import { until } from "../../e2e/support/servers.ts";
import { isPostgres } from "../../support/engine.ts";
import { type Browser, claimOwner } from "../../support/people/people.ts";
import { newDatabase } from "../../support/postgres/databases.ts";
import { errorResponse, getError } from "../../support/people/settings.ts";
import { type TestService, startTestService } from "../../support/service.ts";
import { BACKUPS, list, ended, make } from "./support/backups.ts";

let service: TestService;
let owner: Browser;
let folder: string;
beforeAll(async () => {
  folder = join(mkdtempSync(join(tmpdir(), "tessera-backups-")), "made", "by the first");
  service = await startTestService({ BACKUP_DIR: folder });
  owner = await claimOwner(service);
  await service.call("POST", `/api/board/${service.boardId}/tiles`, { body: { content: "The harbour opens at six." } });
});
afterAll(async () => {
  await service?.stop();
  rmSync(join(folder, "../.."), { recursive: true, force: true });
});

const NAME = isPostgres() ? /^tessera-\d{4}-\d\d-\d\dT\d{6}Z\.jsonl\.gz$/ : /^tessera-\d{4}-\d\d-\d\dT\d{6}Z\.sqlite$/;
const DAY_MS = 86_400_000;

/** A generous limit, because other tests use the same CPU. */
const soon = <T>(read: () => T) => expect.poll(read, { timeout: 300_000 });

/** Sets the schedule as if that had happened this many days ago. */
async function setLongAgo({ appContext, businessId }: TestService, patch: { every: "day" | "week"; keep?: number }, days: number) {
  const { deps } = appContext;
  const scope = await authorizeBusiness(deps, { kind: "operator", businessId }, "own");
  await deps.store.backups.change(scope, { every: "off" }, Date.now());
  return deps.store.backups.change(scope, patch, Date.now() - days * DAY_MS);
}

test("a server with one business has no schedule at first, sets one, and changes only named fields", async () => {
  const first = { every: "off", hour: 3, keep: 14, nextAt: null };
  expect(await list(owner)).toEqual({ schedule: first, backups: [], isShared: false });
  expect(existsSync(folder)).toBe(false);
  const set = await owner.call("PATCH", BACKUPS, { body: { every: "week", hour: 0 } });
  expect(set.json.schedule).toMatchObject({ every: "week", hour: 0, keep: 14 });
  const next = Date.parse(set.json.schedule.nextAt);
  expect(next % DAY_MS).toBe(0);
  expect(next - Date.now()).toBeGreaterThan(0);
  expect(next - Date.now()).toBeLessThanOrEqual(DAY_MS);
  expect((await owner.call("PATCH", BACKUPS, { body: { keep: 2 } })).json.schedule).toEqual({ ...set.json.schedule, keep: 2 });
  expect((await owner.call("PATCH", BACKUPS, { body: { every: "off" } })).json.schedule).toEqual({ ...first, hour: 0, keep: 2 });
  const { entries } = (await owner.call("GET", "/api/settings/audit")).json;
  expect(entries[0]).toMatchObject({ actor: { kind: "member" }, action: "backup.schedule", subject: "backups" });
});

test.each([
  [{ every: "hour" }, "every must be one of off, day, week."],
  [{ every: 1 }, "every must be one of off, day, week."],
  [{ hour: 24 }, "hour must be a whole number from 0 to 23."],
  [{ hour: -1 }, "hour must be a whole number from 0 to 23."],
  [{ hour: "3" }, "hour must be a whole number from 0 to 23."],
  [{ hour: 3.5 }, "hour must be a whole number from 0 to 23."],
  [{ keep: 0 }, "keep must be a whole number from 1 to 60."],
  [{ every: "day", keep: 61 }, "keep must be a whole number from 1 to 60."],
  ["[]", "The request body must be a JSON object."],
  ["{", expect.any(String)],
])("a server with one business rejects the schedule %j and keeps the current one", async (body, message) => {
  const before = await list(owner);
  expect(getError(await owner.call("PATCH", BACKUPS, { body }))).toEqual({ status: 400, error: message });
  expect(await list(owner)).toEqual(before);
});

test("a server with one business makes a backup on request, readable by its owner only, one at a time", async () => {
  const asked = await Promise.all(Array.from({ length: 5 }, () => owner.call("POST", BACKUPS)));
  const [run] = asked.filter(({ status }) => status === 202).map(({ json }) => json.backup);
  expect(asked.map(({ status }) => status).sort()).toEqual([202, 409, 409, 409, 409]);
  expect(getError(asked.find(({ status }) => status === 409)!)).toEqual(
    errorResponse(409, "A backup is being made already. Wait until it has ended."),
  );
  expect(run).toEqual({
    id: expect.stringMatching(/^bak_/),
    file: expect.stringMatching(NAME),
    node: null,
    bytes: null,
    status: "running",
    error: null,
    startedAt: expect.any(String),
    endedAt: null,
  });
  const done = await ended(owner, run.id);
  const file = join(folder, run.file);
  expect(done).toEqual({ ...run, node: hostname(), bytes: statSync(file).size, status: "done", endedAt: expect.any(String) });
  expect([folder, file].map((path) => (statSync(path).mode & 0o777).toString(8))).toEqual(["700", "600"]);
  expect(readdirSync(folder)).toEqual([run.file]);
  const { entries } = (await owner.call("GET", "/api/settings/audit")).json;
  expect(entries.filter(({ action }: any) => action === "backup.make")).toMatchObject([{ subject: run.id }]);
  const metrics = (await service.call("GET", "/metrics", { key: null })).text;
  const [, seconds] = /^tessera_backup_last_success_timestamp_seconds (\S+)$/m.exec(metrics) ?? [];
  expect(Number(seconds)).toBe(Date.parse(done.endedAt) / 1_000);
  expect((await owner.call("GET", BACKUPS)).text).not.toContain(folder);
});

test(
  "a server with one business makes up for a missed backup once, and removes only backups beyond the configured number",
  { timeout: 300_000 },
  async () => {
    const foreign = ["tessera-2020-01-01T030000Z.sqlite", "tessera-2020-01-01T030000Z.jsonl.gz", "notes.txt", "tessera.sqlite"];
    for (const name of foreign) writeFileSync(join(folder, name), "not ours");
    const first = await make(owner);
    const second = await make(owner);
    await setLongAgo(service, { every: "day", keep: 2 }, 5);
    const missed = await until("the missed backup", async () => {
      const [newest] = (await list(owner)).backups;
      return newest.id !== second.id && newest.status === "done" && newest;
    });
    const { schedule, backups } = await list(owner);
    expect(Date.parse(schedule.nextAt) - Date.now()).toBeLessThanOrEqual(DAY_MS);
    expect(Date.parse(schedule.nextAt)).toBeGreaterThan(Date.now());
    // The run is recorded before older files are removed.
    await soon(() => readdirSync(folder).sort()).toEqual([...foreign, second.file, missed.file].sort());
    await soon(async () => (await list(owner)).backups.map(({ status }: any) => status).slice(0, 3)).toEqual(["done", "done", "removed"]);
    expect((await list(owner)).backups[2].id).toBe(first.id);
    await new Promise((resolve) => setTimeout(resolve, 2_200));
    expect((await list(owner)).backups).toHaveLength(backups.length);
    await owner.call("PATCH", BACKUPS, { body: { every: "off" } });
  },
);

test(
  "a server with one business reports why a backup failed, removes nothing, and continues when the problem is solved",
  { timeout: 300_000 },
  async () => {
    const before = readdirSync(folder).sort();
    await owner.call("PATCH", BACKUPS, { body: { keep: 1 } });
    const { deps } = service.appContext;
    const scope = await authorizeBusiness(deps, { kind: "operator", businessId: service.businessId }, "own");
    const run = await deps.store.backups.request(scope, "bak_blocked", Date.now());
    writeFileSync(join(folder, run.file), "in the way");
    expect(await ended(owner, "bak_blocked")).toMatchObject({
      status: "failed",
      bytes: null,
      error: expect.stringMatching(/exists already/),
    });
    expect((await owner.call("GET", BACKUPS)).text).not.toContain(folder);
    rmSync(join(folder, run.file));
    expect(readdirSync(folder).sort()).toEqual(before);
    const partial = join(folder, `${run.file}.partial`);
    writeFileSync(partial, "half of it");
    expect((await make(owner)).status).toBe("done");
    await soon(() => existsSync(partial)).toBe(false);
  },
);

test("a server with one business makes complete files, on which another server works after a restore", { timeout: 300_000 }, async () => {
  const { file } = await make(owner);
  const database = isPostgres() ? await newDatabase() : null;
  const dataDir = join(folder, "../restored");
  const environment: Record<string, string> = {
    DATA_DIR: dataDir,
    ...(database === null ? {} : { DATABASE_URL: database.url, SECRET_KEY: service.environment.SECRET_KEY! }),
  };
  await tesseraJson(environment, "init");
  await tesseraJson(environment, "restore", join(folder, file));
  const server = await startServer(environment);
  try {
    const { tiles } = (await call(server.url, service.key, "GET", `/api/board/${service.boardId}/tiles`)).json;
    expect(tiles).toMatchObject([{ extractedText: "The harbour opens at six." }]);
    const { schedule, backups } = await tesseraJson(environment, "backups");
    if (database !== null)
      expect({ schedule, backups }).toEqual({ schedule: { every: "off", hour: 3, keep: 14, nextAt: null }, backups: [] });
    // The copy records itself as running; the server finds no such file in its own folder.
    else expect(backups[0]).toMatchObject({ file, status: expect.stringMatching(/running|failed/) });
  } finally {
    await server.kill("SIGTERM");
    await database?.drop();
  }
});
