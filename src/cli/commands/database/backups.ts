import {
  BACKUP_INTERVALS,
  type BackupPatch,
  type BackupRun,
  type BackupSchedule,
  MAX_BACKUPS,
  getBackupStatus,
} from "#domain/settings/backup.ts";
import { isoTime } from "#domain/core/system.ts";
import { authorizeBusiness } from "#service/access.ts";
import { changeBackups, readBackups } from "#service/settings/backups.ts";
import { formatCommand } from "#runtime/process/program-name.ts";
import { type Command, type Invocation, UsageError, print } from "../../command.ts";
import { numberOption, textOption } from "../../options.ts";
import { withData } from "../../with-data.ts";

const DAY_HOURS = 24;

const presentSchedule = ({ every, hour, keep, nextAt }: BackupSchedule) => ({
  every,
  hour,
  keep,
  nextAt: nextAt === null ? null : isoTime(nextAt),
});

const presentRun = (run: BackupRun, now: number) => ({
  id: run.id,
  file: run.file,
  node: run.node === "" ? null : run.node,
  bytes: run.bytes,
  ...getBackupStatus(run, now),
  startedAt: isoTime(run.startedAt),
  endedAt: run.endedAt === null ? null : isoTime(run.endedAt),
});

const describeSchedule = ({ every, hour, keep, nextAt }: BackupSchedule): string =>
  every === "off" || nextAt === null
    ? `No backups are scheduled. Set it with: ${formatCommand("backups set --every day --hour 3 --keep 14")}`
    : `Every ${every} at ${String(hour).padStart(2, "0")}:00 UTC, the newest ${keep} are kept; next ${isoTime(nextAt)}.`;

function describeRun(run: BackupRun, now: number): string {
  const { status, error } = getBackupStatus(run, now);
  const size = run.bytes === null ? "" : `  ${run.bytes} bytes`;
  return `${isoTime(run.startedAt)}  ${run.file}  ${run.node === "" ? "-" : run.node}  ${status}${size}${error === null ? "" : `  ${error}`}`;
}

function readPatch(invocation: Invocation): BackupPatch {
  const text = textOption(invocation, "every");
  const every = BACKUP_INTERVALS.find((interval) => interval === text);
  if (text !== undefined && every === undefined) throw new UsageError(`--every takes ${BACKUP_INTERVALS.join(", ")}.`);
  const hour = numberOption(invocation, "hour", 0, DAY_HOURS - 1);
  const keep = numberOption(invocation, "keep", 1, MAX_BACKUPS);
  if (every === undefined && hour === undefined && keep === undefined)
    throw new UsageError("Say what to change: --every off, day or week, --hour (UTC), --keep.");
  return {
    ...(every === undefined ? {} : { every }),
    ...(hour === undefined ? {} : { hour }),
    ...(keep === undefined ? {} : { keep }),
  };
}

export const BACKUPS_COMMANDS: readonly Command[] = [
  {
    name: "backups set",
    options: {
      every: { value: "INTERVAL", meaning: "off, day or week.", choices: BACKUP_INTERVALS },
      hour: { value: "HOUR", meaning: "The hour of the day in UTC, from 0 to 23." },
      keep: { value: "COUNT", meaning: `How many backups to keep, from 1 to ${MAX_BACKUPS}.` },
    },
    summary: "Sets when a running server makes backups.",
    details: "What is left out stays as it is. Backups are written to BACKUP_DIR.",
    examples: ["backups set --every day --hour 3 --keep 14", "backups set --every off"],
    installation: "required",
    async run(invocation) {
      const patch = readPatch(invocation);
      await withData(invocation, async ({ deps, actor }) => {
        const schedule = await changeBackups(deps, await authorizeBusiness(deps, actor, "own"), patch);
        print(invocation, { schedule: presentSchedule(schedule) }, describeSchedule(schedule));
      });
    },
  },
  {
    name: "backups",
    summary: "Shows the schedule of backups, and the last ones.",
    examples: ["backups", "backups --json"],
    installation: "required",
    run: (invocation) =>
      withData(invocation, async ({ deps }) => {
        const { schedule, runs } = await readBackups(deps);
        const now = deps.clock.now();
        print(invocation, { schedule: presentSchedule(schedule), backups: runs.map((run) => presentRun(run, now)) }, [
          describeSchedule(schedule),
          ...runs.map((run) => describeRun(run, now)),
        ]);
      }),
  },
];
