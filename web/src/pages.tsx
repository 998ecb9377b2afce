import { lazy, Suspense } from "react";
import { Redirect, Route, Switch } from "wouter";
import { BoardWhenLoaded } from "./board-loader.tsx";
import { Gate } from "./entrance/gate.tsx";
import { HomePage } from "./shell/home-page.tsx";
import { LostPage } from "./shell/lost-page.tsx";
import { Shell } from "./shell/shell.tsx";
import { Loading } from "./ui/states/loading.tsx";

const ClaimPage = lazy(() => import("./entrance/claim-page.tsx").then((room) => ({ default: room.ClaimPage })));
const JoinPage = lazy(() => import("./entrance/join-page.tsx").then((room) => ({ default: room.JoinPage })));
const LoginPage = lazy(() => import("./entrance/login-page.tsx").then((room) => ({ default: room.LoginPage })));
const SettingsPage = lazy(() => import("./settings/settings-page.tsx").then((room) => ({ default: room.SettingsPage })));

/** Which page an address shows. */
export function Pages() {
  return (
    <Suspense fallback={<Loading />}>
      <Switch>
        <Route path="/login" component={LoginPage} />
        <Route path="/claim" component={ClaimPage} />
        <Route path="/join" component={JoinPage} />
        <Route>
          <Gate>
            <Switch>
              <Route path="/" component={HomePage} />
              <Route path="/b/:boardId">
                {({ boardId }) => (
                  <Shell boardId={boardId}>
                    <BoardWhenLoaded key={boardId} boardId={boardId} />
                  </Shell>
                )}
              </Route>
              <Route path="/settings/*?">
                <Shell>
                  <Suspense fallback={<Loading label="Loading the settings" />}>
                    <SettingsPage />
                  </Suspense>
                </Shell>
              </Route>
              <Route path="/index.html">
                <Redirect to="/" replace />
              </Route>
              <Route component={LostPage} />
            </Switch>
          </Gate>
        </Route>
      </Switch>
    </Suspense>
  );
}
