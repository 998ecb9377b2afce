import type { Login } from "@tessera-board/sdk";
import { useLocation } from "wouter";
import { useLogOut } from "../api/session.ts";
import { sendCommand } from "../ui/commands.ts";
import { KeyboardIcon, LogOutIcon, ScreenIcon, SettingsIcon, UserIcon } from "../ui/icons/icons.ts";
import { Menu, MenuItem, MenuSeparator, SubMenu } from "../ui/floating/menu.tsx";
import { ThemeItems } from "./theme-menu.tsx";

type AccountMenuProps = {
  readonly login: Login;
  /** False on pages without a board, which have no shortcuts. */
  readonly hasShortcuts: boolean;
};

/** The account menu: settings, theme and log-out. */
export function AccountMenu({ login: { member, business }, hasShortcuts }: AccountMenuProps) {
  const [, goTo] = useLocation();
  const logOut = useLogOut(() => goTo("/login"));
  const trigger = (
    <button
      type="button"
      aria-label={`Account of ${member.email}`}
      className="flex size-9 shrink-0 items-center justify-center rounded-full border border-line bg-accent-soft text-sm font-semibold text-accent uppercase hover:border-edge pointer-coarse:size-11"
    >
      {[...member.email][0]}
    </button>
  );
  return (
    <Menu trigger={trigger}>
      <div className="px-2.5 py-1.5">
        <div className="truncate font-medium">{member.email}</div>
        <div className="truncate text-sm text-quiet">
          <bdi>{business.name}</bdi> · <span className="capitalize">{member.role}</span>
        </div>
      </div>
      <MenuSeparator />
      <MenuItem icon={<SettingsIcon />} onSelect={() => goTo("/settings")}>
        Settings
      </MenuItem>
      <MenuItem icon={<UserIcon />} onSelect={() => goTo("/settings/account")}>
        Password and sessions
      </MenuItem>
      <SubMenu label="Theme" icon={<ScreenIcon />}>
        <ThemeItems />
      </SubMenu>
      {hasShortcuts && (
        <MenuItem icon={<KeyboardIcon />} keys="?" onSelect={() => sendCommand("help")}>
          Keyboard shortcuts
        </MenuItem>
      )}
      <MenuSeparator />
      <MenuItem icon={<LogOutIcon />} onSelect={() => logOut.mutate()}>
        Log out
      </MenuItem>
    </Menu>
  );
}
