import { useEffect, useState } from "react";

/**
 * The token of a link, such as `/join#tsj_…`. It is taken out of the address, so that it stays in no history and on no screen; a
 * reload of the page has it still, as long as the tab is open.
 */
export function useLinkToken(): string {
  const [token] = useState(() => window.location.hash.slice(1).trim() || getStoredToken());
  useEffect(() => {
    if (token === "") return;
    const { pathname, search } = window.location;
    window.history.replaceState({ ...getHistoryState(), token }, "", pathname + search);
  }, [token]);
  useEffect(() => {
    // Another link opened in the same tab changes nothing but what follows the #.
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
