import Database from "better-sqlite3";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { databaseFile } from "#storage/sqlite/store.ts";
import { runCommand } from "../e2e/support/commands.ts";
import { type Environment, call, makeFolder, startServer, tessera, tesseraJson } from "../e2e/support/process.ts";
import { until } from "../e2e/support/servers.ts";

const DAY_MS = 86_400_000;

const folder = makeFolder();
const environment: Environment = { DATA_DIR: folder.dataDir, LOG_LEVEL: "info" };
const backups = join(folder.dataDir, "backups");
let key: string;

beforeAll(async () => {
  ({ key } = await tesseraJson(environment, "key", "create", "--name", "backups"));
});
afterAll(() => folder.remove());

/** Moves the next time back by this many days, as if no server had run since. */
function putBack(days: number): void {
  const db = new Database(databaseFile(folder.dataDir));
  db.prepare("UPDATE backup_schedule SET next_at = next_at - ?").run(days * DAY_MS);
  db.close();
}
const runs = async (): Promise<any[]> => (await tesseraJson(environment, "backups")).backups;
const made = (count: number): Promise<any[]> =>
  until("the backup", async () => {
    const all = await runs();
    return all.length >= count && all.every(({ status }) => status !== "running") && all;
  });

test("`tessera backups` sets the schedule and shows it as text and as JSON", { timeout: 300_000 }, async () => {
  expect(await tesseraJson(environment, "backups")).toEqual({ schedule: { every: "off", hour: 3, keep: 14, nextAt: null }, backups: [] });
  expect((await runCommand(environment, "backups")).stdout).toMatch(/^No backups are scheduled\. Set it with: tessera backups set /);
  const set = await tessera(environment, "backups", "set", "--every", "week", "--hour", "4", "--keep", "2");
  expect(set).toMatchObject({ code: 0, stderr: "" });
  expect(set.stdout).toMatch(/^Every week at 04:00 UTC, the newest 2 are kept; next \d{4}-\d\d-\d\dT04:00:00\.000Z\.\n$/);
  const { schedule } = await tesseraJson(environment, "backups", "set", "--every", "day");
  expect(schedule).toEqual({ every: "day", hour: 4, keep: 2, nextAt: expect.stringMatching(/T04:00:00\.000Z$/) });
  expect((await tesseraJson(environment, "backups")).schedule).toEqual(schedule);
  expect((await runCommand(environment, "doctor")).stdout).toMatch(new RegExp(`^ok +backups +the next is due at ${schedule.nextAt}$`, "m"));
});

test.each([
  [[], "Say what to change"],
  [["--every", "hour"], "--every takes off, day, week."],
  [["--hour", "24"], '--hour must be a whole number from 0 to 23, but is "24".'],
  [["--keep", ""], "--keep is empty."],
  [["day"], '"day" is one argument too many: the usage is tessera backups set'],
])("`tessera backups set %j` is rejected and changes nothing", { timeout: 300_000 }, async (words, message) => {
  const ended = await runCommand(environment, "backups", "set", ...words);
  expect(ended).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining(message) });
});

test(
  "a missed backup is made up for once at the next start, later ones follow the schedule, and the file can be restored",
  { timeout: 300_000 },
  async () => {
    putBack(6);
    let server = await startServer(environment);
    const boardId = (await call(server.url, key, "GET", "/api/board/boards")).json.boards[0].id;
    await call(server.url, key, "POST", `/api/board/${boardId}/tiles`, { content: "Written before the stop." });
    const [first] = await made(1);
    expect(first).toMatchObject({ status: "done", node: hostname(), error: null, file: expect.stringMatching(/^tessera-.*Z\.sqlite$/) });
    expect(readdirSync(backups)).toEqual([first.file]);
    const { nextAt } = (await tesseraJson(environment, "backups")).schedule;
    expect(nextAt).toMatch(/T04:00:00\.000Z$/);
    expect(Date.parse(nextAt) - Date.now()).toBeGreaterThan(0);
    expect(server.stdout()).toContain("a backup was made");
    expect((await runCommand(environment, "backups")).stdout).toMatch(/ {2}done {2}\d+ bytes$/m);

    // A second backup runs on schedule; a stop during a third one leaves no partial file.
    putBack(1);
    const [second] = await made(2);
    writeFileSync(join(backups, "tessera-2001-01-01T030000Z.sqlite"), "foreign");
    putBack(1);
    await until("the third", async () => (await runs()).length === 3);
    expect((await server.kill("SIGTERM")).code).toBe(0);
    expect(readdirSync(backups).filter((name) => name.endsWith(".partial"))).toEqual([]);
    expect((await runs()).map(({ status }) => status)).not.toContain("running");

    server = await startServer(environment);
    const after = await made(3);
    expect(after.find(({ id }) => id === first.id).status).toBe("removed");
    expect(existsSync(join(backups, second.file))).toBe(true);
    expect(existsSync(join(backups, first.file))).toBe(false);
    expect(existsSync(join(backups, "tessera-2001-01-01T030000Z.sqlite"))).toBe(true);
    await server.kill("SIGTERM");

    const { restore } = await tesseraJson(environment, "restore", join(backups, second.file));
    expect(restore.kept).toContain(folder.dataDir);
    server = await startServer(environment);
    const { tiles } = (await call(server.url, key, "GET", `/api/board/${boardId}/tiles`)).json;
    expect(tiles).toMatchObject([{ extractedText: "Written before the stop." }]);
    // The copy records itself as running; its existing file shows that it is complete.
    const own = await until("its end", async () => (await runs()).find(({ id, status }) => id === second.id && status !== "running"));
    expect(own).toMatchObject({ status: "done", file: second.file, bytes: second.bytes });
    await server.kill("SIGTERM");
  },
);

test("a folder that is a file is reported in the log and in the list, and the server still works", { timeout: 300_000 }, async () => {
  writeFileSync(folder.path("file"), "in the way");
  await tesseraJson(environment, "backups", "set", "--every", "week", "--hour", "5");
  putBack(30);
  const server = await startServer({ ...environment, BACKUP_DIR: folder.path("file") });
  const failed = await until("the failure", async () => (await runs()).find(({ status }) => status === "failed"));
  expect(failed).toMatchObject({
    bytes: null,
    error: expect.stringMatching(/^The backup folder can't be made: a file is in its place\./),
  });
  expect((await runCommand(environment, "backups")).stdout).toContain("failed  The backup folder can't be made");
  expect(server.stdout()).toContain("a backup failed");
  const doctor = await runCommand(environment, "doctor");
  expect(doctor).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^problem +backups +the last one, of \S+, failed: The backup folder/m),
  });
  expect((await call(server.url, key, "GET", "/api/board/boards")).status).toBe(200);
  await server.kill("SIGTERM");
});
