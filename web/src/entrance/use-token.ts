import { useEffect, useState } from "react";

/**
 * The token of a link, such as `/join#tsj_…`. It is taken out of the address, so that it stays in no history and on no screen; a
 * reload of the page has it still, as long as the tab is open.
 */
export function useToken(): string {
  const [token] = useState(() => window.location.hash.slice(1).trim() || keptToken());
  useEffect(() => {
    if (token === "") return;
    const { pathname, search } = window.location;
    window.history.replaceState({ ...keptState(), token }, "", pathname + search);
  }, [token]);
  useEffect(() => {
    // Another link opened in the same tab changes nothing but what follows the #.
    const startAnew = (): void => window.location.reload();
    window.addEventListener("hashchange", startAnew);
    return () => window.removeEventListener("hashchange", startAnew);
  }, []);
  return token;
}

const keptToken = (): string => {
  const { token } = keptState();
  return typeof token === "string" ? token : "";
};

function keptState(): { readonly token?: unknown } {
  const state: unknown = window.history.state;
  return typeof state === "object" && state !== null ? state : {};
}
