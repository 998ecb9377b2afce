import { useMember } from "../../api/session.ts";
import { Notice } from "../../ui/states/notice.tsx";
import { Panel } from "../../ui/floating/panel.tsx";
import { DownloadIcon } from "../../ui/icons/icons.ts";
import { useBackups } from "../../api/settings.ts";
import { CodeBlock } from "../parts/code-block.tsx";
import { EmptyList } from "../parts/empty-list.tsx";
import { SectionLayout } from "../parts/section-layout.tsx";
import { QueryView } from "../parts/query-view.tsx";
import { BackupList } from "./backup-list.tsx";
import { ScheduleForm } from "./schedule-form.tsx";

const LEAD = "Copies of all data of this install: boards, tiles, files, members and settings. The service keeps running during a backup.";

/** The backups of the install. Only owners see them. */
export function BackupsSection() {
  const { isOwner } = useMember();
  return (
    <SectionLayout title="Backups" lead={LEAD}>
      {isOwner ? (
        <OwnerBackups />
      ) : (
        <EmptyList icon={<DownloadIcon />} title="Only owners can see backups">
          A backup contains all data of the install. Ask an owner to set a schedule. Owners are listed under Members.
        </EmptyList>
      )}
    </SectionLayout>
  );
}

function OwnerBackups() {
  const backups = useBackups();
  return (
    <>
      <QueryView query={backups} label="backups">
        {({ schedule, backups: list, isShared }) => (
          <>
            {isShared && (
              <Notice kind="warn">
                This install has several businesses, and a backup contains all of them. The operator sets the schedule with{" "}
                <code>tessera backups set --every day --hour 3</code>.
              </Notice>
            )}
            <ScheduleForm schedule={schedule} isFixed={isShared} />
            <BackupList backups={list} canCreate={!isShared} />
          </>
        )}
      </QueryView>
      <Panel title="Keep backups safe">
        <div className="flex flex-col gap-3">
          <ul className="list-disc space-y-1 pl-5">
            <li>
              Copy the backup folder to another machine. It is <code>backups</code> in the data folder, or where <code>BACKUP_DIR</code>{" "}
              points. A disk failure would destroy the backups on the same disk.
            </li>
            <li>
              Keep <code>secret.key</code> of the data folder too (or your <code>SECRET_KEY</code>), separately from the backups. Without
              it, you have to rotate the secret of the webhook after a restore.
            </li>
          </ul>
          <p>Backups cannot be downloaded here. To restore one, stop the service and run this command on its machine:</p>
          <CodeBlock label="Restore" text="npm run -s tessera -- restore FILE" wraps />
        </div>
      </Panel>
    </>
  );
}
