import Fastify from "fastify";
import { expect, test } from "vitest";
import { addProbes, createProbes } from "#http/public/probes.ts";

test("scrapes at the same time share one rendering of the metrics, and later ones get another", async () => {
  const gate = Promise.withResolvers<void>();
  let renderings = 0;
  const render = async () => {
    const text = `scrape ${++renderings}`;
    await gate.promise;
    return { contentType: "text/plain", text };
  };
  const app = Fastify();
  const metrics = { observe: () => undefined, countError: () => undefined, render };
  let received = 0;
  app.addHook("onRequest", async () => void received++);
  addProbes(app, createProbes({ checkStorage: async () => null, metricsToken: "t", metrics }));
  const scrape = async () => (await app.inject({ url: "/metrics", headers: { authorization: "Bearer t" } })).body;
  const scrapes = Array.from({ length: 50 }, scrape);
  await expect.poll(() => received).toBe(50);
  gate.resolve();
  expect(new Set(await Promise.all(scrapes))).toEqual(new Set(["scrape 1"]));
  expect(await scrape()).toBe("scrape 2");
  await app.close();
});
