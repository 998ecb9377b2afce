import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { fill, logIn, paste, press } from "../support/input/forms.ts";
import { OWNER } from "../support/install.ts";
import { type BrowserFixture, startBrowserFixture } from "../support/browser-fixture.ts";
import { type Visitor, settle } from "../support/visitor.ts";

let fixture: BrowserFixture;
let ada: Visitor;

beforeAll(async () => {
  fixture = await startBrowserFixture();
  ada = await fixture.visit();
});
afterEach(() => ada?.expectClean());
afterAll(async () => fixture?.stop());

it("nobody can log in before the install has an owner, and the page says where its set-up link is", async () => {
  await ada.open("/");
  await ada.page.waitForURL("**/login**");
  await ada.page.getByText("Open the set-up link that the server printed when it started").waitFor();
  await logIn(ada.page, OWNER.email, OWNER.password);
  await ada.page.getByText("The e-mail address or the password is wrong.").waitFor();
});

it("the set-up form shows errors at their fields and keeps the input", async () => {
  await ada.open(fixture.install.claimUrl);
  const { page } = ada;
  await fill(page, { "E-mail": "not an address", Password: "short" });
  await press(page, "Create account");
  const email = page.getByLabel("E-mail", { exact: true });
  await expect.poll(() => email.getAttribute("aria-invalid")).toBe("true");
  expect(await page.getByLabel("Password", { exact: true }).getAttribute("aria-invalid")).toBe("true");
  expect(await email.inputValue()).toBe("not an address");
  expect(await page.getByLabel("Password", { exact: true }).inputValue()).toBe("short");
});

it("the set-up link creates the owner, whose board is empty", async () => {
  const { page } = ada;
  expect(page.url()).not.toContain("#");
  await fill(page, { "E-mail": OWNER.email, Password: OWNER.password });
  await press(page, "Create account");
  await page.waitForURL("**/b/brd_*");
  await page.getByText("This board is empty").waitFor();
  const cookies = await ada.context.cookies();
  // Besides the session, a cookie distinguishes this browser's logins from an attacker's.
  const byName = Object.fromEntries(cookies.map((cookie) => [cookie.name, cookie]));
  expect(byName["__Host-tessera_session"]).toMatchObject({ httpOnly: true, secure: true, sameSite: "Lax" });
  expect(cookies).toHaveLength(2);
  expect(cookies.every(({ httpOnly, secure }) => httpOnly && secure)).toBe(true);
  expect(await page.evaluate("document.cookie")).toBe("");
});

it("a text pasted anywhere becomes a tile that survives a reload", async () => {
  const { page } = ada;
  // The card is there before the tile, which a reload on its way would take back.
  const saved = page.waitForResponse((response) => response.request().method() === "POST" && response.url().endsWith("/tiles"));
  await paste(page, "The harbour opens at six, and the lamp is lit at dusk.");
  expect((await saved).status()).toBe(200);
  const tile = page.getByRole("article").filter({ hasText: "The harbour opens at six" });
  await tile.waitFor();
  await page.reload();
  await settle(page);
  await tile.waitFor();
  expect(await tile.count()).toBe(1);
});

it("the set-up link works once, and says what to do", async () => {
  const stranger = await fixture.visit();
  await stranger.open(fixture.install.claimUrl);
  await fill(stranger.page, { "E-mail": "eve@lighthouse.test", Password: "somebody else's long words" });
  await press(stranger.page, "Create account");
  await stranger.page.getByText("This link was already used", { exact: false }).waitFor();
  await stranger.page.getByRole("link", { name: "Go to the login page" }).click();
  await stranger.page.waitForURL("**/login");
  stranger.expectClean();
  await stranger.close();
});
