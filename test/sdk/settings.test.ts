import { expect, test } from "vitest";
import { createTransport } from "../../sdk/src/transport/transport.ts";
import { settingsMethods } from "../../sdk/src/settings/settings.ts";
import { gatherPeople } from "../support/people/settings.ts";
import { startTestService } from "../support/service.ts";
import { serve } from "./server.ts";

const settingsAt = (baseUrl: string, headers: Record<string, string> = {}) =>
  settingsMethods(
    createTransport({
      baseUrl,
      maxRetries: 0,
      fetch: (url, init) => fetch(url, { ...init, headers: { ...(init?.headers as Record<string, string>), ...headers } }),
    }).send,
  );

test("settings are sent under their documented names, and only those given", async () => {
  await using server = await serve(() => ({ body: { key: "k", apiKey: {}, webhook: {}, secret: "s", deliveries: [], nextCursor: null } }));
  const settings = settingsAt(server.url);
  await settings.keys.create({ name: "Feed", boardId: "b", expiresAt: new Date(0), budget: 5 });
  await settings.keys.update("k/1", { budget: null });
  await settings.webhook.set({ url: "https://example.com/" });
  await settings.webhook.update({ events: [] });
  await settings.webhook.rotate({ overlapHours: 2 });
  await settings.webhook.deliveries({ limit: 3, cursor: null });
  await settings.webhook.deliveries({ cursor: "next" });
  await settings.backups.schedule({ hour: 0 });
  await settings.backups.create().catch(() => {});
  expect(server.seen.map(({ method, url, body }) => [method, url, body])).toEqual([
    ["POST", "/api/settings/keys", { name: "Feed", board_id: "b", expires_at: "1970-01-01T00:00:00.000Z", budget: 5 }],
    ["PATCH", "/api/settings/keys/k%2F1", { budget: null }],
    ["POST", "/api/settings/webhook", { url: "https://example.com/" }],
    ["PATCH", "/api/settings/webhook", { events: [] }],
    ["POST", "/api/settings/webhook/rotate", { overlap_hours: 2 }],
    ["GET", "/api/settings/webhook/deliveries?limit=3", undefined],
    ["GET", "/api/settings/webhook/deliveries?cursor=next", undefined],
    ["PATCH", "/api/settings/backups", { hour: 0 }],
    ["POST", "/api/settings/backups", undefined],
  ]);
  expect(settings.exportPath("a/b")).toBe("/api/settings/boards/a%2Fb/export");
});

test("every method works with the service and returns its documented type", async () => {
  const service = await startTestService({ ROLE: "api" });
  try {
    const { owner } = await gatherPeople(service);
    const headers = { origin: service.url, cookie: owner.cookie };
    const settings = settingsAt(service.url, headers);

    const { key, apiKey } = await settings.keys.create({ name: "Feed", permission: "read", expiresAt: null });
    expect(key.startsWith(apiKey.prefix)).toBe(true);
    expect(await settings.keys.update(apiKey.id, { name: "Feed 2", budget: 9 })).toMatchObject({ name: "Feed 2", budget: 9 });
    expect((await settings.keys.revoke(apiKey.id)).revokedAt).not.toBeNull();
    expect((await settings.keys.list()).map(({ name }) => name)).toContain("Feed 2");

    const { inboundAddress, url } = await settings.inboundAddresses.create({
      name: "Sender",
      boardId: service.boardId,
      tags: ["a"],
      signature: { header: "X-Signature", secret: "s" },
    });
    expect(url).toContain("/in/tsi_");
    expect(await settings.inboundAddresses.list()).toEqual([inboundAddress]);
    await settings.inboundAddresses.revoke(inboundAddress.id);
    expect(await settings.inboundAddresses.list()).toEqual([]);

    expect(await settings.webhook.get()).toBeNull();
    const { webhook, secret } = await settings.webhook.set({ url: "https://receiver.example/hook", events: ["tile.ready"] });
    expect(await settings.webhook.get()).toEqual(webhook);
    expect((await settings.webhook.update({ url: "https://receiver.example/moved" })).url).toMatch(/moved$/);
    expect((await settings.webhook.rotate({ overlapHours: 1 })).secret).not.toBe(secret);
    const { id } = await settings.webhook.test();
    expect((await settings.webhook.deliveries({ limit: 1 })).deliveries).toMatchObject([{ id, event: "test", status: "pending" }]);
    expect(await settings.webhook.delivery(id)).toMatchObject({ id, body: null, headers: null, responseStart: null });
    await expect(settings.webhook.redeliver(id)).rejects.toMatchObject({ status: 409 });
    await settings.webhook.remove();
    await expect(settings.webhook.redeliver(id)).rejects.toMatchObject({ status: 404, message: "Webhook not found." });

    const { entries, nextCursor } = await settings.audit({ limit: 1 });
    expect(entries).toMatchObject([{ actor: { kind: "member" }, action: "webhook.clear", subject: webhook.id }]);
    expect((await settings.audit({ cursor: nextCursor })).entries[0]?.action).toBe("webhook.rotate");
    await expect(settings.backups.create()).rejects.toMatchObject({ status: 403 });
    await expect(settings.backups.schedule({ every: "day" })).rejects.toMatchObject({ status: 403 });
    expect(await settings.backups.get()).toEqual({
      schedule: { every: "off", hour: 3, keep: 14, nextAt: null },
      backups: [],
      isShared: true,
    });

    expect(await settings.model()).toEqual({ model: null, embeddings: { kind: "off", model: null } });

    const exported = await fetch(service.url + settings.exportPath(service.boardId), { headers });
    const imported = await settings.importBoard(await exported.blob(), { name: "Copy" });
    expect(imported).toMatchObject({ board: { name: "Copy" }, zones: 0, tiles: 0 });
    expect((await settings.boards()).at(-1)).toEqual({ ...imported.board, deletedAt: null });
  } finally {
    await service.stop();
  }
});
