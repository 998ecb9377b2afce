import type { ReactNode } from "react";
import { Redirect } from "wouter";
import { sentenceOf } from "../api/client/client.ts";
import { useEndElsewhere, useSession } from "../api/session.ts";
import { Button } from "../ui/controls/button.tsx";
import { Loading } from "../ui/states/loading.tsx";
import { EntranceCard } from "./entrance-card.tsx";
import { loginFor } from "./next.ts";

/** Shows its children to whoever is logged in, and the log-in to everybody else, with a way back. */
export function Gate({ children }: { readonly children: ReactNode }) {
  const session = useSession();
  useEndElsewhere();
  if (session.data) return children;
  if (session.data === null) {
    const { pathname, search, hash } = window.location;
    return <Redirect to={loginFor(pathname + search + hash)} replace />;
  }
  if (session.error === null) return <Loading label="Opening Tessera" />;
  return (
    <EntranceCard title="Tessera can't be opened" lead={sentenceOf(session.error)}>
      <Button className="mt-5 w-full" onClick={() => void session.refetch()} isBusy={session.isFetching}>
        Try again
      </Button>
    </EntranceCard>
  );
}
