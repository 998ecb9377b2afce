import type { SearchResult } from "@tessera-board/sdk";
import { type PageCommand, sendCommand } from "../ui/commands.ts";
import { matchesName } from "./names.ts";
import { setTheme, type ThemeChoice } from "../ui/theme/theme.ts";

/** An entry of the palette. */
export type PaletteItem = {
  readonly id: string;
  readonly section: "Tiles" | "Boards" | "Actions";
  readonly name: string;
  readonly keys?: string;
  /** The search result of a tile. */
  readonly result?: SearchResult;
  readonly run: () => void;
};

/** Commands of the board; `keywords` are additional search terms. */
const ACTIONS: readonly { readonly name: string; readonly keywords: string; readonly command: PageCommand; readonly keys: string }[] = [
  { name: "New tile", keywords: "add link text paste create", command: "new-tile", keys: "n" },
  { name: "New zone", keywords: "add column create", command: "new-zone", keys: "z" },
  { name: "Ask this board", keywords: "question chat answer generate write idea", command: "ask", keys: "a" },
  { name: "Undo", keywords: "revert back history", command: "undo", keys: "Mod+Z" },
  { name: "Redo", keywords: "repeat again history", command: "redo", keys: "Mod+Shift+Z" },
  { name: "Keyboard shortcuts", keywords: "help keys", command: "help", keys: "?" },
];

const THEMES: readonly { readonly name: string; readonly theme: ThemeChoice }[] = [
  { name: "Theme: light", theme: "light" },
  { name: "Theme: dark", theme: "dark" },
  { name: "Theme: system", theme: "system" },
];

const PAGES: readonly { readonly name: string; readonly keywords: string; readonly path: string }[] = [
  { name: "Settings", keywords: "preferences account keys webhook members", path: "/settings" },
];

/** The actions whose names or search terms match the query. */
export function findActions(query: string, goTo: (path: string) => void): readonly PaletteItem[] {
  const all = [
    ...ACTIONS.map(({ command, ...rest }) => ({ ...rest, id: command, run: () => sendCommand(command) })),
    ...PAGES.map(({ path, ...rest }) => ({ ...rest, id: path, run: () => goTo(path) })),
    ...THEMES.map(({ name, theme }) => ({
      name,
      keywords: "appearance dark light mode",
      id: `theme-${theme}`,
      run: () => setTheme(theme),
    })),
  ];
  return all.flatMap(({ keywords, ...item }) =>
    matchesName(`${item.name} ${keywords}`, query) ? [{ ...item, section: "Actions" as const }] : [],
  );
}
