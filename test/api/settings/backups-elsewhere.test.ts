import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { authorizeBusiness } from "#service/access.ts";
import { claimOwner } from "../../support/people/people.ts";
import { gatherPeople, errorResponse, getError } from "../../support/people/settings.ts";
import { startTestService } from "../../support/service.ts";
import { BACKUPS, list, make } from "./support/backups.ts";

test("a file in place of the folder is reported in the run, and the server keeps working", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tessera-backups-"));
  const place = join(folder, "file");
  writeFileSync(place, "a file");
  const service = await startTestService({ BACKUP_DIR: place });
  try {
    const owner = await claimOwner(service);
    const run = await make(owner);
    expect(run).toMatchObject({
      status: "failed",
      bytes: null,
      error: expect.stringMatching(/^The backup folder can't be made: a file is in its place\./),
    });
    expect((await service.call("GET", "/health/ready", { key: null })).status).toBe(200);
    expect((await service.call("GET", "/metrics", { key: null })).text).toMatch(/^tessera_backup_last_success_timestamp_seconds 0$/m);
  } finally {
    await service.stop();
    rmSync(folder, { recursive: true });
  }
});

test("without background work a requested backup stays pending, and is reported after an hour", async () => {
  const service = await startTestService({ ROLE: "api" });
  try {
    const owner = await claimOwner(service);
    expect((await owner.call("POST", BACKUPS)).status).toBe(202);
    expect((await owner.call("POST", BACKUPS)).status).toBe(409);
    expect((await list(owner)).backups).toMatchObject([{ status: "running", node: null }]);
    const { deps } = service.appContext;
    const scope = await authorizeBusiness(deps, { kind: "operator", businessId: service.businessId }, "own");
    const [run] = await deps.store.backups.runs(1);
    await deps.store.backups.end(run!.id, { error: "over" }, Date.now());
    await deps.store.backups.request(scope, "bak_earlier", Date.now() - 3_600_001);
    expect((await list(owner)).backups).toMatchObject([
      { status: "failed", error: "over" },
      { status: "failed", error: expect.stringMatching(/^No server started it within an hour\..*ROLE/) },
    ]);
  } finally {
    await service.stop();
  }
});

test("with several businesses owners may read backups; changing and creating them is for the operator", async () => {
  const service = await startTestService({ ROLE: "api" });
  try {
    const people = await gatherPeople(service);
    const sentence = (command: string) =>
      errorResponse(
        403,
        `This install has several businesses, and a backup contains all of them. Only the operator can do this, with "${command}".`,
      );
    for (const browser of [people.owner, people.stranger]) {
      expect((await browser.call("GET", BACKUPS)).json).toMatchObject({ isShared: true, backups: [] });
      expect(getError(await browser.call("PATCH", BACKUPS, { body: { every: "day" } }))).toEqual(
        sentence("tessera backups set --every day --hour 3"),
      );
      expect(getError(await browser.call("POST", BACKUPS))).toEqual(sentence("tessera backup FILE"));
    }
    expect((await list(people.owner)).schedule.every).toBe("off");
  } finally {
    await service.stop();
  }
});
