/** The log-in's address with a way back to `path`. */
export const getLoginPath = (path: string): string => (path === "/" ? "/login" : `/login?next=${encodeURIComponent(path)}`);

/** Where to go after the log-in: a page of this site, whatever the address says. */
export function getReturnPath(search: string): string {
  const next = new URLSearchParams(search).get("next") ?? "/";
  try {
    const { origin, pathname, search: query, hash } = new URL(next, window.location.origin);
    const isOwn = origin === window.location.origin && /^\/(?:b|settings)(?:\/[\w/-]*)?$/.test(pathname);
    return isOwn ? pathname + query + hash : "/";
  } catch {
    return "/";
  }
}
