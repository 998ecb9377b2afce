import { expect, test } from "vitest";
import { revokeInboundAddress } from "#service/settings/inbound-addresses.ts";
import { authorizeBusiness } from "#service/access.ts";
import { errorResponse, getError, isStored } from "../../support/people/settings.ts";
import { ADDRESSES, create, createPath, people, post, service, useAddressService } from "./support/address-service.ts";

useAddressService();

const list = async (): Promise<any[]> => (await people.owner.call("GET", ADDRESSES)).json.inboundAddresses;
const tokenOf = (url: string): string => url.split("/in/")[1] ?? "";

test("an inbound address is created by a member, shows its URL once, and is stored as a hash", async () => {
  const { status, json } = await create({ tags: [" a ", "A", "b"], name: "GitHub" });
  expect(status).toBe(200);
  expect(json.url).toMatch(new RegExp(`^${service.url}/in/tsi_[\\w-]{43}$`));
  expect(json.inboundAddress).toMatchObject({
    name: "GitHub",
    boardId: service.boardId,
    zoneId: null,
    tags: ["a", "b"],
    signature: null,
    lastUsedAt: null,
  });
  expect(await list()).toContainEqual(json.inboundAddress);
  expect(JSON.stringify(await list())).not.toContain(tokenOf(json.url));
  expect(await isStored(service, json.inboundAddress.id)).toBe(true);
  expect(await isStored(service, tokenOf(json.url).slice(4))).toBe(false);
  const audit = await people.owner.call("GET", "/api/settings/audit");
  expect(audit.json.entries[0]).toMatchObject({
    action: "inbound_address.create",
    subject: json.inboundAddress.id,
    actor: { kind: "member" },
  });
  expect(audit.text).not.toContain(tokenOf(json.url));
});

test("an inbound address is created once per Idempotency-Key, and its URL is not shown again", async () => {
  const send = () =>
    people.member.call("POST", ADDRESSES, { body: { name: "Once", board_id: service.boardId }, headers: { "idempotency-key": "k-1" } });
  expect((await send()).status).toBe(200);
  expect(getError(await send())).toEqual(errorResponse(409, expect.stringContaining("showed the URL, this once")));
  expect((await list()).filter(({ name }) => name === "Once")).toHaveLength(1);
});

test("a signature of an inbound address is shown without its secret, which is stored encrypted", async () => {
  const secret = "a secret of a sender";
  const { json, text } = await create({ signature: { header: "X-Hub-Signature-256", secret, prefix: "sha256=" } });
  expect(json.inboundAddress.signature).toEqual({ header: "x-hub-signature-256", encoding: "hex", prefix: "sha256=" });
  expect(text).not.toContain(secret);
  expect(await isStored(service, secret)).toBe(false);
});

test.each<[object, string]>([
  [{ name: " " }, "name is required."],
  [{ name: "n".repeat(201) }, "name is too long. The maximum is 200 characters."],
  [{ tags: "a" }, "tags must be an array."],
  [{ tags: [""] }, "tags must have 1 to 100 characters in each item."],
  [{ tags: Array.from({ length: 51 }, (_, n) => `${n}`) }, "tags has too many items. The maximum is 50."],
  [{ signature: "secret" }, "signature must be a JSON object."],
  [{ signature: { header: "X Y", secret: "s" } }, "signature.header must be the name of a header, such as X-Hub-Signature-256."],
  [{ signature: { header: "X-Y" } }, "signature.secret is required."],
  [{ signature: { header: "X-Y", secret: "s", encoding: "base32" } }, "signature.encoding must be one of hex, base64."],
])("an inbound address with %j is rejected: %s", async (more, message) => {
  expect(getError(await create(more))).toEqual(errorResponse(400, message));
});

test("an inbound address needs a board and a zone of the business", async () => {
  const other = await service.call("POST", "/api/board/boards", { body: { name: "Other" } });
  const zone = await service.call("POST", `/api/board/${other.json.board.id}/zones`, { body: { name: "Foreign" } });
  expect(getError(await create({ board_id: "brd_none" }))).toEqual(errorResponse(404, "Board not found."));
  expect(getError(await create({ zone_id: zone.json.zone.id }))).toEqual(errorResponse(400, "The zone does not belong to this board."));
  expect(getError(await create({}, people.stranger))).toEqual(errorResponse(404, "Board not found."));
});

test("calls about inbound addresses need a member, before anything else is looked at", async () => {
  const { json } = await create();
  const { key: boardKey } = await service.newKey({ boardId: service.boardId });
  const calls = [
    ["GET", ADDRESSES],
    ["POST", ADDRESSES, {}],
    ["POST", ADDRESSES, { name: "By key", board_id: service.boardId }],
    ["DELETE", `${ADDRESSES}/${json.inboundAddress.id}`],
  ] as const;
  for (const [method, path, body] of calls) {
    const send = async (key: string | null) => getError(await service.call(method, path, { key, body }));
    expect(await send(null), path).toEqual(errorResponse(401, expect.stringContaining("not logged in")));
    expect(await send("tsr_unknown"), path).toEqual(errorResponse(401, "Invalid API key."));
    for (const key of [service.key, boardKey]) expect(await send(key), path).toEqual(errorResponse(403, expect.stringContaining("Log in")));
  }
  const names = (await list()).map(({ name }) => name);
  expect(names).not.toContain("By key");
  expect((await list()).map(({ id }) => id)).toContain(json.inboundAddress.id);
});

test("a revoked inbound address is unknown at once, also when another process revokes it", async () => {
  const first = await create();
  const path = new URL(first.json.url).pathname;
  expect((await post(path, { content: "one" })).status).toBe(200);
  const { id } = first.json.inboundAddress;
  expect(getError(await people.stranger.call("DELETE", `${ADDRESSES}/${id}`))).toEqual(errorResponse(404, "Inbound address not found."));
  expect((await people.member.call("DELETE", `${ADDRESSES}/${id}`)).json).toEqual({ ok: true });
  const gone = await post(path, { content: "two" });
  expect(getError(gone)).toEqual(errorResponse(404, "Inbound address not found."));
  expect(gone.headers.get("x-error-code")).toBe("inbound_address_not_found");
  expect((await people.member.call("DELETE", `${ADDRESSES}/${id}`)).status).toBe(404);

  const second = await create();
  const secondPath = new URL(second.json.url).pathname;
  expect((await post(secondPath, { content: "one" })).status).toBe(200);
  const { deps } = service.appContext;
  const operator = await authorizeBusiness(deps, { kind: "operator", businessId: service.businessId }, "write");
  await revokeInboundAddress(deps, operator, second.json.inboundAddress.id);
  expect((await post(secondPath, { content: "two" })).status).toBe(404);
});

test("an inbound address takes nothing but POST with its token", async () => {
  const path = await createPath();
  expect((await service.call("GET", path, { key: null })).status).toBe(405);
  for (const wrong of ["/in/", "/in/x", `${path}x`, `/in/tsi_${"a".repeat(43)}`])
    expect((await post(wrong, { content: "c" })).status, wrong).toBe(404);
});

test("an inbound address of a deleted board takes nothing, and takes it again when the board is restored", async () => {
  const { json } = await service.call("POST", "/api/board/boards", { body: { name: "Short-lived" } });
  const path = await createPath({ board_id: json.board.id });
  await service.call("DELETE", `/api/board/boards/${json.board.id}`);
  expect(getError(await post(path, { content: "c" }))).toEqual(errorResponse(404, "Board not found."));
  await service.call("POST", `/api/board/boards/${json.board.id}/restore`);
  expect((await post(path, { content: "c" })).status).toBe(200);
});

test("an inbound address takes 60 requests a minute", async () => {
  const path = await createPath();
  const answers = await Promise.all(Array.from({ length: 62 }, (_, n) => post(path, { content: `${n}` })));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(60);
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(2);
  expect(refused[0]?.json.error).toContain("The maximum is 60 a minute.");
  expect(refused[0]?.headers.get("retry-after")).not.toBeNull();
  expect((await post(await createPath(), { content: "another address" })).status).toBe(200);
});

test("the time of the last use of an inbound address is stored", async () => {
  const { json } = await create();
  await post(new URL(json.url).pathname, { content: "c" });
  await expect
    .poll(async () => (await list()).find(({ id }) => id === json.inboundAddress.id).lastUsedAt, { interval: 500, timeout: 30_000 })
    .not.toBeNull();
});
