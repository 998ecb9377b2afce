import { useSyncExternalStore } from "react";

export type ThemeChoice = "system" | "light" | "dark";

const STORAGE_KEY = "tessera-theme";
const listeners = new Set<() => void>();

/** The theme chosen in this browser; `system` follows the operating system. */
export function getStoredTheme(): ThemeChoice {
  const stored = readStorage();
  return stored === "light" || stored === "dark" ? stored : "system";
}

export function applyTheme(theme: ThemeChoice): void {
  const { dataset } = document.documentElement;
  if (theme === "system") delete dataset["theme"];
  else dataset["theme"] = theme;
}

export function setTheme(theme: ThemeChoice): void {
  try {
    if (theme === "system") localStorage.removeItem(STORAGE_KEY);
    else localStorage.setItem(STORAGE_KEY, theme);
  } catch {
    // Without storage, the choice lasts until the page is closed.
  }
  applyTheme(theme);
  for (const listener of listeners) listener();
}

export function useTheme(): ThemeChoice {
  return useSyncExternalStore(subscribe, () => {
    const { theme } = document.documentElement.dataset;
    return theme === "light" || theme === "dark" ? theme : "system";
  });
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function readStorage(): string | null {
  try {
    return localStorage.getItem(STORAGE_KEY);
  } catch {
    return null;
  }
}
