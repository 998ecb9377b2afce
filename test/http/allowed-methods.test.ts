import { expect, test } from "vitest";
import { createAllowedMethods } from "#http/server/allowed-methods.ts";

const allowed = createAllowedMethods([
  { method: "GET", path: "/" },
  { method: "POST", path: "/mcp" },
  { method: "PATCH", path: "/api/tiles/:id" },
  { method: "GET", path: "/api/tiles/:id" },
  { method: "DELETE", path: "/api/tiles/bulk" },
  { method: "GET", path: "/assets/*" },
]);

test("a path has the methods of all patterns that match it, whatever its length", () => {
  const long = "a".repeat(16_000);
  expect(allowed("/")).toEqual(["GET", "HEAD"]);
  expect(allowed("/mcp")).toEqual(["POST"]);
  for (const id of ["til_1", long]) expect(allowed(`/api/tiles/${id}`)).toEqual(["GET", "HEAD", "PATCH"]);
  expect(allowed("/api/tiles/bulk")).toEqual(["DELETE", "GET", "HEAD", "PATCH"]);
  for (const path of ["", "a", "a/b/c.js", `${long}/`, "a/".repeat(8_000)]) expect(allowed(`/assets/${path}`)).toEqual(["GET", "HEAD"]);
  for (const path of ["", "*", "/api", "/api/tiles", "/api/tiles/", "/api/tiles/a/b", "/mcp/", "/assets", "/a".repeat(8_000), `/${long}`])
    expect(allowed(path)).toEqual([]);
});
