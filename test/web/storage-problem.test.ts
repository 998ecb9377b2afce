import { afterEach, expect, it, vi } from "vitest";
import { readStorageProblem } from "../../web/src/api/client/storage-problem.ts";

const answer = (status: number, body: string): void => void vi.stubGlobal("fetch", async () => new Response(body, { status }));
afterEach(() => vi.unstubAllGlobals());

it("the storage problem is the sentence of the server, while its storage does not work", async () => {
  answer(503, JSON.stringify({ error: "The disk of the server is full.", code: "storage_full" }));
  expect(await readStorageProblem()).toBe("The disk of the server is full.");
  answer(200, JSON.stringify({ status: "ok" }));
  expect(await readStorageProblem()).toBeNull();
});

it("the storage problem is not what a proxy answers, and not a lost connection", async () => {
  answer(503, "<h1>Service Unavailable</h1>");
  expect(await readStorageProblem()).toBeNull();
  answer(503, JSON.stringify({ error: "Starting.", code: "unknown" }));
  expect(await readStorageProblem()).toBeNull();
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("Failed to fetch")));
  expect(await readStorageProblem()).toBeNull();
});
