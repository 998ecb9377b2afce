import type { ReactNode } from "react";
import { Redirect } from "wouter";
import { getErrorMessage } from "../api/client/client.ts";
import { MemberContext, useCrossTabLogout, useSession } from "../api/session.ts";
import { Button } from "../ui/controls/button.tsx";
import { Loading } from "../ui/states/loading.tsx";
import { AuthCard } from "./auth-card.tsx";
import { getLoginPath } from "./login-redirect.ts";

/** Renders its children for members, and redirects others to the login page with a return path. */
export function RequireLogin({ children }: { readonly children: ReactNode }) {
  const session = useSession();
  useCrossTabLogout();
  if (session.data) return <MemberContext value={session.data.member}>{children}</MemberContext>;
  if (session.data === null) {
    const { pathname, search, hash } = window.location;
    return <Redirect to={getLoginPath(pathname + search + hash)} replace />;
  }
  if (session.error === null) return <Loading label="Opening Tessera" />;
  return (
    <AuthCard title="Tessera is not reachable" lead={getErrorMessage(session.error)}>
      <Button className="mt-5 w-full" onClick={() => void session.refetch()} isBusy={session.isFetching}>
        Try again
      </Button>
    </AuthCard>
  );
}
