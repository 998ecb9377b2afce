import type { CDPSession, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { Session } from "../support/install.ts";
import { type BrowserFixture, startBrowserFixture } from "../support/browser-fixture.ts";
import { afterDrawing, placeCaret, typeInTheMiddle, typeInto } from "../support/input/typing.ts";
import type { Visitor } from "../support/visitor.ts";

const TYPED = "rope ";
/** Length of the long text, near the limit of a tile. */
const LONG = 990_000;

let fixture: BrowserFixture;
let owner: Session;
let boardId: string;
let zoneId: string;
let tileId: string;
let visitor: Visitor;
let page: Page;

const call = (method: string, path: string, body?: unknown): Promise<any> => fixture.install.call(owner, method, path, body);
const button = (name: string | RegExp) => page.getByRole("button", { name, exact: true });
const field = (name: string) => page.getByRole("textbox", { name, exact: true });

beforeAll(async () => {
  fixture = await startBrowserFixture();
  owner = await fixture.install.claim();
});
beforeEach(async () => {
  boardId = (await call("POST", "/api/board/boards", { name: "Harbour board" })).board.id;
  zoneId = (await call("POST", `/api/board/${boardId}/zones`, { name: "Harbour" })).zone.id;
  tileId = (await call("POST", `/api/board/${boardId}/tiles`, { title: "Ferry notes", content: "It leaves at 6:40.", zone_id: zoneId }))
    .tile.id;
  visitor = await fixture.visit();
  ({ page } = visitor);
  await visitor.logIn(owner);
});
afterAll(async () => fixture?.stop());

async function edit(what: "Edit text" | "Rename"): Promise<Locator> {
  await visitor.open(`/b/${boardId}?tile=${tileId}`);
  await page.getByRole("dialog").getByRole("button", { name: what, exact: true }).click();
  return field(what === "Rename" ? "Title" : "Text");
}

async function onBoard(open: () => Promise<unknown>, name: string): Promise<Locator> {
  await visitor.open(`/b/${boardId}`);
  await page.getByRole("article").waitFor();
  await open();
  return field(name);
}

/** All text fields, and how to open them. */
const FIELDS: readonly (readonly [string, () => Promise<Locator>])[] = [
  ["the text of a tile", () => edit("Edit text")],
  ["the title of a tile", () => edit("Rename")],
  [
    "the name of a zone",
    async () => {
      const name = await onBoard(() => page.getByRole("heading", { name: "Harbour", exact: true }).dblclick(), "Name of Harbour");
      await name.and(page.locator(":focus")).waitFor();
      return name;
    },
  ],
  [
    "the name of a new zone",
    () =>
      onBoard(async () => {
        await button("Add a zone").click();
      }, "Name of the new zone"),
  ],
  ["a new tile", () => onBoard(async () => null, "Add to Harbour")],
  ["a question", () => onBoard(() => page.getByRole("banner").getByRole("button", { name: "Ask" }).click(), "Your question")],
  [
    "the topic of a piece",
    () =>
      onBoard(async () => {
        await page.getByRole("banner").getByRole("button", { name: "Ask" }).click();
        await page.getByRole("tab", { name: "Generate" }).click();
      }, "Topic"),
  ],
  [
    "the search",
    async () => {
      await onBoard(() => page.keyboard.press("/"), "Your question");
      return page.getByRole("combobox", { name: "Search tiles, boards and actions" });
    },
  ],
  [
    "the filter",
    async () => {
      await onBoard(async () => null, "");
      return page.getByRole("searchbox", { name: "Filter by title or URL" });
    },
  ],
  [
    "the name of a board",
    async () => {
      await visitor.open("/settings/boards");
      await page.getByRole("button", { name: "Actions for Harbour board" }).first().click();
      await page.getByRole("menuitem", { name: "Rename" }).click();
      return page.getByRole("dialog").getByRole("textbox", { name: "Name", exact: true });
    },
  ],
  [
    "the name of a key",
    async () => {
      await visitor.open("/settings/keys");
      await button("New key").click();
      return page.getByRole("dialog").getByRole("textbox", { name: "Name", exact: true });
    },
  ],
  [
    "the address of the webhook",
    async () => {
      await visitor.open("/settings/webhook");
      return field("URL");
    },
  ],
];

it.each(FIELDS)("the caret keeps its position while typing in the middle of %s", async (_name, open) => {
  const typed = await open();
  await typed.waitFor();
  if ((await typed.inputValue()) === "") await typeInto(typed, "bells and buoys");
  await typeInTheMiddle(typed, TYPED);
  visitor.expectClean();
  await visitor.close();
});

it.each(["Edit text", "Rename"] as const)("the input of “%s” is kept while others change the board and the tile", async (what) => {
  const typed = await edit(what);
  await typed.waitFor();
  const others = [
    () => call("POST", `/api/board/${boardId}/tiles`, { content: "One more.", zone_id: zoneId }),
    () => call("PATCH", `/api/board/zones/${zoneId}`, { color: "teal" }),
    () => call("PATCH", `/api/board/tiles/${tileId}`, { sort_order: 7 }),
    () => call("PATCH", `/api/board/tiles/${tileId}`, { title: "Theirs", content: "Theirs." }),
  ];
  await typeInTheMiddle(typed, "rope and tackle", async (index) => others[index % others.length]?.());
  // The changes of others have arrived by now, and the input stays.
  await page.getByRole("dialog").getByRole("heading", { name: "Theirs" }).waitFor();
  expect((await typed.inputValue()).includes("rope and tackle")).toBe(true);
});

it.each([
  ["a zone's name", "Name of Harbour"],
  ["a question", "Your question"],
  ["a new tile", "Add to Harbour"],
])("%s is typed while others change the board", async (_what, name) => {
  const typed = await onBoard(async () => {
    if (name === "Your question") await page.getByRole("banner").getByRole("button", { name: "Ask" }).click();
    if (name === "Name of Harbour") await page.getByRole("heading", { name: "Harbour", exact: true }).dblclick();
  }, name);
  await typed.waitFor();
  if (name === "Name of Harbour") await typed.and(page.locator(":focus")).waitFor();
  else await typeInto(typed, "bells and buoys");
  await typeInTheMiddle(typed, "rope and tackle", (index) =>
    call("POST", `/api/board/${boardId}/tiles`, { title: `Other ${index}`, content: "One more.", zone_id: zoneId }),
  );
  await page
    .getByRole("region", { name: /^Harbour/ })
    .getByText("16 tiles")
    .waitFor({ state: "attached" });
  expect((await typed.inputValue()).includes("rope and tackle")).toBe(true);
});

it("fast typing loses no characters in a text of 1 MB", { timeout: 300_000 }, async () => {
  const line = "The tide tables of the northern harbour.\n";
  const content = line.repeat(Math.floor(LONG / line.length)).trimEnd();
  await call("PATCH", `/api/board/tiles/${tileId}`, { content });
  const typed = await edit("Edit text");
  await typed.waitFor();
  const middle = line.length * Math.floor(LONG / line.length / 2);
  await placeCaret(typed, middle);
  const words = "fast fingers";
  await typed.pressSequentially(words);
  const { value, caret } = await afterDrawing(typed);
  expect([caret, value.slice(middle - 10, caret + 10)]).toEqual([
    middle + words.length,
    `${content.slice(middle - 10, middle)}${words}${content.slice(middle, middle + 10)}`,
  ]);
  expect(value.length).toBe(content.length + words.length);
  await typed.press("Control+Enter");
  await expect
    .poll(async () => (await call("GET", `/api/board/tiles/${tileId}`)).tile.extractedText.length)
    .toBe(content.length + words.length);
});

/** Composes text like an input method: step by step, then committed. */
async function compose(screen: CDPSession, steps: readonly string[], word: string, between: () => Promise<unknown>): Promise<void> {
  for (const text of steps) {
    await screen.send("Input.imeSetComposition", { text, selectionStart: text.length, selectionEnd: text.length });
    await between();
  }
  await screen.send("Input.insertText", { text: word });
}

it.each(["Edit text", "Rename", "Add to Harbour"] as const)("an input method composes text in the middle of “%s”", async (what) => {
  const typed = what === "Add to Harbour" ? await onBoard(async () => null, what) : await edit(what);
  await typed.waitFor();
  if (what === "Add to Harbour") await typeInto(typed, "bells and buoys");
  const before = await typed.inputValue();
  const screen = await visitor.context.newCDPSession(page);
  await placeCaret(typed, 4);
  await compose(screen, ["に", "にほ", "にほん"], "日本", () =>
    call("POST", `/api/board/${boardId}/tiles`, { content: "One more.", zone_id: zoneId }).then(() => afterDrawing(typed)),
  );
  expect(await afterDrawing(typed)).toEqual({ value: `${before.slice(0, 4)}日本${before.slice(4)}`, caret: 6 });
});

it("input during a save is kept and saved next", async () => {
  const typed = await edit("Edit text");
  await typeInto(typed, "First");
  let release = (): void => undefined;
  const isHeld = new Promise<void>((resolve) => (release = resolve));
  await page.route(`**/api/board/tiles/${tileId}`, async (route) => {
    if (route.request().method() === "PATCH") await isHeld;
    await route.continue();
  });
  const saved = page.waitForResponse((response) => response.request().method() === "PATCH");
  await typed.press("Control+Enter");
  await typed.press("End");
  await typed.pressSequentially(", and more");
  release();
  await (await saved).finished();
  await expect.poll(async () => (await call("GET", `/api/board/tiles/${tileId}`)).tile.extractedText).toBe("First");
  expect((await afterDrawing(typed)).value).toBe("First, and more");
  await typed.press("Control+Enter");
  await expect.poll(async () => (await call("GET", `/api/board/tiles/${tileId}`)).tile.extractedText).toBe("First, and more");
  await typed.waitFor({ state: "detached" });
});
