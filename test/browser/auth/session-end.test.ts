import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { logIn } from "../support/input/forms.ts";
import { OWNER, type Session } from "../support/install.ts";
import { type BrowserFixture, startBrowserFixture } from "../support/browser-fixture.ts";
import { placeCaret, typeInto } from "../support/input/typing.ts";
import type { Visitor } from "../support/visitor.ts";

const BERT = { email: "bert@lighthouse.test", password: "another quiet lantern" };
const REASON = "Your session has ended. Log in again to continue.";

let fixture: BrowserFixture;
let owner: Session;
/** The session of the tested browser. */
let ownerSession: Session;
let boardId: string;
let tileId: string;
let visitor: Visitor;
let page: Page;

const call = (method: string, path: string, body?: unknown): Promise<any> => fixture.install.call(owner, method, path, body);
const text = () => page.getByRole("dialog").getByRole("textbox", { name: "Text", exact: true });
const readDrafts = (): Promise<string[]> =>
  page.evaluate(() => Object.keys((globalThis as any).sessionStorage).filter((key) => key.startsWith("tessera-draft")));

beforeAll(async () => {
  fixture = await startBrowserFixture();
  owner = await fixture.install.claim();
  boardId = await fixture.install.defaultBoard(owner);
  await call("POST", `/api/board/${boardId}/zones`, { name: "Harbour" });
  const { link } = await call("POST", "/api/settings/invitations", { email: BERT.email, role: "member" });
  await fetch(`${fixture.install.url}/api/settings/invitations/accept`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: fixture.install.url },
    body: JSON.stringify({ token: new URL(link).hash.slice(1), password: BERT.password }),
  });
});
beforeEach(async () => {
  tileId = (await call("POST", `/api/board/${boardId}/tiles`, { title: "Ferry", content: "It leaves at 6:40." })).tile.id;
  await visitor?.close();
  visitor = await fixture.visit();
  ({ page } = visitor);
  ownerSession = await fixture.install.logIn(OWNER.email, OWNER.password);
  await visitor.logIn(ownerSession);
});
afterAll(async () => fixture?.stop());

async function typeDraft(): Promise<void> {
  await visitor.open(`/b/${boardId}?tile=${tileId}`);
  await page.getByRole("dialog").getByRole("button", { name: "Edit text", exact: true }).click();
  await placeCaret(text(), "It leaves ".length);
  await page.keyboard.type("late ");
}

const endSession = async (): Promise<void> => {
  const { session } = await fixture.install.call(ownerSession, "GET", "/api/settings/session");
  await call("DELETE", `/api/settings/sessions/${session.id}`);
};

it("when the session ends while typing, the user returns to the tile and the draft after login", async () => {
  await typeDraft();
  await endSession();
  await page.waitForURL("**/login?next=*");
  await page.getByText(REASON).waitFor();
  await logIn(page, OWNER.email, OWNER.password);
  await text().waitFor();
  expect(new URL(page.url()).search).toBe(`?tile=${tileId}`);
  expect(await text().inputValue()).toBe("It leaves late at 6:40.");
  await text().press("Control+Enter");
  await text().waitFor({ state: "detached" });
  expect((await call("GET", `/api/board/tiles/${tileId}`)).tile.extractedText).toBe("It leaves late at 6:40.");
  expect(await readDrafts()).toEqual([]);
});

it("another member who logs in does not see the draft; its author does", async () => {
  await typeDraft();
  await endSession();
  await page.waitForURL("**/login?next=*");
  await logIn(page, BERT.email, BERT.password);
  await page.getByRole("dialog").getByText("It leaves at 6:40.").waitFor();
  expect(await text().count()).toBe(0);
  expect(await page.getByText("late", { exact: false }).count()).toBe(0);
  // Bert's session ends without notifying the page.
  await visitor.context.clearCookies();
  await page.reload();
  await page.getByText(REASON).waitFor();
  await logIn(page, OWNER.email, OWNER.password);
  await text().waitFor();
  expect(await text().inputValue()).toBe("It leaves late at 6:40.");
});

it("logging out deletes drafts and shows no session notice", async () => {
  await visitor.open(`/b/${boardId}`);
  await typeInto(page.getByLabel("Add to Harbour", { exact: true }), "Half a thought");
  await expect.poll(readDrafts).toHaveLength(1);
  await page.getByRole("button", { name: /^Account/ }).click();
  await page.getByRole("menuitem", { name: "Log out" }).click();
  await page.waitForURL("**/login");
  await page.getByRole("heading", { name: "Log in" }).waitFor();
  expect(await page.getByText(REASON).count()).toBe(0);
  expect(await readDrafts()).toEqual([]);
  await logIn(page, OWNER.email, OWNER.password);
  expect(await page.getByLabel("Add to Harbour", { exact: true }).inputValue()).toBe("");
});

it("a new tile and a question survive the end of the session and a reload", async () => {
  await visitor.open(`/b/${boardId}`);
  const box = page.getByLabel("Add to Harbour", { exact: true });
  const question = page.getByRole("textbox", { name: "Your question" });
  await typeInto(box, "Half a thought");
  await page.getByRole("banner").getByRole("button", { name: "Ask" }).click();
  await typeInto(question, "Half a question");
  await endSession();
  await page.waitForURL("**/login?next=*");
  await page.getByText(REASON).waitFor();
  await logIn(page, OWNER.email, OWNER.password);
  await expect.poll(() => box.inputValue()).toBe("Half a thought");
  await page.reload();
  await expect.poll(() => box.inputValue()).toBe("Half a thought");
  await page.getByRole("banner").getByRole("button", { name: "Ask" }).click();
  expect(await question.inputValue()).toBe("Half a question");
});

it("logging out in one tab deletes the drafts of all tabs, also of one reloaded later", async () => {
  await visitor.open(`/b/${boardId}`);
  await typeInto(page.getByLabel("Add to Harbour", { exact: true }), "Half a thought");
  await expect.poll(readDrafts).toHaveLength(1);
  // This page runs no scripts of the application, so it receives no notification from other tabs.
  const asleep = await visitor.context.newPage();
  await asleep.goto(`/b/${boardId}`);
  await typeInto(asleep.getByLabel("Add to Harbour", { exact: true }), "Half a dream");
  await expect.poll(() => asleep.evaluate("Object.keys(sessionStorage).filter((key) => key.startsWith('tessera-draft')).length")).toBe(1);
  await asleep.goto("/openapi.json");
  const other = await visitor.context.newPage();
  await other.goto(`/b/${boardId}`);
  await other.getByRole("button", { name: /^Account/ }).click();
  await other.getByRole("menuitem", { name: "Log out" }).click();
  await page.waitForURL("**/login?next=*");
  await expect.poll(readDrafts).toEqual([]);
  await logIn(page, OWNER.email, OWNER.password);
  await page.getByLabel("Add to Harbour", { exact: true }).waitFor();
  expect(await page.getByLabel("Add to Harbour", { exact: true }).inputValue()).toBe("");
  await asleep.goto(`/b/${boardId}`);
  await asleep.getByLabel("Add to Harbour", { exact: true }).waitFor();
  expect(await asleep.getByLabel("Add to Harbour", { exact: true }).inputValue()).toBe("");
});

it("a password change elsewhere ends the session, and the page says so", async () => {
  const [here, elsewhere] = [
    await fixture.install.logIn(BERT.email, BERT.password),
    await fixture.install.logIn(BERT.email, BERT.password),
  ];
  await visitor.logIn(here);
  await typeDraft();
  const password = "a lantern over wild water";
  await fixture.install.call(elsewhere, "POST", "/api/settings/password", { current_password: BERT.password, new_password: password });
  await page.getByText(REASON).waitFor();
  await logIn(page, BERT.email, password);
  await text().waitFor();
  expect(await text().inputValue()).toBe("It leaves late at 6:40.");
});
