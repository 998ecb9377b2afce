import { useSyncExternalStore } from "react";

export type Theme = "system" | "light" | "dark";

const NAME = "tessera-theme";
const listeners = new Set<() => void>();

/** What the reader chose in this browser; `system` follows the machine. */
export function chosenTheme(): Theme {
  const kept = readKept();
  return kept === "light" || kept === "dark" ? kept : "system";
}

export function applyTheme(theme: Theme): void {
  const { dataset } = document.documentElement;
  if (theme === "system") delete dataset["theme"];
  else dataset["theme"] = theme;
}

export function chooseTheme(theme: Theme): void {
  try {
    if (theme === "system") localStorage.removeItem(NAME);
    else localStorage.setItem(NAME, theme);
  } catch {
    // A browser that keeps nothing shows the choice until it is closed.
  }
  applyTheme(theme);
  for (const listener of listeners) listener();
}

export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, () => {
    const { theme } = document.documentElement.dataset;
    return theme === "light" || theme === "dark" ? theme : "system";
  });
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function readKept(): string | null {
  try {
    return localStorage.getItem(NAME);
  } catch {
    return null;
  }
}
