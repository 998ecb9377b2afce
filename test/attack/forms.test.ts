import { afterAll, beforeAll, expect, test } from "vitest";
import { call } from "../e2e/support/process.ts";
import { MAX_MEMORY_MIB, callAs, startVictim, timeDuring, type Victim } from "./support/victim.ts";

const BODY_BYTES = 15_500_000;
const TIMEOUT_MS = 60_000;
const MULTIPART = "multipart/form-data; x-boundary=zzz; boundary=b";
const URL_ENCODED = "application/x-www-form-urlencoded";

let victim: Victim;
beforeAll(async () => {
  victim = await startVictim();
});
afterAll(() => victim.stop());

const fill = (text: string): string => text.repeat(Math.floor(BODY_BYTES / text.length));

test.each([
  ["tiny parts", MULTIPART, fill("--b\r\n\r\n\r\n"), "The form has too many fields. The maximum is 1,000."],
  ["headers of a part", MULTIPART, `--b\r\n${fill("a: b\r\n")}`, "The form could not be read."],
  ["empty fields", URL_ENCODED, fill("&"), "The form has too many fields. The maximum is 1,000."],
  ["encoded characters", URL_ENCODED, `content=${fill("%41")}`, "content is too long. The maximum is 1,000,000 characters."],
  ["encoded blanks", URL_ENCODED, `content=x${fill("+")}x`, "content is too long. The maximum is 1,000,000 characters."],
  ["escaped quotes", "application/json", `{"content":"${fill('\\"')}"}`, "content is too long. The maximum is 1,000,000 characters."],
])("forms with millions of %s are refused, and others are served", { timeout: TIMEOUT_MS }, async (_name, type, body, message) => {
  const post = async (): Promise<void> => {
    const headers = { "x-api-key": victim.attacker.key, "content-type": type };
    const response = await fetch(`${victim.server.url}/api/inbound/tiles`, { method: "POST", headers, body });
    expect([response.status, await response.json()]).toEqual([400, { error: message }]);
  };
  const readOther = () => callAs(victim, victim.other, "GET", `/api/board/${victim.other.boardId}/tiles`);
  await timeDuring(Promise.all([post(), post(), post()]), readOther, 1);
  expect(victim.memoryMiB().peak).toBeLessThan(MAX_MEMORY_MIB);
});

/** Claims the installation, and returns the headers of its owner. */
async function claim(): Promise<Record<string, string>> {
  const token = /\/claim#(\S+)/.exec(victim.server.stdout())?.[1];
  const owner = { token, email: "owner@example.com", password: "the harbour opens at six" };
  const { status, headers } = await call(victim.server.url, null, "POST", "/api/settings/claim", owner);
  expect(status).toBe(200);
  return { cookie: headers.get("set-cookie")?.split(";", 1)[0] ?? "", origin: victim.server.url, "sec-fetch-site": "same-origin" };
}

const FILE_START = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.jsonl"\r\n\r\n';
const BOARD = '{"format":"tessera-board","version":2,"board":{"name":"Harbour"}}\n';
const IMPORT = "/api/settings/boards/import";
const UPLOAD = (): string => `/api/board/${victim.attacker.boardId}/files`;
const ONE_FILE = "Send one file in the form, and only a few other fields.";

test("uploads and imports with millions of tiny parts take little memory, and others are served", { timeout: TIMEOUT_MS }, async () => {
  const member = await claim();
  const key = { "x-api-key": victim.attacker.key };
  const parts = fill("--b\r\n\r\n\r\n");
  const fields = fill('--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n');
  // No more imports at once than the member's share of the memory has room for.
  const attacks = [
    [UPLOAD(), key, parts, ONE_FILE],
    [UPLOAD(), key, fields, ONE_FILE],
    [UPLOAD(), key, `${FILE_START}a\r\n${fields}`, ONE_FILE],
    [IMPORT, member, parts, ONE_FILE],
    [IMPORT, member, `${FILE_START}${BOARD}\r\n${fields}`, ONE_FILE],
    [IMPORT, member, `${FILE_START}${BOARD}${fill("{}\n")}\r\n--b--\r\n`, "Line 2 is not a line of an exported board."],
  ] as const;
  const post = async ([path, caller, body]: (typeof attacks)[number]): Promise<unknown> => {
    const headers = { ...caller, "content-type": "multipart/form-data; boundary=b" };
    const response = await fetch(victim.server.url + path, { method: "POST", headers, body });
    return [response.status, await response.json()];
  };
  const attack = Promise.all(attacks.map(post));
  await timeDuring(attack, () => callAs(victim, victim.other, "GET", `/api/board/${victim.other.boardId}/tiles`), 1);
  expect(await attack).toEqual(attacks.map(([, , , error]) => [400, { error }]));
  expect(victim.memoryMiB().peak).toBeLessThan(MAX_MEMORY_MIB);
});
