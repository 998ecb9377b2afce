import { beforeAll, expect, test } from "vitest";
import { type People, gatherPeople, errorResponse, getError } from "../../support/people/settings.ts";
import { useTestService } from "../../support/service.ts";

const BOARDS = "/api/settings/boards";

const service = useTestService({
  ROLE: "api",
  LLM_PROVIDER: "openai-compatible",
  LLM_MODEL: "vendor/small",
  LLM_API_KEY: "sk-must-not-leak",
  LLM_BASE_URL: "http://127.0.0.1:9",
  MAX_FILE_BYTES: "1048576",
});
let people: People;
beforeAll(async () => {
  people = await gatherPeople(service);
});

const get = (path: string) => people.admin.call("GET", path);

const newBoard = async (name: string): Promise<string> =>
  (await service.call("POST", "/api/board/boards", { body: { name } })).json.board.id;

test("the audit log names the operator, members and former members, in pages", async () => {
  await service.appContext.deps.store.people.add(
    { actor: { kind: "operator", businessId: service.businessId }, target: { id: service.businessId } } as never,
    { id: "mem_gone", businessId: service.businessId, email: "gone@example.com", role: "admin", password: "x", createdAt: Date.now() },
  );
  await people.owner.call("DELETE", "/api/settings/members/mem_gone");
  await newBoard("By a key");
  const entries: any[] = [];
  for (let path: string | null = "/api/settings/audit?limit=2"; path !== null;) {
    const { json }: any = await get(path);
    expect(json.entries.length).toBeLessThanOrEqual(2);
    entries.push(...json.entries);
    path = json.nextCursor === null ? null : `/api/settings/audit?limit=2&cursor=${json.nextCursor}`;
  }
  expect(entries).toEqual((await get("/api/settings/audit?limit=500")).json.entries);
  expect(entries.map(({ at }) => at)).toEqual(
    entries
      .map(({ at }) => at)
      .toSorted()
      .toReversed(),
  );
  const by = (action: string) => entries.find((entry) => entry.action === action);
  expect(by("key.create").actor).toEqual({ kind: "operator", id: "operator", name: "Operator" });
  expect(by("board.create").actor).toEqual({ kind: "key", id: expect.stringMatching(/^key_/), name: "test" });
  expect(by("member.remove")).toMatchObject({ actor: { kind: "member", name: "owner@example.com" }, subject: "mem_gone" });
});

test("the audit log shows entries of its business only, and rejects cursors of others", async () => {
  const { nextCursor } = (await get("/api/settings/audit?limit=1")).json;
  expect(getError(await people.stranger.call("GET", `/api/settings/audit?cursor=${nextCursor}`))).toEqual(
    errorResponse(400, "cursor is not valid."),
  );
  for (const { subject } of (await get("/api/settings/audit")).json.entries)
    expect((await people.stranger.call("GET", "/api/settings/audit")).text).not.toContain(subject);
});

test("models are shown by name, without key and address", async () => {
  const answer = await get("/api/settings/model");
  expect(answer.json).toEqual({
    model: { provider: "openai-compatible", name: "vendor/small" },
    embeddings: { kind: "off", model: null },
  });
});

test("boards are listed with deleted ones that can be restored, and can be restored", async () => {
  const id = await newBoard("Deleted");
  await people.admin.call("DELETE", `/api/board/boards/${id}`);
  const { boards } = (await get(BOARDS)).json;
  expect(boards[0]).toMatchObject({ id: service.boardId, isDefault: true, deletedAt: null });
  expect(boards.at(-1)).toMatchObject({ id, name: "Deleted", deletedAt: expect.stringMatching(/^\d{4}-.*Z$/) });
  expect((await people.admin.call("POST", `/api/board/boards/${id}/restore`)).status).toBe(200);
  expect((await get(BOARDS)).json.boards.find((board: { id: string }) => board.id === id).deletedAt).toBeNull();
  expect((await people.stranger.call("GET", BOARDS)).text).not.toContain(id);
});

test("a board of another business is not found", async () => {
  const missing = errorResponse(404, "Board not found.");
  expect(getError(await people.stranger.call("GET", `${BOARDS}/${service.boardId}/export`))).toEqual(missing);
  expect(getError(await get(`${BOARDS}/brd_unknown/export`))).toEqual(missing);
});
