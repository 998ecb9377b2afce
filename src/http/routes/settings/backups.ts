import type { Actor } from "#domain/core/access.ts";
import { formatCommand } from "#runtime/process/program-name.ts";
import { authorizeBusiness } from "#service/access.ts";
import { changeBackups, readBackups, requestBackup, requireWholeInstall } from "#service/settings/backups.ts";
import type { StoreDeps } from "#service/deps.ts";
import { type AnyRoute, defineRoute } from "../../route.ts";
import { BACKUP_INPUT, BACKUP_RESPONSES, presentBackup, presentSchedule } from "../../wire/settings/backup.ts";

const TAG = "Settings: backups";

const readBackupsRoute = defineRoute({
  method: "GET",
  path: "/api/settings/backups",
  operationId: "listBackups",
  tag: TAG,
  summary: "Get backups",
  description: "Returns the schedule and the last 100 backups, newest first. Owners only.",
  isMembersOnly: true,
  response: BACKUP_RESPONSES.backups,
  guard: (deps, actor) => authorizeBusiness(deps, actor, "own"),
  async handle({ deps }) {
    const { schedule, runs, isShared } = await readBackups(deps);
    const now = deps.clock.now();
    return { schedule: presentSchedule(schedule), backups: runs.map((run) => presentBackup(run, now)), isShared };
  },
});

const updateScheduleRoute = defineRoute({
  method: "PATCH",
  path: "/api/settings/backups",
  operationId: "updateBackupSchedule",
  tag: TAG,
  summary: "Update the backup schedule",
  description:
    "Fields that are left out keep their value. With every=week, the first backup is made at the next occurrence of the hour. Owners only, in an install with one business.",
  isMembersOnly: true,
  body: BACKUP_INPUT,
  response: BACKUP_RESPONSES.schedule,
  guard: (deps, actor) => authorizeInstall(deps, actor, "backups set --every day --hour 3"),
  handle: async ({ deps, authorized, body }) => ({ schedule: presentSchedule(await changeBackups(deps, authorized, body)) }),
});

const createBackupRoute = defineRoute({
  method: "POST",
  path: "/api/settings/backups",
  operationId: "createBackup",
  tag: TAG,
  summary: "Create a backup",
  description:
    "Returns 202; the backup is made in the background, and the list shows the result. Returns 409 while another backup is running. Owners only, in an install with one business.",
  isMembersOnly: true,
  accepts: "always",
  response: BACKUP_RESPONSES.backup,
  guard: (deps, actor) => authorizeInstall(deps, actor, "backup FILE"),
  async handle({ deps, authorized, reply }) {
    const run = await requestBackup(deps, authorized);
    reply.code(202);
    return { backup: presentBackup(run, deps.clock.now()) };
  },
});

/** Authorizes an owner, and requires that the install has one business. */
async function authorizeInstall(deps: StoreDeps, actor: Actor, command: string) {
  const scope = await authorizeBusiness(deps, actor, "own");
  await requireWholeInstall(deps, formatCommand(command));
  return scope;
}

/** Creates the routes of backups. Backups can't be downloaded or restored here, since each contains the data of every business. */
export function backupRoutes(): AnyRoute[] {
  return [readBackupsRoute, updateScheduleRoute, createBackupRoute];
}
