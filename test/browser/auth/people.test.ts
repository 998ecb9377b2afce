import { afterAll, beforeAll, expect, it } from "vitest";
import { fill, logIn, press } from "../support/input/forms.ts";
import { OWNER, type Session } from "../support/install.ts";
import { type BrowserFixture, startBrowserFixture } from "../support/browser-fixture.ts";
import { type Visitor, settle } from "../support/visitor.ts";

const BERT = { email: "bert@lighthouse.test", password: "salt on every windowpane" };
let fixture: BrowserFixture;
let owner: Session;
const visitors: Visitor[] = [];

beforeAll(async () => {
  fixture = await startBrowserFixture();
  owner = await fixture.install.claim();
});
afterAll(async () => {
  await fixture?.stop();
});

async function newVisitor(): Promise<Visitor> {
  const visitor = await fixture.visit();
  visitors.push(visitor);
  return visitor;
}

it("a wrong password keeps the address; the right one opens the requested page", async () => {
  const { page, open, expectClean } = await newVisitor();
  await open("/settings/members");
  await page.waitForURL("**/login**");
  await logIn(page, OWNER.email, "not the password at all");
  await page.getByText("The e-mail address or the password is wrong.").waitFor();
  expect(await page.getByLabel("E-mail", { exact: true }).inputValue()).toBe(OWNER.email);
  await logIn(page, OWNER.email, OWNER.password);
  await page.waitForURL("**/settings/members");
  expectClean();
});

it("after logging out, the old cookie is invalid", async () => {
  const { page, open, context, expectClean } = await newVisitor();
  await open("/login");
  await logIn(page, OWNER.email, OWNER.password);
  await page.waitForURL("**/b/brd_*");
  await settle(page);
  const isSession = ({ name }: { readonly name: string }): boolean => name.endsWith("_session");
  const cookie = (await context.cookies()).find(isSession);
  await page.getByRole("button", { name: /^Account/ }).click();
  await page.getByRole("menuitem", { name: "Log out" }).click();
  await page.waitForURL("**/login**");
  await expect.poll(async () => (await context.cookies()).filter(isSession)).toEqual([]);
  const answer = await fetch(`${fixture.install.url}/api/settings/session`, { headers: { cookie: `${cookie!.name}=${cookie!.value}` } });
  expect(answer.status).toBe(401);
  await open("/");
  await page.waitForURL("**/login**");
  expectClean();
});

it("an invitation creates a member, who sees the board but no business settings", async () => {
  const ada = await newVisitor();
  await ada.logIn(owner);
  await ada.open("/settings/members");
  await fill(ada.page, { "E-mail": BERT.email });
  await press(ada.page, "Invite");
  const shown = await ada.page.getByRole("dialog").getByLabel("Invitation link", { exact: true }).textContent();
  const address = shown?.trim() ?? "";
  expect(address).toContain(`${fixture.install.url}/join#`);

  const bert = await newVisitor();
  await bert.open(address);
  expect(await bert.page.getByLabel("E-mail", { exact: true }).inputValue()).toBe(BERT.email);
  await fill(bert.page, { Password: BERT.password });
  await press(bert.page, "Join");
  await bert.page.waitForURL("**/b/brd_*");
  await settle(bert.page);
  await bert.open("/settings/members");
  await settle(bert.page);
  expect(await bert.page.getByText(OWNER.email).count()).toBe(0);

  const late = await newVisitor();
  await late.open(address);
  await late.page.getByText("was already used", { exact: false }).waitFor();
  for (const visitor of [ada, bert, late]) visitor.expectClean();
});
