import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import * as undici from "undici";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createGuardedAgent, type GuardedAgent } from "#net/guard.ts";
import { parseAllow } from "#net/url.ts";

const server = createServer((_request, response) => void response.end("here"));
let origin: string;

beforeAll(async () => {
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const allow = () => parseAllow(new URL(origin).host);
const get = async (agent: GuardedAgent): Promise<string> => (await agent.request({ origin, path: "/", method: "GET" })).body.text();

it("the guarded agent loads its client once with the first request, and again if that failed", async () => {
  let loads = 0;
  const agent = createGuardedAgent({ allow: allow() }, async () => {
    loads++;
    if (loads === 1) throw new Error("no file handle is left");
    return undici;
  });
  expect(loads).toBe(0);
  await expect(get(agent)).rejects.toThrow("no file handle is left");
  expect(await Promise.all([get(agent), get(agent)])).toEqual(["here", "here"]);
  expect(loads).toBe(2);
  await agent.destroy();
});

it("the guarded agent sends nothing after it was closed, not even requests that wait for the client", async () => {
  const { promise, resolve } = Promise.withResolvers<typeof undici>();
  const agent = createGuardedAgent({ allow: allow() }, () => promise);
  const waiting = get(agent);
  await agent.destroy();
  resolve(undici);
  await expect(waiting).rejects.toThrow("closed");
  await expect(get(agent)).rejects.toThrow("closed");
});
