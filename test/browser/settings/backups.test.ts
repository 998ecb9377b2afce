import Database from "better-sqlite3";
import { rmSync, writeFileSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { expectAccessible } from "../support/axe.ts";
import { fill, press } from "../support/input/forms.ts";
import type { Session } from "../support/install.ts";
import { type BrowserFixture, startBrowserFixture } from "../support/browser-fixture.ts";
import { SCREENS, type Visitor } from "../support/visitor.ts";

const DAY_MS = 86_400_000;
const PASSWORD = "salt on every windowpane";
let folder: string;
let fixture: BrowserFixture;
let owner: Session;
let visitor: Visitor;
let page: Page;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "tessera-backups-"));
  fixture = await startBrowserFixture({ BACKUP_DIR: join(folder, "backups") });
  owner = await fixture.install.claim();
  // A time zone that is not a whole number of hours from UTC.
  visitor = await fixture.visit({ timezoneId: "Asia/Kolkata" });
  ({ page } = visitor);
  await visitor.logIn(owner);
});
afterAll(async () => {
  await fixture?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const row = (text: string | RegExp) => page.getByRole("listitem").filter({ has: page.locator("time"), hasText: text });
const read = () => fixture.install.call(owner, "GET", "/api/settings/backups");

it("an owner sets the schedule; errors are shown at the field and the input is kept", async () => {
  await visitor.open("/settings/data");
  await page.getByRole("link", { name: "Backups" }).last().click();
  await page.getByRole("heading", { name: "Backups", level: 1 }).waitFor();
  await page.getByText("No backup is scheduled.").waitFor();
  await page.getByText("No backups yet").waitFor();
  expect(await page.getByLabel("Time", { exact: true }).count()).toBe(0);
  await expectAccessible(page, "no backups");

  await page.getByLabel("Back up", { exact: true }).selectOption("Every week");
  await page.getByLabel("Time", { exact: true }).selectOption("21:00 UTC (02:30 here)");
  await fill(page, { "Backups to keep": "many" });
  await press(page, "Save");
  await page.getByText("Enter a whole number from 1 to 60.").waitFor();
  expect(await page.getByLabel("Time", { exact: true }).inputValue()).toBe("21");
  await expectAccessible(page, "a schedule that is refused");
  await fill(page, { "Backups to keep": "2" });
  await page.keyboard.press("Enter");
  await page.getByText(/^Saved\. The next backup is in/).waitFor();
  await page.getByText("Next backup:", { exact: false }).waitFor();
  expect((await read()).schedule).toMatchObject({ every: "week", hour: 21, keep: 2, nextAt: expect.stringMatching(/T21:00:00/) });
  expect(await page.getByRole("button", { name: "Save" }).isDisabled()).toBe(true);

  await page.getByLabel("Back up", { exact: true }).selectOption("Never");
  await press(page, "Discard");
  expect(await page.getByLabel("Back up", { exact: true }).inputValue()).toBe("week");
  visitor.expectClean();
});

it("a manual backup is made, and the result of each is listed", async () => {
  await visitor.open("/settings/backups");
  await press(page, "Back up now");
  await row("Complete").waitFor();
  await row("Complete")
    .getByText(/^tessera-.*Z\.sqlite$/)
    .waitFor();
  await row("Complete")
    .getByText(/^\d+ kB$/)
    .waitFor();
  await expectAccessible(page, "a backup that was made");

  rmSync(join(folder, "backups"), { recursive: true });
  writeFileSync(join(folder, "backups"), "in the way");
  await press(page, "Back up now");
  await row("Failed").getByText("a file is in its place. Set BACKUP_DIR to a folder.", { exact: false }).waitFor();
  expect(await page.content()).not.toContain(folder);
  rmSync(join(folder, "backups"));
  await press(page, "Back up now");
  await row("Complete").first().waitFor();
  // The file of the first backup no longer exists.
  await row("Removed").waitFor();
  await expectAccessible(page, "backups of all kinds");
  visitor.expectClean();
});

it("a scheduled backup appears without a reload, on a phone in the dark theme", async () => {
  const phone = await fixture.visit({ ...SCREENS.phone, colorScheme: "dark" });
  await phone.logIn(owner);
  await phone.open("/settings/backups");
  await phone.page.getByText("Next backup:", { exact: false }).waitFor();
  await expectAccessible(phone.page, "backups on a telephone in the dark");
  expect(await phone.page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
  const before = (await read()).backups.length;
  const db = new Database(join(fixture.install.dataDir, "tessera.sqlite"));
  db.prepare("UPDATE backup_schedule SET next_at = next_at - ?").run(7 * DAY_MS);
  db.close();
  await expect
    .poll(
      () =>
        phone.page
          .getByRole("listitem")
          .filter({ hasText: /Complete|Failed|Removed/ })
          .count(),
      { timeout: 300_000 },
    )
    .toBe(before + 1);
  phone.expectClean();
  await phone.close();
});

it("other roles see who manages backups; with several businesses it is the operator", async () => {
  const { link } = await fixture.install.call(owner, "POST", "/api/settings/invitations", { email: "bert@lighthouse.test", role: "admin" });
  const headers = { "content-type": "application/json", origin: fixture.install.url };
  await fetch(`${fixture.install.url}/api/settings/invitations/accept`, {
    method: "POST",
    headers,
    body: JSON.stringify({ token: link.split("#")[1], password: PASSWORD }),
  });
  const bert = await fixture.visit();
  await bert.logIn(await fixture.install.logIn("bert@lighthouse.test", PASSWORD));
  await bert.open("/settings/backups");
  await bert.page.getByText("Only owners can see backups").waitFor();
  expect(await bert.page.getByRole("button", { name: "Back up now" }).count()).toBe(0);
  await expectAccessible(bert.page, "backups for an admin");
  bert.expectClean();
  await bert.close();

  const db = new Database(join(fixture.install.dataDir, "tessera.sqlite"));
  db.prepare("INSERT INTO business (id, name, created_at) VALUES ('biz_other', 'Other Lab', 1)").run();
  db.close();
  await visitor.open("/settings/backups");
  await page.getByText("tessera backups set --every day --hour 3").waitFor();
  await page.getByText("Every week at 21:00 UTC (02:30 here). The newest 2 are kept.").waitFor();
  for (const name of ["Save", "Back up now"]) expect(await page.getByRole("button", { name }).count()).toBe(0);
  await expectAccessible(page, "backups of several businesses");
  visitor.expectClean();
});
