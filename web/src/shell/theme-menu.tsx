import { IconButton } from "../ui/controls/icon-button.tsx";
import { MoonIcon, ScreenIcon, SunIcon } from "../ui/icons/icons.ts";
import { Menu, MenuItem } from "../ui/floating/menu.tsx";
import { setTheme, type ThemeChoice, useTheme } from "../ui/theme/theme.ts";

export const THEMES: readonly { readonly theme: ThemeChoice; readonly name: string; readonly Icon: typeof SunIcon }[] = [
  { theme: "light", name: "Light", Icon: SunIcon },
  { theme: "dark", name: "Dark", Icon: MoonIcon },
  { theme: "system", name: "System", Icon: ScreenIcon },
];

/** Chooses the light or dark theme, or the system's. */
export function ThemeMenu({ className }: { readonly className?: string }) {
  const chosen = useTheme();
  const { Icon } = THEMES.find(({ theme }) => theme === chosen) ?? { Icon: ScreenIcon };
  return (
    <Menu
      trigger={
        <IconButton label="Theme" className={className}>
          <Icon />
        </IconButton>
      }
    >
      <ThemeItems />
    </Menu>
  );
}

export function ThemeItems() {
  const chosen = useTheme();
  return THEMES.map(({ theme, name, Icon }) => (
    <MenuItem key={theme} icon={<Icon />} isChosen={theme === chosen} onSelect={() => setTheme(theme)}>
      {name}
    </MenuItem>
  ));
}
