import type { Backup } from "@tessera-board/sdk";
import { getErrorMessage } from "../../api/client/client.ts";
import { Button } from "../../ui/controls/button.tsx";
import { DownloadIcon } from "../../ui/icons/icons.ts";
import { Notice } from "../../ui/states/notice.tsx";
import { formatRelativeTime, formatDateTime } from "../../ui/time/format-time.ts";
import { showToast } from "../../ui/toasts.ts";
import { useCreateBackup } from "../../api/settings.ts";
import { Badge, type BadgeTone } from "../parts/badge.tsx";
import { EmptyList } from "../parts/empty-list.tsx";
import { ListItem, List } from "../parts/list.tsx";
import { formatBytes, formatBackupDuration } from "./format.ts";

/** The backups, newest first. */
export function BackupList({ backups, canCreate }: { readonly backups: readonly Backup[]; readonly canCreate: boolean }) {
  const create = useCreateBackup();
  const isRunning = backups[0]?.status === "running";
  // Node names matter only if several nodes made backups.
  const hasNodes = new Set(backups.map(({ node }) => node).filter((node) => node !== null)).size > 1;
  const start = () => create.mutate(undefined, { onError: (error) => showToast({ text: getErrorMessage(error), kind: "problem" }) });
  return (
    <section aria-labelledby="backups" className="flex flex-col gap-2">
      <div className="flex min-h-9 items-center justify-between gap-3">
        <h2 id="backups" className="text-lg font-semibold">
          Backup history
        </h2>
        {canCreate && (
          <Button isBusy={create.isPending || isRunning} onClick={start}>
            {create.isPending || isRunning ? "Backing up…" : "Back up now"}
          </Button>
        )}
      </div>
      <p role="status" className="sr-only">
        {backups[0] !== undefined && `The newest backup: ${getStatusName(backups[0].status)}.`}
      </p>
      {backups.length === 0 ? (
        <EmptyList icon={<DownloadIcon />} title="No backups yet">
          {canCreate
            ? "Choose a schedule above, or back up now. Each backup appears here with its size and result."
            : "The operator creates backups of this install."}
        </EmptyList>
      ) : (
        <List label="Backup history">
          {backups.map((backup) => (
            <BackupRow key={backup.id} backup={backup} namesNode={hasNodes} />
          ))}
        </List>
      )}
    </section>
  );
}

const STATES: Readonly<Record<string, readonly [BadgeTone, string]>> = {
  running: ["accent", "In progress"],
  done: ["good", "Complete"],
  failed: ["danger", "Failed"],
  removed: ["plain", "Removed"],
};

const getStatusName = (status: string): string => STATES[status]?.[1] ?? status;

function BackupRow({ backup, namesNode }: { readonly backup: Backup; readonly namesNode: boolean }) {
  const { file, node, bytes, status, error, startedAt } = backup;
  const tone = STATES[status]?.[0] ?? "plain";
  const took = status === "done" ? formatBackupDuration(backup) : null;
  return (
    <ListItem
      title={
        <time dateTime={startedAt} title={formatRelativeTime(startedAt)}>
          {formatDateTime(startedAt)}
        </time>
      }
      badges={<Badge tone={tone}>{getStatusName(status)}</Badge>}
      details={
        <>
          {bytes !== null && <span>{formatBytes(bytes)}</span>}
          {took !== null && <span>Took {took}</span>}
          {namesNode && node !== null && <span>On {node}</span>}
          {status !== "failed" && <code className="wrap-anywhere">{file}</code>}
        </>
      }
    >
      {error !== null && <Notice kind="warn">{error} Earlier backups are not affected.</Notice>}
    </ListItem>
  );
}
