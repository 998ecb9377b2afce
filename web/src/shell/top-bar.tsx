import type { Board, Login } from "@tessera-board/sdk";
import { IconButton } from "../ui/controls/icon-button.tsx";
import { ChatIcon, SearchIcon } from "../ui/icons/icons.ts";
import { Kbd } from "../ui/icons/kbd.tsx";
import { Logo } from "../ui/icons/logo.tsx";
import { sendCommand } from "../ui/commands.ts";
import { AccountMenu } from "./account-menu.tsx";
import { BoardSwitcher } from "./board-switcher.tsx";
import { ThemeMenu } from "./theme-menu.tsx";

export type TopBarProps = {
  /** Undefined on pages without a board. */
  readonly board: Board | undefined;
  readonly boards: readonly Board[];
  readonly login: Login;
};

export function TopBar({ board, boards, login }: TopBarProps) {
  const isMember = login.member.role === "member";
  return (
    <header className="flex h-13 shrink-0 items-center gap-1.5 border-b border-line bg-surface px-2 sm:gap-2 sm:px-3">
      <a
        href="/"
        aria-label={`${login.business.name} home`}
        className="flex shrink-0 items-center gap-2 rounded-md p-1.5 pointer-coarse:min-h-11"
      >
        <Logo />
        <span dir="auto" className="max-w-40 truncate font-semibold max-md:hidden">
          {login.business.name}
        </span>
      </a>
      <span aria-hidden="true" className="h-5 w-px bg-line max-md:hidden" />
      <BoardSwitcher board={board} boards={boards} canCreate={!isMember} />
      <div className="min-w-0 flex-1" />
      {board !== undefined && (
        <>
          <button
            type="button"
            onClick={() => sendCommand("palette")}
            className="flex h-9 w-64 items-center gap-2 rounded-md border border-edge bg-raised px-3 text-quiet transition-colors hover:text-ink max-lg:w-44 max-sm:hidden pointer-coarse:h-11"
          >
            <SearchIcon />
            <span className="flex-1 truncate text-left">Search</span>
            <Kbd keys="Mod+K" />
          </button>
          <IconButton label="Search" className="sm:hidden" onClick={() => sendCommand("palette")}>
            <SearchIcon />
          </IconButton>
          <button
            type="button"
            onClick={() => sendCommand("ask")}
            className="flex h-9 items-center gap-2 rounded-md bg-accent px-3 font-medium text-accent-ink transition-colors hover:bg-accent-strong pointer-coarse:h-11"
          >
            <ChatIcon />
            Ask
          </button>
        </>
      )}
      <ThemeMenu className="max-sm:hidden" />
      <AccountMenu login={login} hasShortcuts={board !== undefined} />
    </header>
  );
}
