import type { Actor } from "#domain/core/access.ts";
import { grantBusiness } from "#service/access.ts";
import { changeBackups, readBackups, requestBackup, requireWholeInstall } from "#service/settings/backups.ts";
import { type AnyRoute, type HttpDeps, defineRoute } from "../../route.ts";
import { presentBackup, presentSchedule } from "../../wire/settings-presenters.ts";
import { SETTINGS_OUTPUTS, type SettingsInputs } from "../../wire/settings-schemas.ts";

const TAG = "Settings: backups";

/** Backups of the whole install, for owners. None is given out or restored here: each holds every business's data. */
export function backupRoutes(inputs: SettingsInputs): AnyRoute[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/settings/backups",
      tag: TAG,
      summary: "Read the schedule of backups and the last ones",
      description: "For owners. At most 100, the newest first; files are told by name alone.",
      isMembersOnly: true,
      response: SETTINGS_OUTPUTS.backups,
      guard: (deps, actor) => grantBusiness(deps, actor, "own"),
      async handle({ deps }) {
        const { schedule, runs, isShared } = await readBackups(deps);
        const now = deps.clock.now();
        return { schedule: presentSchedule(schedule), backups: runs.map((run) => presentBackup(run, now)), isShared };
      },
    }),
    defineRoute({
      method: "PATCH",
      path: "/api/settings/backups",
      tag: TAG,
      summary: "Change the schedule of backups",
      description: "For owners of an install with one business. A week is seven days, beginning with the next time the hour comes.",
      isMembersOnly: true,
      body: inputs.backupSchedule,
      response: SETTINGS_OUTPUTS.backupSchedule,
      guard: (deps, actor) => grantInstall(deps, actor, "tessera backups set --every day --hour 3"),
      handle: async ({ deps, authorized, body }) => ({ schedule: presentSchedule(await changeBackups(deps, authorized, body)) }),
    }),
    defineRoute({
      method: "POST",
      path: "/api/settings/backups",
      tag: TAG,
      summary: "Make a backup now",
      description:
        "For owners of an install with one business. Answered with 202; a server with background work makes it, and the list tells how it ended. 409 while one is under way.",
      isMembersOnly: true,
      mayReturnAccepted: true,
      response: SETTINGS_OUTPUTS.backup,
      guard: (deps, actor) => grantInstall(deps, actor, "tessera backup FILE"),
      async handle({ deps, authorized, reply }) {
        const run = await requestBackup(deps, authorized);
        reply.code(202);
        return { backup: presentBackup(run, deps.clock.now()) };
      },
    }),
  ];
}

/** The owner's grant, where the install is the business's alone. */
async function grantInstall(deps: HttpDeps, actor: Actor, command: string) {
  const scope = await grantBusiness(deps, actor, "own");
  await requireWholeInstall(deps, command);
  return scope;
}
