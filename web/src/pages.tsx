import { Redirect, Route, Switch } from "wouter";
import { BoardRoute } from "./board-part.ts";
import { Gate } from "./entrance/gate.tsx";
import { lazyView } from "./lazy/lazy-view.tsx";
import { definePart } from "./lazy/part.ts";
import { HomePage } from "./shell/home-page.tsx";
import { NotFoundPage } from "./shell/not-found-page.tsx";
import { Shell } from "./shell/shell.tsx";

const page = (name: string) => ({ name, place: "page" }) as const;
const ClaimPage = lazyView(
  definePart("src/entrance/claim-page.tsx", async () => (await import("./entrance/claim-page.tsx")).ClaimPage, "never"),
  page("The page"),
);
const JoinPage = lazyView(
  definePart("src/entrance/join-page.tsx", async () => (await import("./entrance/join-page.tsx")).JoinPage, "never"),
  page("The page"),
);
const LoginPage = lazyView(
  definePart("src/entrance/login-page.tsx", async () => (await import("./entrance/login-page.tsx")).LoginPage, "late"),
  page("The log-in"),
);
const SettingsPage = lazyView(
  definePart("src/settings/settings-page.tsx", async () => (await import("./settings/settings-page.tsx")).SettingsPage, "late"),
  page("The settings page"),
);

/** Which page an address shows. */
export function Pages() {
  return (
    <Switch>
      <Route path="/login">
        <LoginPage />
      </Route>
      <Route path="/claim">
        <ClaimPage />
      </Route>
      <Route path="/join">
        <JoinPage />
      </Route>
      <Route>
        <Gate>
          <Switch>
            <Route path="/" component={HomePage} />
            <Route path="/b/:boardId">
              {({ boardId }) => (
                <Shell boardId={boardId}>
                  <BoardRoute key={boardId} boardId={boardId} />
                </Shell>
              )}
            </Route>
            <Route path="/settings/*?">
              <Shell>
                <SettingsPage />
              </Shell>
            </Route>
            <Route path="/index.html">
              <Redirect to="/" replace />
            </Route>
            <Route component={NotFoundPage} />
          </Switch>
        </Gate>
      </Route>
    </Switch>
  );
}
