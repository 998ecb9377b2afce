import { useMember } from "../../api/session.ts";
import { Notice } from "../../ui/states/notice.tsx";
import { Panel } from "../../ui/floating/panel.tsx";
import { DownloadIcon } from "../../ui/icons/icons.tsx";
import { useBackups } from "../settings-queries.ts";
import { CodeBlock } from "../parts/code-block.tsx";
import { EmptyList } from "../parts/empty-list.tsx";
import { SectionLayout } from "../parts/section-layout.tsx";
import { QueryView } from "../parts/query-view.tsx";
import { BackupList } from "./backup-list.tsx";
import { ScheduleForm } from "./schedule-form.tsx";

const LEAD = "Copies of everything in this install, made while it goes on working: boards, tiles, files, members and settings.";

/** The backups of the install. Only owners see them. */
export function BackupsSection() {
  const { isOwner } = useMember();
  return (
    <SectionLayout title="Backups" lead={LEAD}>
      {isOwner ? (
        <OwnerBackups />
      ) : (
        <EmptyList icon={<DownloadIcon />} title="Only an owner sees backups">
          They hold everything that is here. Ask an owner to set when they are made; Members lists who that is.
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
                This install holds more than one business, and a backup holds them all. Whoever runs it sets the schedule, with{" "}
                <code>tessera backups set --every day --hour 3</code>.
              </Notice>
            )}
            <ScheduleForm schedule={schedule} isFixed={isShared} />
            <BackupList backups={list} canCreate={!isShared} />
          </>
        )}
      </QueryView>
      <Panel title="What else to keep">
        <div className="flex flex-col gap-3">
          <ul className="list-disc space-y-1 pl-5">
            <li>
              Copy the backup folder to another machine. It is <code>backups</code> in the data folder, or where <code>BACKUP_DIR</code>{" "}
              points: a disk that breaks takes the backups on it along.
            </li>
            <li>
              Keep <code>secret.key</code> of the data folder too (or your <code>SECRET_KEY</code>), apart from the backups. Without it the
              webhook must be set again after a restore.
            </li>
          </ul>
          <p>Backups can’t be downloaded here. To restore one, stop the service and run this where it is installed:</p>
          <CodeBlock label="Restore" text="npm run -s tessera -- restore FILE" wraps />
        </div>
      </Panel>
    </>
  );
}
