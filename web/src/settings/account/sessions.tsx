import type { Session } from "@tessera-board/sdk";
import { useState } from "react";
import { tessera } from "../../api/client/client.ts";
import { SESSIONS_KEY } from "../../api/query-keys.ts";
import { useLogOut, useSessions } from "../../api/session.ts";
import { Button } from "../../ui/controls/button.tsx";
import { formatDateTime } from "../../ui/time/format-time.ts";
import { useSettingsMutation } from "../../api/settings.ts";
import { ConfirmAction, type Confirmation } from "../parts/confirm-action.tsx";
import { Badge } from "../parts/badge.tsx";
import { QueryView } from "../parts/query-view.tsx";
import { ListItem, List } from "../parts/list.tsx";
import { formatUserAgent } from "./format-user-agent.ts";
import { RelativeTime } from "../../ui/time/relative-time.tsx";
import { formatCount } from "../../text/plural.ts";

/** The member's sessions; each can be logged out, or all others at once. */
export function Sessions() {
  const sessions = useSessions();
  const logOut = useLogOut();
  const end = useSettingsMutation((ids: readonly string[]) => Promise.all(ids.map((id) => tessera.people.endSession(id))), [SESSIONS_KEY]);
  const [confirmation, setConfirmation] = useState<Confirmation | null>(null);
  const others = sessions.data?.filter(({ isCurrent }) => !isCurrent) ?? [];
  const confirmEndSession = ({ id, agent }: Session) =>
    setConfirmation({
      title: `Log out ${formatUserAgent(agent)}?`,
      text: "That browser must log in again.",
      action: "Log out",
      run: () => end.mutateAsync([id]),
      done: "Session logged out.",
    });
  const confirmEndOtherSessions = () =>
    setConfirmation({
      title: "Log out all other sessions?",
      text: `${formatCount(others.length, "other browser")} must log in again. This browser stays logged in.`,
      action: "Log out",
      run: () => end.mutateAsync(others.map(({ id }) => id)),
      done: "All other sessions are logged out.",
    });
  return (
    <section aria-labelledby="sessions" className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="sessions" className="text-lg font-semibold">
          Active sessions
        </h2>
        {others.length > 0 && (
          <Button size="sm" onClick={confirmEndOtherSessions}>
            Log out other sessions…
          </Button>
        )}
      </div>
      <QueryView query={sessions} label="sessions">
        {(list) => (
          <List label="Active sessions">
            {list.map((session) => (
              <SessionRow
                key={session.id}
                session={session}
                onEnd={() => (session.isCurrent ? logOut.mutate() : confirmEndSession(session))}
              />
            ))}
          </List>
        )}
      </QueryView>
      <ConfirmAction confirmation={confirmation} onClose={() => setConfirmation(null)} />
    </section>
  );
}

function SessionRow({ session, onEnd }: { readonly session: Session; readonly onEnd: () => void }) {
  const { agent, isCurrent, createdAt, lastSeenAt, expiresAt } = session;
  return (
    <ListItem
      title={<span title={agent}>{formatUserAgent(agent)}</span>}
      badges={isCurrent && <Badge tone="good">This browser</Badge>}
      details={
        <>
          <span title={formatDateTime(lastSeenAt)}>
            Last used <RelativeTime at={lastSeenAt} />
          </span>
          <span title={formatDateTime(createdAt)}>
            Logged in <RelativeTime at={createdAt} />
          </span>
          <span title={formatDateTime(expiresAt)}>
            Expires <RelativeTime at={expiresAt} />
          </span>
        </>
      }
      actions={
        <Button
          size="sm"
          variant={isCurrent ? "quiet" : "plain"}
          onClick={onEnd}
          aria-label={isCurrent ? "Log out here" : `Log out ${formatUserAgent(agent)}`}
        >
          Log out
        </Button>
      }
    />
  );
}
