import { Redirect, Route, Switch } from "wouter";
import { BoardRoute } from "./lazy-board-route.ts";
import { RequireLogin } from "../auth/require-login.tsx";
import { lazyView } from "../ui/lazy/lazy-view.tsx";
import { defineLazyModule } from "../ui/lazy/lazy-module.ts";
import { HomePage } from "../shell/home-page.tsx";
import { NotFoundPage } from "../shell/not-found-page.tsx";
import { Shell } from "../shell/shell.tsx";

const page = (name: string) => ({ name, placement: "page" }) as const;
const SetupPage = lazyView(
  defineLazyModule("src/auth/setup-page.tsx", async () => (await import("../auth/setup-page.tsx")).SetupPage, "never"),
  page("The page"),
);
const JoinPage = lazyView(
  defineLazyModule("src/auth/join-page.tsx", async () => (await import("../auth/join-page.tsx")).JoinPage, "never"),
  page("The page"),
);
const LoginPage = lazyView(
  defineLazyModule("src/auth/login-page.tsx", async () => (await import("../auth/login-page.tsx")).LoginPage, "late"),
  page("The login page"),
);
const SettingsPage = lazyView(
  defineLazyModule("src/settings/settings-page.tsx", async () => (await import("../settings/settings-page.tsx")).SettingsPage, "late"),
  page("The settings page"),
);

/** Routes. */
export function Pages() {
  return (
    <Switch>
      <Route path="/login">
        <LoginPage />
      </Route>
      <Route path="/claim">
        <SetupPage />
      </Route>
      <Route path="/join">
        <JoinPage />
      </Route>
      <Route>
        <RequireLogin>
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
        </RequireLogin>
      </Route>
    </Switch>
  );
}
