import { PassThrough } from "node:stream";
import { afterAll, beforeAll, expect, test } from "vitest";
import { askPassword } from "../../src/cli/commands/settings/password.ts";
import { runCommand } from "../e2e/support/commands.ts";
import { type ServerProcess, makeFolder, startServer, tesseraWith, tesseraJson } from "../e2e/support/process.ts";

const folder = makeFolder();
const environment = { DATA_DIR: folder.dataDir, PORT: "0", EMBEDDINGS: "off" };
const EMAIL = "ada@example.com";
let server: ServerProcess;

beforeAll(async () => {
  const created = await tesseraWith(
    environment,
    "the first password",
    "member",
    "create",
    "--email",
    EMAIL,
    "--role",
    "owner",
    "--password-stdin",
  );
  expect(created.code).toBe(0);
  server = await startServer(environment);
});
afterAll(async () => {
  await server?.kill("SIGTERM");
  folder.remove();
});

const logIn = async (password: string): Promise<{ readonly status: number; readonly cookie: string }> => {
  const response = await fetch(`${server.url}/api/settings/session`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Origin: server.url },
    body: JSON.stringify({ email: EMAIL, password }),
  });
  return {
    status: response.status,
    cookie: response.headers
      .getSetCookie()
      .map((cookie) => cookie.split(";")[0])
      .join("; "),
  };
};
const isLoggedIn = async (cookie: string): Promise<boolean> =>
  (await fetch(`${server.url}/api/board/boards`, { headers: { Cookie: cookie } })).status === 200;

test("a new password replaces the old one and ends the sessions, while a server runs", async () => {
  const { status, cookie } = await logIn("the first password");
  expect([status, await isLoggedIn(cookie)]).toEqual([200, true]);
  const { code, stdout, stderr } = await tesseraWith(
    environment,
    "the second password\n",
    "member",
    "password",
    "ADA@example.com",
    "--password-stdin",
  );
  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: `Set a new password for ${EMAIL}, and ended all sessions.\n`, stderr: "" });
  expect(await isLoggedIn(cookie)).toBe(false);
  expect((await logIn("the first password")).status).toBe(401);
  expect((await logIn("the second password")).status).toBe(200);
  const entries = (await tesseraJson(environment, "member", "list")).members;
  expect(entries).toHaveLength(1);
});

test.each([
  [["bo@example.com"], "a good long password", 1, "Member not found"],
  [["no address"], "a good long password", 1, "email must be an e-mail address"],
  [[EMAIL], "short", 1, "password must be at least 10 characters"],
  [[EMAIL], "", 2, "There is no password on standard input"],
])("%j with the password %j is refused", async (args, input, code, message) => {
  expect(await tesseraWith(environment, input, "member", "password", ...args, "--password-stdin")).toMatchObject({
    code,
    stdout: "",
    stderr: expect.stringContaining(message),
  });
});

test("without a terminal, the option is needed", async () => {
  expect(await runCommand(environment, "member", "password", EMAIL)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("--password-stdin"),
  });
});

async function type(...keys: string[]) {
  const modes: boolean[] = [];
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: (isRaw: boolean) => modes.push(isRaw) });
  const output = new PassThrough();
  const asked = askPassword(input, output);
  for (const each of keys) input.write(each);
  const outcome = await asked.catch((error: Error) => error.message);
  return { outcome, modes, shown: String(output.read()) };
}

test("on a terminal, the password is asked for twice, and never shown", async () => {
  const { outcome, modes, shown } = await type("a long pass", "wörd\u007fd👍\b\u001b[D\r", "a long passwördd\r");
  expect(outcome).toBe("The two passwords differ. Nothing was changed.");
  expect(shown).toBe("New password: \nThe same again: \n");
  expect(modes).toEqual([true, false]);
  expect((await type("a long passwörx\u007fd\r", "a long passwörd\n")).outcome).toBe("a long passwörd");
});

test("on a terminal, both lines may arrive at once, and Ctrl+C cancels", async () => {
  expect((await type("a long password\ra long password\r")).outcome).toBe("a long password");
  expect((await type("a long", "\u0003")).outcome).toBe("Cancelled. Nothing was changed.");
});
