import type { AuditEntry } from "@tessera-board/sdk";
import { useInvitations, useMembers } from "../../api/people.ts";
import { ListIcon } from "../../ui/icons/icons.ts";
import { formatDateTime } from "../../ui/time/format-time.ts";
import { useAudit, useAllBoards, useApiKeys } from "../../api/settings.ts";
import { EmptyList } from "../parts/empty-list.tsx";
import { SectionLayout } from "../parts/section-layout.tsx";
import { QueryView } from "../parts/query-view.tsx";
import { LoadMoreButton } from "../parts/load-more-button.tsx";
import { formatAuditAction } from "./format-audit.ts";
import { RelativeTime } from "../../ui/time/relative-time.tsx";

/** The audit log: who changed which setting, and when. */
export function AuditSection() {
  const audit = useAudit();
  const getName = useNames();
  return (
    <SectionLayout title="Audit log" lead="Changes to settings by members, by API keys, and by the operator on the command line.">
      <QueryView query={audit} label="the audit log">
        {({ pages }) => {
          const entries = pages.flatMap((page) => page.entries);
          if (entries.length === 0) return <EmptyList icon={<ListIcon />} title="No changes yet" />;
          return (
            <>
              <ol aria-label="Changes, newest first" className="divide-y divide-line rounded-lg border border-line bg-raised">
                {entries.map((entry, index) => (
                  // The index distinguishes two changes of one setting in the same millisecond, and the list only grows.
                  <Entry
                    key={`${entry.at} ${entry.subject} ${entry.action} ${entries.length - index}`}
                    entry={entry}
                    name={getName(entry)}
                  />
                ))}
              </ol>
              <LoadMoreButton query={audit} label="older entries" />
            </>
          );
        }}
      </QueryView>
    </SectionLayout>
  );
}

function Entry({ entry, name }: { readonly entry: AuditEntry; readonly name: string | undefined }) {
  const { actor, action, subject, at } = entry;
  return (
    <li className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-0.5 px-4 py-2.5">
      <p className="min-w-0 break-words">
        <span className="font-medium">
          {actor.kind === "operator" ? "The operator" : actor.kind === "key" ? `The key “${actor.name}”` : actor.name}
        </span>{" "}
        {formatAuditAction(action, subject, name)}
      </p>
      <time dateTime={at} title={formatDateTime(at)} className="text-sm text-quiet">
        <RelativeTime at={at} />
      </time>
    </li>
  );
}

/** Returns the current name of an entry's subject, if it still exists. */
function useNames(): (entry: AuditEntry) => string | undefined {
  const boards = useAllBoards().data ?? [];
  const keys = useApiKeys().data ?? [];
  const members = useMembers().data ?? [];
  const invitations = useInvitations().data ?? [];
  const names = new Map([
    ...[...boards, ...keys].map(({ id, name }) => [id, name] as const),
    ...[...members, ...invitations].map(({ id, email }) => [id, email] as const),
  ]);
  return ({ subject }) => names.get(subject);
}
