/** The path of the login page that returns to `path` afterwards. */
export const getLoginPath = (path: string): string => (path === "/" ? "/login" : `/login?next=${encodeURIComponent(path)}`);

/** The page to open after login. Only pages of this site are accepted, to prevent open redirects. */
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
