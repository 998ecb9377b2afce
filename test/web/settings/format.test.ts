import { describe, expect, it } from "vitest";
import { formatUserAgent } from "../../../web/src/settings/account/format-user-agent.ts";
import { formatAuditAction } from "../../../web/src/settings/business/format-audit.ts";
import { parseBudget, buildCurlCommand, computeExpiry } from "../../../web/src/settings/api-keys/format.ts";
import { SECTIONS, hasRole } from "../../../web/src/settings/sections.ts";

describe("API key form", () => {
  it.each([
    ["", null],
    ["  ", null],
    ["100000", 100_000],
    ["100,000", 100_000],
    ["1 000 000", 1_000_000],
    ["0", Number.NaN],
    ["-5", Number.NaN],
    ["many", Number.NaN],
    ["1e6", Number.NaN],
    ["9999999999999", Number.NaN],
  ])("the API key form reads the budget %j as %j", (text, tokens) => expect(parseBudget(text)).toBe(tokens));

  it("the API key form computes the expiry: after days, at the end of a day, or never", () => {
    const now = Date.parse("2026-11-22T12:00:00.000Z");
    expect(computeExpiry("never", "", now)).toBeNull();
    expect(computeExpiry("30", "", now)).toBe("2026-12-22T12:00:00.000Z");
    expect(computeExpiry("date", "2026-12-01", now)).toBe(new Date("2026-12-01T23:59:59").toISOString());
  });

  it("the API key form builds a curl command that the permission allows", () => {
    const line = (permission: string) => buildCurlCommand("https://tessera.example", "tsr_1", permission, "brd_1");
    expect(line("read")).toBe('curl -H "X-API-Key: tsr_1" https://tessera.example/api/me');
    expect(line("ask")).toContain("https://tessera.example/api/board/brd_1/ask");
    for (const permission of ["write", "inbound"]) {
      expect(line(permission)).toContain("https://tessera.example/api/inbound/tiles");
      expect(JSON.parse(/-d '([^']+)'/.exec(line(permission))![1]!)).toMatchObject({ board_id: "brd_1" });
    }
  });
});

it.each([
  ["board.create", "brd_1", "Harbour", "created the board “Harbour”"],
  ["board.delete", "brd_1", undefined, "deleted the board"],
  ["member.role.admin", "mem_1", "bert@lighthouse.test", "made bert@lighthouse.test an admin"],
  ["member.role.member", "mem_1", undefined, "made a member a member"],
  ["webhook.set", "whk_1", undefined, "set the webhook"],
  ["webhook.rotate", "whk_1", undefined, "rotated the webhook’s secret"],
  ["subscription.pause", "sub_1", undefined, "paused a registered webhook, since its receiver refused or failed"],
  ["backup.schedule", "backups", undefined, "changed the backup schedule"],
  ["backup.make", "bak_1", undefined, "started a backup"],
  ["something.new_here", "abc_1", undefined, "something new here abc_1"],
])("the audit log describes %s", (action, subject, name, words) => expect(formatAuditAction(action, subject, name)).toBe(words));

it.each([
  [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0",
    "Edge on Windows",
  ],
  ["Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox on Mac"],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1",
    "Safari on iPhone",
  ],
  [
    "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36",
    "Samsung Internet on Android",
  ],
  ["curl/8.5.0", "curl/8.5.0"],
  ["", "Unknown browser"],
])("user agents are shortened to browser and system", (agent, words) => expect(formatUserAgent(agent)).toBe(words));

it("sections are shown by role", () => {
  const seenBy = (role: string) => SECTIONS.filter(({ minRole: least }) => hasRole(role, least)).map(({ id }) => id);
  expect(seenBy("member")).toEqual(["boards", "inbound", "recipes", "account"]);
  expect(seenBy("admin")).toEqual(SECTIONS.map(({ id }) => id));
  expect(seenBy("owner")).toEqual(SECTIONS.map(({ id }) => id));
  expect(seenBy("something new")).toEqual(["boards", "inbound", "recipes", "account"]);
});
