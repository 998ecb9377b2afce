import { afterAll, beforeAll, expect, test } from "vitest";
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
