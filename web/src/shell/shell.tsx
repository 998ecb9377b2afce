import { type MouseEvent, type ReactNode, useEffect } from "react";
import { useLocation } from "wouter";
import { useBoards } from "../api/boards.ts";
import { useSession } from "../api/session.ts";
import { useTitle } from "../ui/hooks/use-title.ts";
import { saveLastBoard } from "./last-board.ts";
import { OperatorNotice } from "../ui/states/operator-notice.tsx";
import { TopBar } from "./top-bar.tsx";

/** The top bar, and below it a page with its own scrolling. */
export function Shell({ boardId, children }: { readonly boardId?: string; readonly children: ReactNode }) {
  const { data: boards } = useBoards();
  const { data: session } = useSession();
  const board = boards?.find(({ id }) => id === boardId);
  const onClick = useClientNavigation();
  useTitle(boardId === undefined ? undefined : board?.name);
  useEffect(() => {
    if (board !== undefined) saveLastBoard(board.id);
  }, [board]);
  if (!session) return null;
  return (
    <div className="flex h-[calc(100dvh-var(--banners-height,0px))] flex-col overflow-hidden bg-canvas" onClick={onClick}>
      <a
        href="#main"
        className="sr-only rounded-md bg-accent px-3 py-2 text-accent-ink focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-60"
      >
        Skip to content
      </a>
      <TopBar board={board} boards={boards ?? []} login={session} />
      <OperatorNotice notice={session.operatorNotice} />
      <div id="main" tabIndex={-1} className="relative min-h-0 flex-1 overflow-y-auto outline-none">
        {children}
      </div>
    </div>
  );
}

/** Handles clicks on internal links without a page load. Modified clicks, new windows and downloads are left to the browser. */
function useClientNavigation(): (event: MouseEvent) => void {
  const [, goTo] = useLocation();
  return (event) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (link === null || !isPlain || event.defaultPrevented || link.target !== "" || link.hasAttribute("download")) return;
    const { origin, pathname, search, hash } = new URL(link.href, window.location.href);
    const isHere = pathname === window.location.pathname && search === window.location.search && hash !== "";
    if (origin !== window.location.origin || isHere || /^\/(api|assets|docs|openapi)\b/.test(pathname)) return;
    event.preventDefault();
    goTo(pathname + search + hash);
  };
}
