import type { AuditEntry } from "@tessera/sdk";
import { useInvitations, useMembers } from "../../api/people.ts";
import { ListIcon } from "../../ui/marks/icons.tsx";
import { dateTimeOf } from "../../ui/time/times.ts";
import { useAudit, useEveryBoard, useKeys } from "../data.ts";
import { Empty } from "../parts/empty.tsx";
import { Frame } from "../parts/frame.tsx";
import { Loaded } from "../parts/loaded.tsx";
import { More } from "../parts/more.tsx";
import { auditWords } from "./audit-words.ts";
import { Ago } from "../../ui/time/ago.tsx";

/** Who changed which setting, and when, in words. */
export function AuditSection() {
  const audit = useAudit();
  const nameOf = useNames();
  return (
    <Frame title="Audit log" lead="Every change of settings: by members, by the operator at the command line, and by keys.">
      <Loaded query={audit} label="the audit log">
        {({ pages }) => {
          const entries = pages.flatMap((page) => page.entries);
          if (entries.length === 0) return <Empty icon={<ListIcon />} title="Nothing was changed yet" />;
          return (
            <>
              <ol aria-label="Changes, the newest first" className="divide-y divide-line rounded-lg border border-line bg-raised">
                {entries.map((entry, index) => (
                  // Nothing else tells two changes of one thing in one millisecond apart, and the list only grows.
                  <Entry
                    key={`${entry.at} ${entry.subject} ${entry.action} ${entries.length - index}`}
                    entry={entry}
                    name={nameOf(entry)}
                  />
                ))}
              </ol>
              <More query={audit} label="older entries" />
            </>
          );
        }}
      </Loaded>
    </Frame>
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
        {auditWords(action, subject, name)}
      </p>
      <time dateTime={at} title={dateTimeOf(at)} className="text-sm text-quiet">
        <Ago at={at} />
      </time>
    </li>
  );
}

/** What things are called now, for what is still there. */
function useNames(): (entry: AuditEntry) => string | undefined {
  const boards = useEveryBoard().data ?? [];
  const keys = useKeys().data ?? [];
  const members = useMembers().data ?? [];
  const invitations = useInvitations().data ?? [];
  const names = new Map([
    ...[...boards, ...keys].map(({ id, name }) => [id, name] as const),
    ...[...members, ...invitations].map(({ id, email }) => [id, email] as const),
  ]);
  return ({ subject }) => names.get(subject);
}
