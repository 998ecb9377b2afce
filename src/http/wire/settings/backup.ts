import { Type } from "typebox";
import { BACKUP_INTERVALS, type BackupRun, type BackupSchedule, MAX_BACKUPS, getBackupStatus } from "#domain/settings/backup.ts";
import { isoTime } from "#domain/core/system.ts";
import { type Output, choice, entity, isoOrNull, object, orNull, time, timeOrNull } from "../schema.ts";
import { EXAMPLE } from "../example.ts";

const scheduleFields = {
  every: choice(BACKUP_INTERVALS, { title: "BackupInterval" }),
  hour: Type.Integer({ description: "The hour of the day, UTC." }),
  keep: Type.Integer({ description: "How many backups are kept." }),
  nextAt: timeOrNull,
};
const SCHEDULE = entity("BackupSchedule", scheduleFields, { examples: [{ every: "day", hour: 3, keep: 7, nextAt: EXAMPLE.later }] });

const backupFields = {
  id: Type.String(),
  file: Type.String({ description: "The file name in the backup folder of the node." }),
  node: orNull("string", { description: "The machine that makes the backup. null until one has started." }),
  bytes: orNull("integer"),
  status: choice(["running", "done", "failed", "removed"], {
    title: "BackupStatus",
    description: "removed: the file was deleted, by rotation or manually.",
  }),
  error: orNull("string"),
  startedAt: time,
  endedAt: timeOrNull,
};
const BACKUP = entity("Backup", backupFields, {
  examples: [
    {
      id: EXAMPLE.backupId,
      file: "tessera-2026-11-02.backup",
      node: "node-1",
      bytes: 1_482_752,
      status: "done",
      error: null,
      startedAt: EXAMPLE.created,
      endedAt: EXAMPLE.created,
    },
    {
      id: EXAMPLE.backupId,
      file: "tessera-2026-11-02.backup",
      node: null,
      bytes: null,
      status: "running",
      error: null,
      startedAt: EXAMPLE.created,
      endedAt: null,
    },
  ],
});

export const BACKUP_RESPONSES = {
  schedule: object({ schedule: SCHEDULE }),
  backup: object({ backup: BACKUP }),
  backups: entity("Backups", {
    schedule: SCHEDULE,
    backups: Type.Array(BACKUP),
    isShared: Type.Boolean({ description: "true if the install has several businesses; then only the operator manages backups." }),
  }),
};

export const presentSchedule = ({ every, hour, keep, nextAt }: BackupSchedule): Output<typeof SCHEDULE> => ({
  every,
  hour,
  keep,
  nextAt: isoOrNull(nextAt),
});

export const presentBackup = (run: BackupRun, now: number): Output<typeof BACKUP> => ({
  id: run.id,
  file: run.file,
  node: run.node === "" ? null : run.node,
  bytes: run.bytes,
  ...getBackupStatus(run, now),
  startedAt: isoTime(run.startedAt),
  endedAt: isoOrNull(run.endedAt),
});

export const BACKUP_INPUT = Type.Object(
  {
    every: Type.Optional(choice(BACKUP_INTERVALS, { title: "BackupInterval", description: "How often backups are made." })),
    hour: Type.Optional(Type.Integer({ minimum: 0, maximum: 23, description: "The hour of the day, UTC." })),
    keep: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_BACKUPS, description: "How many backups to keep." })),
  },
  { examples: [{ every: "day", hour: 3, keep: 7 }] },
);
