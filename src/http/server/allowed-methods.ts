import type { AnyRoute } from "../route.ts";

type Pattern = { readonly parts: readonly string[]; readonly methods: Set<string> };

/**
 * Returns the methods that a path has, `HEAD` wherever there is `GET`, for 405 with `Allow` instead of 404. In patterns, ":name" matches one
 * segment, and "*" at the end any number. Anyone may send a path that is as long as a header: each of its segments is compared once.
 */
export function createAllowedMethods(
  routes: readonly { readonly method: AnyRoute["method"]; readonly path: string }[],
): (path: string) => string[] {
  const patterns = new Map<string, Pattern>();
  for (const { method, path } of routes) {
    let pattern = patterns.get(path);
    if (pattern === undefined) patterns.set(path, (pattern = { parts: path.split("/"), methods: new Set() }));
    pattern.methods.add(method);
    if (method === "GET") pattern.methods.add("HEAD");
  }
  const maxSegments = Math.max(...[...patterns.values()].map(({ parts }) => parts.length)) + 1;
  return (path) => {
    const segments = path.split("/", maxSegments);
    return [...new Set([...patterns.values()].flatMap(({ parts, methods }) => (isMatch(parts, segments) ? [...methods] : [])))].sort();
  };
}

function isMatch(parts: readonly string[], segments: readonly string[]): boolean {
  const isOpen = parts.at(-1) === "*";
  if (isOpen ? segments.length < parts.length : segments.length !== parts.length) return false;
  return parts.every((part, at) => part === "*" || (part.startsWith(":") ? segments[at] !== "" : part === segments[at]));
}
