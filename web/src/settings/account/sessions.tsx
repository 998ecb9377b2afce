import type { Session } from "@tessera/sdk";
import { useState } from "react";
import { tessera } from "../../api/client/client.ts";
import { SESSIONS } from "../../api/keys.ts";
import { useLogOut, useSessions } from "../../api/session.ts";
import { Button } from "../../ui/controls/button.tsx";
import { dateTimeOf } from "../../ui/time/times.ts";
import { useChange } from "../data.ts";
import { AskFirst, type Question } from "../parts/ask-first.tsx";
import { Badge } from "../parts/badge.tsx";
import { Loaded } from "../parts/loaded.tsx";
import { Row, Rows } from "../parts/rows.tsx";
import { agentWords } from "./agent-words.ts";
import { Ago } from "../../ui/time/ago.tsx";
import { counted } from "../../text/counted.ts";

/** The browsers where one is logged in; each can be logged out, or all the others at once. */
export function Sessions() {
  const sessions = useSessions();
  const logOut = useLogOut();
  const end = useChange((ids: readonly string[]) => Promise.all(ids.map((id) => tessera.people.endSession(id))), [SESSIONS]);
  const [question, setQuestion] = useState<Question | null>(null);
  const others = sessions.data?.filter(({ isCurrent }) => !isCurrent) ?? [];
  const askToEnd = ({ id, agent }: Session) =>
    setQuestion({
      title: `Log out ${agentWords(agent)}?`,
      text: "It has to log in again with the password.",
      action: "Log out",
      run: () => end.mutateAsync([id]),
      done: "That browser is logged out.",
    });
  const askToEndOthers = () =>
    setQuestion({
      title: "Log out everywhere else?",
      text: `${counted(others.length, "other browser has", "other browsers have")} to log in again. This one stays logged in.`,
      action: "Log out",
      run: () => end.mutateAsync(others.map(({ id }) => id)),
      done: "All other browsers are logged out.",
    });
  return (
    <section aria-labelledby="sessions" className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="sessions" className="text-lg font-semibold">
          Where you are logged in
        </h2>
        {others.length > 0 && (
          <Button size="sm" onClick={askToEndOthers}>
            Log out everywhere else …
          </Button>
        )}
      </div>
      <Loaded query={sessions} label="sessions">
        {(list) => (
          <Rows label="Where you are logged in">
            {list.map((session) => (
              <SessionRow key={session.id} session={session} onEnd={() => (session.isCurrent ? logOut.mutate() : askToEnd(session))} />
            ))}
          </Rows>
        )}
      </Loaded>
      <AskFirst question={question} onClose={() => setQuestion(null)} />
    </section>
  );
}

function SessionRow({ session, onEnd }: { readonly session: Session; readonly onEnd: () => void }) {
  const { agent, isCurrent, createdAt, lastSeenAt, expiresAt } = session;
  return (
    <Row
      title={<span title={agent}>{agentWords(agent)}</span>}
      badges={isCurrent && <Badge tone="good">This browser</Badge>}
      details={
        <>
          <span title={dateTimeOf(lastSeenAt)}>
            Used <Ago at={lastSeenAt} />
          </span>
          <span title={dateTimeOf(createdAt)}>
            Logged in <Ago at={createdAt} />
          </span>
          <span title={dateTimeOf(expiresAt)}>
            Ends <Ago at={expiresAt} />
          </span>
        </>
      }
      actions={
        <Button
          size="sm"
          variant={isCurrent ? "quiet" : "plain"}
          onClick={onEnd}
          aria-label={isCurrent ? "Log out here" : `Log out ${agentWords(agent)}`}
        >
          Log out
        </Button>
      }
    />
  );
}
