import { afterAll, beforeAll, expect, test } from "vitest";
import { runCommand } from "../e2e/support/commands.ts";
import { type Environment, makeFolder, tesseraJson, tesseraWith } from "../e2e/support/process.ts";

const folder = makeFolder();
const environment: Environment = { DATA_DIR: folder.dataDir };
const run = (...args: string[]) => runCommand(environment, ...args);
const json = (...args: string[]) => tesseraJson(environment, ...args);

let boardId: string;

beforeAll(async () => {
  await json("init");
  boardId = (await json("board", "list")).boards[0].id;
});
afterAll(() => folder.remove());

test("a new database has one business with its default board", async () => {
  const { businesses } = await json("business", "list");
  expect(businesses).toEqual([{ id: expect.stringMatching(/^biz_/), name: expect.any(String) }]);
  const { boards } = await json("board", "list");
  expect(boards).toEqual([{ id: expect.stringMatching(/^brd_/), name: expect.any(String), slug: expect.any(String), isDefault: true }]);
  const text = await run("board", "list");
  expect(text).toMatchObject({ code: 0, stderr: "", stdout: expect.stringContaining(boards[0].id) });
  expect((await run("business", "list")).stdout).toContain(businesses[0].id);
});

test("a created business has its own boards and keys, selected with --business", async () => {
  const { business } = await json("business", "create", "Zweite Firma 🏢");
  expect(business).toEqual({ id: expect.stringMatching(/^biz_/), name: "Zweite Firma 🏢" });
  const { board } = await json("board", "create", "Theirs", "--business", business.id);
  expect(board).toEqual({ id: expect.stringMatching(/^brd_/), name: "Theirs", slug: "theirs", isDefault: false });
  const ids = (answer: { boards: { id: string }[] }) => answer.boards.map(({ id }) => id);
  expect(ids(await json("board", "list", "--business", business.id))).toContain(board.id);
  expect(ids(await json("board", "list"))).not.toContain(board.id);
  const before = await runCommand(environment, "--business", business.id, "board", "list", "--json");
  expect(ids(JSON.parse(before.stdout))).toContain(board.id);
  const foreign = await run("key", "create", "--name", "x", "--board", board.id);
  expect(foreign).toMatchObject({ code: 1, stdout: "", stderr: 'Board not found. "tessera board list" shows what there is.\n' });
  const unknown = await run("board", "list", "--business", "biz_unknown");
  expect(unknown).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("biz_unknown") });
});

test("text output of a creation starts with the id", async () => {
  expect(await run("board", "create", "Plain")).toMatchObject({
    code: 0,
    stderr: "",
    stdout: expect.stringMatching(/^brd_\w+ {2}Plain\n$/),
  });
  expect(await run("business", "create", "Plain")).toMatchObject({
    code: 0,
    stderr: "",
    stdout: expect.stringMatching(/^biz_\w+ {2}Plain\n$/),
  });
  expect(await run("board", "create", "  ")).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("blank") });
});

test("a key is shown once, with its permissions", async () => {
  const made = await json("key", "create", "--name", "Scoped", "--board", boardId, "--permission", "inbound", "--expires", "90d");
  expect(made.key).toMatch(/^tsr_[0-9A-Za-z]{38}$/);
  expect(made.apiKey).toMatchObject({
    id: expect.stringMatching(/^key_/),
    name: "Scoped",
    boardId,
    permission: "inbound",
    revokedAt: null,
  });
  expect(Math.abs(Date.parse(made.apiKey.expiresAt) - Date.parse(made.apiKey.createdAt) - 90 * 86_400_000)).toBeLessThan(5_000);
  const { apiKeys } = await json("key", "list");
  expect(apiKeys).toContainEqual(made.apiKey);
  expect(JSON.stringify(apiKeys)).not.toContain(made.key.slice(-20));
  const text = await run("key", "create", "--name", "Plain");
  expect(text).toMatchObject({ code: 0, stderr: "", stdout: expect.stringMatching(/^tsr_\w{38}\n/) });
  const listed = await run("key", "list");
  expect(listed.stdout).toContain(made.apiKey.id);
  const revoked = await run("key", "revoke", made.apiKey.id);
  expect(revoked).toMatchObject({ code: 0, stdout: `Revoked ${made.apiKey.id}.\n` });
  expect((await run("key", "list")).stdout).toMatch(new RegExp(`${made.apiKey.id}.*revoked`));
  expect(await run("key", "revoke", "key_unknown")).toMatchObject({
    code: 1,
    stdout: "",
    stderr: 'Key not found. "tessera key list" shows what there is.\n',
  });
});

test("the token budget of a key is stored and listed, as text and as JSON", async () => {
  const made = await json("key", "create", "--name", "Thrifty", "--budget", "100000");
  const month = new Date().toISOString().slice(0, 7);
  expect(made.apiKey).toMatchObject({ budget: 100_000, usage: { month, calls: 0, inputTokens: 0, outputTokens: 0 } });
  expect((await json("key", "list")).apiKeys).toContainEqual(made.apiKey);
  expect((await run("key", "list")).stdout).toMatch(new RegExp(`${made.apiKey.id}.*Thrifty  0 of 100000 tokens this month\\n`));
  expect((await json("key", "create", "--name", "Free")).apiKey.budget).toBeNull();
});

test.each([
  ["no name", ["key", "create"]],
  ["a budget of 0", ["key", "create", "--name", "refused", "--budget", "0"]],
  ["a budget that is not an integer", ["key", "create", "--name", "refused", "--budget", "1e5"]],
  ["a negative budget", ["key", "create", "--name", "refused", "--budget=-5"]],
  ["a budget that is too large", ["key", "create", "--name", "refused", "--budget", "9999999999999999"]],
  ["an empty budget", ["key", "create", "--name", "refused", "--budget="]],
  ["an unknown permission", ["key", "create", "--name", "refused", "--permission", "admin"]],
  ["an invalid expiry", ["key", "create", "--name", "refused", "--expires", "soon"]],
  ["an expiry of 0 days", ["key", "create", "--name", "refused", "--expires", "0d"]],
  ["an empty scope, which must not widen the key", ["key", "create", "--name", "refused", "--board", ""]],
  ["an empty permission", ["key", "create", "--name", "refused", "--permission="]],
  ["an empty expiry", ["key", "create", "--name", "refused", "--expires", " "]],
  ["an unknown option", ["key", "create", "--name", "refused", "--bord", "y"]],
  ["a missing id", ["key", "revoke"]],
  ["a second name", ["board", "create", "two", "words"]],
  ["an invalid overlap", ["webhook", "rotate", "--overlap", "x"]],
  ["an unknown event", ["webhook", "set", "https://example.com", "--events", "tile.gone"]],
  ["an unknown command", ["bord", "list"]],
  ["a command without its action", ["key"]],
])("%s is a usage error: exit code 2, message on stderr", async (_what, args) => {
  const { code, stdout, stderr } = await run(...args, "--json");
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).not.toBe("");
  expect(stderr).not.toMatch(/\n\s+at /);
});

test("rejected commands create no key", async () => {
  const { apiKeys } = await json("key", "list");
  expect(apiKeys.filter(({ name }: { name: string }) => name === "refused")).toEqual([]);
});

test("webhook set, rotate and clear work as text and as JSON", async () => {
  const { webhook } = await json("webhook", "set", "https://hooks.example.com/in?x=1");
  const secret = expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(webhook).toEqual({ url: "https://hooks.example.com/in?x=1", retries: false, secret });
  expect((await json("webhook", "set", webhook.url, "--retries")).webhook).toEqual({ ...webhook, retries: true, secret });
  const rotated = await json("webhook", "rotate");
  expect(rotated.webhook).toEqual({ url: webhook.url, secret: expect.stringMatching(/^whsec_/) });
  expect(rotated.webhook.secret).not.toBe(webhook.secret);
  expect((await run("webhook", "rotate", "--overlap", "2h")).stdout).toMatch(/^whsec_\S+\n/);
  expect((await run("webhook", "set", "https://hooks.example.com/in")).stdout).toMatch(/^whsec_\S+\n/);
  expect(await json("webhook", "deliveries")).toEqual({ deliveries: [] });
  expect(await run("webhook", "deliveries")).toMatchObject({ code: 0, stderr: "" });
  expect(await json("webhook", "clear")).toEqual({ cleared: true });
  expect(await json("webhook", "clear")).toEqual({ cleared: false });
  expect(await run("webhook", "clear")).toMatchObject({ code: 0, stderr: "" });
  expect(await run("webhook", "rotate")).toMatchObject({ code: 1, stdout: "", stderr: "Webhook not found.\n" });
});

test.each([
  "http://127.0.0.1:5678/x",
  "http://169.254.169.254/",
  "http://[::1]/",
  "http://localhost/",
  "ftp://example.com/",
  "https://user:pw@example.com/",
  "",
])("the address %s is rejected with a one-line message", async (address) => {
  const { code, stdout, stderr } = await run("webhook", "set", address, "--json");
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr.trim().split("\n")).toHaveLength(1);
  expect(stderr).toMatch(/url/);
});

const create = (input: string, ...args: string[]) => tesseraWith(environment, input, "member", "create", ...args);

test("members are created with a password from standard input, which is not listed", async () => {
  const made = await create(
    "correct horse battery\nnot this line\n",
    "--email",
    " Ada@Example.com",
    "--role",
    "owner",
    "--password-stdin",
    "--json",
  );
  expect(made).toMatchObject({ code: 0, stderr: "" });
  const { member } = JSON.parse(made.stdout);
  expect(member).toMatchObject({ id: expect.stringMatching(/^mem_/), email: "ada@example.com", role: "owner", lastSeenAt: null });
  const { members } = await json("member", "list");
  expect(members).toEqual([member]);
  const text = await run("member", "list");
  expect(text.stdout).toBe(`${member.id}  ada@example.com  owner\n`);
  expect(made.stdout + text.stdout).not.toMatch(/horse|scrypt/);
});

test.each([
  [["--role", "owner", "--password-stdin"], "correct horse battery", 2, "--email is required"],
  [["--email", "bo@example.com"], "correct horse battery", 2, "--password-stdin is required"],
  [
    ["--email", "bo@example.com", "--role", "king", "--password-stdin"],
    "correct horse battery",
    2,
    "--role must be one of owner, admin, member",
  ],
  [["--email", "bo@example.com", "--password-stdin"], "", 2, "There is no password on standard input"],
  [["--email", "bo@example.com", "--password-stdin"], "short", 1, "password must be at least 10 characters"],
  [["--email", "bo", "--password-stdin"], "correct horse battery", 1, "email must be an e-mail address"],
  [["--email", "ADA@example.com", "--password-stdin"], "correct horse battery", 1, "exists already"],
])("a member is not created with %j and %j", async (args, input, code, message) => {
  expect(await create(input, ...args)).toMatchObject({ code, stdout: "", stderr: expect.stringContaining(message) });
});
