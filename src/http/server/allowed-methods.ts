import type { AnyRoute } from "../route.ts";

/** `RegExp.escape` is missing in Node 22. */
const escapePattern = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

type Pattern = { readonly expression: RegExp; readonly methods: Set<string> };

/** Returns the methods that a path has, `HEAD` wherever there is `GET`, for 405 with `Allow` instead of 404. In patterns, ":name" matches one segment and "*" any number. */
export function createAllowedMethods(
  routes: readonly { readonly method: AnyRoute["method"]; readonly path: string }[],
): (path: string) => string[] {
  const patterns = new Map<string, Pattern>();
  for (const { method, path } of routes) {
    let pattern = patterns.get(path);
    if (pattern === undefined) {
      const source = path
        .split("/")
        .map((part) => (part === "*" ? ".*" : part.startsWith(":") ? "[^/]+" : escapePattern(part)))
        .join("/");
      pattern = { expression: new RegExp(`^${source}$`), methods: new Set() };
      patterns.set(path, pattern);
    }
    pattern.methods.add(method);
    if (method === "GET") pattern.methods.add("HEAD");
  }
  return (path) =>
    [...new Set([...patterns.values()].flatMap(({ expression, methods }) => (expression.test(path) ? [...methods] : [])))].sort();
}
