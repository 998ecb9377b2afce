import { useEffect, useState } from "react";

/**
 * The token of a one-time link, such as `/join#tsj_…`. It is removed from the address bar and history, and kept in the history state so
 * that a reload still works.
 */
export function useLinkToken(): string {
  const [token] = useState(() => window.location.hash.slice(1).trim() || getStoredToken());
  useEffect(() => {
    if (token === "") return;
    const { pathname, search } = window.location;
    window.history.replaceState({ ...getHistoryState(), token }, "", pathname + search);
  }, [token]);
  useEffect(() => {
    // Opening another link in the same tab changes only the hash, which does not reload the page.
    const reload = (): void => window.location.reload();
    window.addEventListener("hashchange", reload);
    return () => window.removeEventListener("hashchange", reload);
  }, []);
  return token;
}

const getStoredToken = (): string => {
  const { token } = getHistoryState();
  return typeof token === "string" ? token : "";
};

function getHistoryState(): { readonly token?: unknown } {
  const state: unknown = window.history.state;
  return typeof state === "object" && state !== null ? state : {};
}
