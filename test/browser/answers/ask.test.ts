import { afterAll, beforeAll, expect, it } from "vitest";
import type { Page } from "playwright-core";
import { type OpenAiServer, type Script, startOpenAiServer } from "../../support/servers/openai-server.ts";
import { expectAccessible } from "../support/axe.ts";
import type { Session } from "../support/install.ts";
import { type BrowserFixture, startBrowserFixture } from "../support/browser-fixture.ts";
import { SCREENS, type Visitor } from "../support/visitor.ts";
import { typeInto } from "../support/input/typing.ts";

const FERRY = "# Harbour\n\nThe **harbour ferry** departs at 6:40 every morning from pier three. Dogs travel free on Sundays.";
const SAYS_WELL: Script = () => ({
  text: 'The ferry leaves at 6:40. [1: "departs at 6:40 every morning"] Dogs pay nothing on Sundays. [1: "Dogs travel free on Sundays"]',
});

let model: OpenAiServer;
let fixture: BrowserFixture;
let owner: Session;
let boardId: string;
let zoneId: string;
let visitor: Visitor;
let page: Page;

const call = (method: string, path: string, body?: unknown): Promise<any> => fixture.install.call(owner, method, path, body);
const box = (on: Page = page) => on.getByRole("textbox", { name: "Your question" });
const button = (name: string | RegExp) => page.getByRole("button", { name });

/** Opens the board with the panel. */
async function openPanel(who: Visitor = visitor): Promise<void> {
  await who.open(`/b/${boardId}`);
  await who.page.getByRole("banner").getByRole("button", { name: "Ask" }).click();
  await box(who.page).waitFor();
}

async function ask(question: string, on: Page = page): Promise<void> {
  await typeInto(box(on), question);
  await box(on).press("Enter");
}

beforeAll(async () => {
  model = await startOpenAiServer(SAYS_WELL);
  fixture = await startBrowserFixture({
    LLM_PROVIDER: "openai-compatible",
    LLM_MODEL: "tiny",
    LLM_API_KEY: "sk-model-key",
    LLM_BASE_URL: model.url,
    LLM_TIMEOUT_MS: "20000",
  });
  owner = await fixture.install.claim();
  boardId = await fixture.install.defaultBoard(owner);
  zoneId = (await call("POST", `/api/board/${boardId}/zones`, { name: "Harbour" })).zone.id;
  await call("POST", `/api/board/${boardId}/tiles`, { title: "Ferry times", content: FERRY, zone_id: zoneId });
  visitor = await fixture.visit();
  await visitor.logIn(owner);
  ({ page } = visitor);
});
afterAll(async () => {
  await fixture?.stop();
  await model?.close();
});

it("the Ask panel requested while the board was loading opens with it", async () => {
  const { promise: loaded, resolve: load } = Promise.withResolvers<void>();
  await page.route(`**/api/board/${boardId}/zones*`, async (route) => {
    await loaded;
    await route.continue();
  });
  await visitor.open(`/b/${boardId}`);
  await page.getByRole("status", { name: "Loading the board" }).waitFor();
  await page.getByRole("banner").getByRole("button", { name: "Ask" }).click();
  expect(await box().count()).toBe(0);
  load();
  await box().waitFor();
  await page.unrouteAll({ behavior: "wait" });
});

it("answers have numbered quotes, which open the tile with the quote highlighted", async () => {
  await openPanel();
  await ask("When does the harbour ferry depart?");
  await page.getByText("The ferry leaves at 6:40.", { exact: false }).first().waitFor();
  await page.getByText("Written by the language model", { exact: false }).waitFor();
  await page.getByText(/\d+ tokens read/).waitFor();
  await page.getByText("Tiles used").click();
  await button("Ferry times").first().waitFor();
  await expectAccessible(page, "answer");
  await button("Quote 1: Ferry times").first().click();
  await page.locator("mark").first().waitFor();
  expect(await page.locator("mark").allTextContents()).toEqual(["departs at 6:40 every morning"]);
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  await button(/Dogs travel free on Sundays/).click();
  await expect.poll(() => page.locator("mark").allTextContents()).toEqual(["Dogs travel free on Sundays"]);
  await page.keyboard.press("Escape");
  visitor.expectClean();
});

it("Shift+Enter adds a line, Enter asks, and an empty question is rejected", async () => {
  await openPanel();
  await box().press("Enter");
  await page.getByText("Enter a question.").waitFor();
  await typeInto(box(), "One");
  await box().press("Shift+Enter");
  expect(await box().inputValue()).toBe("One\n");
  await box().press("Enter");
  expect(await box().inputValue()).toBe("");
});

it("an answer streams and can be stopped", async () => {
  model.script(() => ({
    text: ["The ferry leaves ", 'at 6:40. [1: "departs at 6:40 every morning"] And', ...Array.from({ length: 200 }, () => " so on")],
    pieceMs: 100,
  }));
  const before = model.cancelled();
  await openPanel();
  await ask("Tell me at length about the ferry");
  await page.getByRole("article").last().getByText("The ferry leaves at 6:40.", { exact: false }).waitFor();
  await button("Stop").click();
  await page.getByText("You stopped this answer", { exact: false }).waitFor();
  await expect.poll(model.cancelled).toBeGreaterThan(before);
  model.script(SAYS_WELL);
  await button("Ask again").last().click();
  await page.getByText("You stopped this answer", { exact: false }).waitFor({ state: "hidden" });
  await button("Save as tile").last().waitFor();
});

it("the answer says that the board does not contain the answer", async () => {
  model.script(() => ({ text: "NOT IN THIS BOARD" }));
  await openPanel();
  await ask("Who painted the ceiling of the chapel?");
  await page.getByText("No answer found on this board.", { exact: true }).and(page.locator("p:visible")).last().waitFor();
  expect(await page.getByRole("article").last().getByRole("button", { name: "Save as tile" }).count()).toBe(0);
  model.script(SAYS_WELL);
});

it("questions are kept while the panel is closed, and can be cleared", async () => {
  await openPanel();
  await ask("Do dogs pay?");
  await button("Save as tile").last().waitFor();
  await page.keyboard.press("Escape");
  await box().waitFor({ state: "hidden" });
  await page.getByRole("banner").getByRole("button", { name: "Ask" }).click();
  await page.getByRole("heading", { name: "Do dogs pay?" }).waitFor();
  await button("Clear questions").click();
  await page.getByText("Ask this board").waitFor();
});

it("an answer is copied, and saved as a tile in a chosen zone", async () => {
  await visitor.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await openPanel();
  await ask("When does it leave?");
  await button("Copy").last().click();
  const copied = await page.evaluate("navigator.clipboard.readText()");
  expect(copied).toMatch(
    /^\*\*When does it leave\?\*\*\n\nThe ferry leaves at 6:40\. \[1\].*\n\nSources\n1\. Ferry times: “departs at 6:40 every morning”\n2\. /s,
  );
  await button("Save as tile").last().click();
  await page.getByRole("menuitem", { name: "Harbour" }).click();
  await page.getByText("Saved as a tile.", { exact: false }).waitFor();
  const { tiles } = await call("GET", `/api/board/${boardId}/tiles?metadata=true`);
  const kept = tiles.find(({ title }: { title: string }) => title === "When does it leave?");
  expect(kept).toMatchObject({ zoneId, metadata: { origin: "answer" }, connectedToChat: false });
  expect(kept.extractedText).toBe(
    "**When does it leave?**\n\nThe ferry leaves at 6:40. Dogs pay nothing on Sundays.\n\n**Sources**\n\n- Ferry times: “departs at 6:40 every morning”\n- Ferry times: “Dogs travel free on Sundays”",
  );
  await button("Open").last().click();
  await page.getByRole("dialog", { name: "When does it leave?" }).waitFor();
  await call("DELETE", `/api/board/tiles/${kept.id}`);
});

it("a failed question shows the error and advice, and is kept", async () => {
  await openPanel();
  const refuse = (status: number, error: string, headers: Record<string, string> = {}) =>
    page.route("**/ask**", (route) => route.fulfill({ status, headers, json: { error } }), { times: 1 });
  await refuse(429, "Too many questions.", { "retry-after": "7" });
  await ask("One?");
  await page.getByText("Try again in 7 seconds.", { exact: false }).waitFor();
  await refuse(402, "The budget is spent.");
  await ask("Two?");
  await page.getByText("The budget is spent. An admin can raise", { exact: false }).waitFor();
  await expectAccessible(page, "refused");
  await button("Edit the question").last().click();
  expect(await box().inputValue()).toBe("Two?");
});

it("a draft is generated, saved, and written from an idea; this also works on a phone", async () => {
  const SECTION = { heading: "Mornings", text: "It leaves at 6:40.", citations: [{ source: 1, quote: "departs at 6:40 every morning" }] };
  const IDEA = {
    title: "Early birds",
    hook: "Who sails at 6:40?",
    angle: "The crew.",
    rationale: "It is the first boat.",
    citations: [{ source: 1, quote: "departs at 6:40 every morning" }],
  };
  const phone = await fixture.visit(SCREENS.phone);
  await phone.logIn(owner);
  await openPanel(phone);
  const on = phone.page;
  await on.getByRole("tab", { name: "Generate" }).click();
  await on.getByText("Ideas", { exact: true }).click();
  model.script(() => ({ text: JSON.stringify({ ideas: [IDEA] }) }));
  await on.getByRole("button", { name: "Generate ideas" }).click();
  await on.getByRole("heading", { name: "Early birds" }).waitFor();
  await expectAccessible(on, "ideas");
  await on.getByRole("button", { name: "Write a draft" }).click();
  await on.getByText("From the idea “Early birds”").waitFor();
  await on.getByText("More options").click();
  await typeInto(on.getByLabel("Length"), "3");
  await on.getByRole("button", { name: "Generate post" }).click();
  await on.getByText("length must be", { exact: false }).waitFor();
  await typeInto(on.getByLabel("Length"), "short");
  await on.getByLabel("Save to").selectOption({ label: "Harbour" });
  let finish = (): void => undefined;
  const held = new Promise<void>((resolve) => (finish = resolve));
  model.script(async () => {
    await held;
    return { text: JSON.stringify({ title: "The first boat", sections: [SECTION] }) };
  });
  await on.getByRole("button", { name: "Generate post" }).click();
  await on.getByRole("button", { name: "Cancel" }).waitFor();
  finish();
  await on.getByRole("button", { name: "Open saved tile" }).waitFor();
  await on.getByText("It leaves at 6:40.").waitFor();
  expect(await on.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
  await expectAccessible(on, "piece");
  await on.getByRole("button", { name: "Open saved tile" }).click();
  await on.getByRole("dialog", { name: "The first boat" }).waitFor();
  phone.expectClean();
  await phone.close();
  model.script(SAYS_WELL);
});

it("a long generation can be cancelled", async () => {
  model.script(() => ({ text: ["{"], pieceMs: 60_000, end: "hang" }));
  await openPanel();
  await page.getByRole("tab", { name: "Generate" }).click();
  await button("Generate post").click();
  await button("Cancel").click();
  await page.getByText("Generation cancelled.").waitFor();
  await page.getByRole("region", { name: "Earlier results" }).getByText("Post: cancelled").first().waitFor();
  model.script(SAYS_WELL);
});

const addTile = async (title: string, zone_id: string): Promise<string> =>
  (await call("POST", `/api/board/${boardId}/tiles`, { title, content: `${title} are told here at some length.`, zone_id })).tile.id;

/** A draft of the model that cites the first source. */
const writeWithQuote = (quote: string): Script => {
  const sections = [{ heading: "Dues", text: "Told at length.", citations: [{ source: 1, quote }] }];
  return () => ({ text: JSON.stringify({ title: "What it costs", sections }) });
};

/** The latest generation of the board. */
async function readLatest() {
  const { generations } = await call("GET", `/api/v1/generations?board_id=${boardId}&limit=1`);
  return (await call("GET", `/api/v1/generations/${generations[0].id}`)).generation;
}

/** Opens the board in a browser of its own. */
async function visitBoard() {
  const visitor = await fixture.visit();
  await visitor.logIn(owner);
  await visitor.open(`/b/${boardId}`);
  return visitor;
}

it("a draft is generated from tiles selected on the board, or from chosen zones", async () => {
  const closed = (await call("POST", `/api/board/${boardId}/zones`, { name: "Attic", connected_to_chat: false })).zone.id;
  const ids = {
    dues: await addTile("Harbour dues", zoneId),
    crew: await addTile("Crew lists", zoneId),
    old: await addTile("Old letters", closed),
  };
  model.script(writeWithQuote("told here at some length"));
  const wide = await visitBoard();
  const on = wide.page;
  const select = (title: string) => on.getByRole("checkbox", { name: `Select ${title}` }).check({ force: true });
  const source = on.getByRole("group", { name: "Generate from" });
  const chips = source.getByRole("list", { name: "Selected tiles" }).getByRole("listitem");
  const write = on.getByRole("button", { name: "Generate post" });
  for (const title of ["Harbour dues", "Crew lists", "Old letters"]) await select(title);
  await on.getByRole("button", { name: "Generate…" }).click();

  // The panel opens on the Generate tab, with removable tiles.
  await expect.poll(() => chips.allTextContents()).toEqual(["Harbour dues", "Crew lists", "Old lettersZone not connected to chat"]);
  await expect.poll(() => on.evaluate("document.activeElement.tagName")).toBe("TEXTAREA");
  await expectAccessible(on, "chosen tiles");
  await source.getByRole("button", { name: "Remove Crew lists" }).click();
  expect(await on.evaluate("document.activeElement.getAttribute('aria-label')")).toBe("Remove Old letters");
  await source.getByRole("button", { name: "Remove Harbour dues" }).click();
  await write.click();
  await source.getByText("None of these tiles can be used.", { exact: false }).waitFor();
  await expectAccessible(on, "nothing to read");

  // A new selection replaces the earlier one, and the input stays.
  await typeInto(on.getByLabel("Topic"), "what it costs");
  await on.getByRole("button", { name: "Clear selection" }).click();
  await select("Harbour dues");
  await on.getByRole("button", { name: "Generate…" }).click();
  await expect.poll(() => chips.allTextContents()).toEqual(["Harbour dues"]);
  expect(await on.getByLabel("Topic").inputValue()).toBe("what it costs");
  await write.click();
  const madeFrom = on.getByRole("region", { name: "Result" }).getByRole("region", { name: "Generated from" });
  await madeFrom.getByRole("button", { name: "Harbour dues" }).waitFor();
  expect(await readLatest()).toMatchObject({ tileIds: [ids.dues] });
  await expectAccessible(on, "made from tiles");

  // Disconnected zones cannot be chosen.
  await source.getByText("Some zones").click();
  expect(await source.getByRole("checkbox", { name: /Attic/ }).isDisabled()).toBe(true);
  await write.click();
  await source.getByText("Choose at least one zone", { exact: false }).waitFor();
  await source.getByRole("checkbox", { name: "Harbour" }).check();
  model.script(writeWithQuote("departs at 6:40 every morning"));
  await expectAccessible(on, "chosen zones");
  await write.click();
  await madeFrom.getByText("Harbour", { exact: true }).waitFor();
  expect(await readLatest()).toMatchObject({ zoneIds: [zoneId] });
  expect(await readLatest()).not.toHaveProperty("tileIds");

  // The history remembers the sources, and the panel opened without a selection shows the Ask tab.
  await on.getByRole("region", { name: "Earlier results" }).getByRole("button").nth(1).click();
  await madeFrom.getByRole("button", { name: "Harbour dues" }).click();
  await on.getByRole("dialog", { name: "Harbour dues" }).waitFor();
  await on.keyboard.press("Escape");
  await on.getByRole("dialog").waitFor({ state: "hidden" });
  await on.getByRole("button", { name: "Close the panel" }).click();
  await on.getByRole("banner").getByRole("button", { name: "Ask" }).click();
  await box(on).waitFor();
  for (const path of [...Object.values(ids).map((id) => `tiles/${id}`), `zones/${closed}`]) await call("DELETE", `/api/board/${path}`);
  wide.expectClean();
  await wide.close();
  model.script(SAYS_WELL);
});
