import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type BrowserFixture, startBrowserFixture } from "../support/browser-fixture.ts";
import { typeInto } from "../support/input/typing.ts";
import type { Session } from "../support/install.ts";
import type { Visitor } from "../support/visitor.ts";

let fixture: BrowserFixture;
let owner: Session;
let boardId: string;
let visitor: Visitor;
let page: Page;

const call = (method: string, path: string, body?: unknown): Promise<any> => fixture.install.call(owner, method, path, body);

beforeAll(async () => {
  fixture = await startBrowserFixture();
  owner = await fixture.install.claim();
  visitor = await fixture.visit();
  ({ page } = visitor);
  await visitor.logIn(owner);
});
beforeEach(async () => {
  boardId = (await call("POST", "/api/board/boards", { name: "Harbour" })).board.id;
  for (const name of ["Quay", "Shed"]) await call("POST", `/api/board/${boardId}/zones`, { name });
  await visitor.open(`/b/${boardId}`);
  await zone("Shed").waitFor();
});
afterAll(async () => {
  visitor?.expectClean();
  await fixture?.stop();
});

const zone = (name: string) => page.getByRole("region", { name, exact: true });
const card = (title: string) => page.getByRole("article").getByRole("button", { name: title, exact: true });
const says = (text: string) => page.getByText(text, { exact: true }).waitFor();

/** The board as the server has it: zones in order with their switch and titles. */
async function read(): Promise<string> {
  const { zones } = await call("GET", `/api/board/${boardId}/zones`);
  const { tiles } = await call("GET", `/api/board/${boardId}/tiles?order=position&text=false`);
  const titles = (zoneId: string): string => tiles.flatMap((tile: any) => (tile.zoneId === zoneId ? tile.title : [])).join(", ");
  return zones.map(({ id, name, connectedToChat }: any) => `${name}${connectedToChat ? "" : " off"}: ${titles(id)}`).join(" | ");
}

async function addNote(name: string, text: string): Promise<void> {
  await typeInto(page.getByLabel(`Add to ${name}`, { exact: true }), text);
  await page.keyboard.press("Enter");
  await card(text).waitFor();
  await page.keyboard.press("Escape");
}

async function openZoneMenu(name: string, item: string): Promise<void> {
  await page.getByRole("button", { name: `Actions for zone ${name}`, exact: true }).click();
  await page.getByRole("menuitem", { name: item, exact: true }).click();
}

/** Every action that can be undone, with the board after it. */
const ACTIONS: readonly (readonly [said: string, board: string, act: () => Promise<void>])[] = [
  ["Added “Ropes”.", "Quay: Ropes | Shed: ", () => addNote("Quay", "Ropes")],
  [
    "Moved “Ropes” to Shed.",
    "Quay:  | Shed: Ropes",
    async () => {
      await card("Ropes").focus();
      await page.keyboard.press("m");
      await page.getByRole("dialog").getByRole("button", { name: "Shed", exact: true }).click();
    },
  ],
  [
    "Disconnected “Quay” from chat.",
    "Quay off:  | Shed: Ropes",
    () => page.getByRole("switch", { name: "Connected to chat in Quay" }).click(),
  ],
  [
    "Renamed “Quay” to “Pier”.",
    "Pier off:  | Shed: Ropes",
    async () => {
      await openZoneMenu("Quay", "Rename");
      await typeInto(page.getByLabel("Name of Quay", { exact: true }), "Pier");
      await page.keyboard.press("Enter");
      await zone("Pier").getByRole("heading").and(page.locator(":focus")).waitFor();
    },
  ],
  ["Moved “Shed”.", "Shed: Ropes | Pier off: ", () => openZoneMenu("Shed", "Move left")],
  [
    "Added “Yard”.",
    "Shed: Ropes | Pier off:  | Yard: ",
    async () => {
      await page.evaluate("document.activeElement.blur()");
      await page.keyboard.press("z");
      await typeInto(page.getByLabel("Name of the new zone"), "Yard");
      await page.keyboard.press("Enter");
      await page.getByLabel("Add to Yard", { exact: true }).and(page.locator(":focus")).waitFor();
    },
  ],
  [
    "Deleted “Ropes”.",
    "Shed:  | Pier off:  | Yard: ",
    async () => {
      await card("Ropes").focus();
      await page.keyboard.press("Delete");
    },
  ],
  ["Deleted “Shed”.", "Pier off:  | Yard: ", () => openZoneMenu("Shed", "Delete zone and tiles")],
];

it("undo and redo work for every kind of action, one after the other, and say what they do", { timeout: 300_000 }, async () => {
  const boards = [await read()];
  for (const [, board, act] of ACTIONS) {
    await act();
    await expect.poll(read).toBe(board);
    boards.push(board);
  }
  await page.getByRole("menu").waitFor({ state: "detached" });
  for (let at = ACTIONS.length - 1; at >= 0; at--) {
    await page.keyboard.press("Control+z");
    await says(`Undone: ${ACTIONS[at]![0]}`);
    await expect.poll(read).toBe(boards[at]);
  }
  await page.keyboard.press("Control+z");
  await says("There is nothing to undo.");
  for (const [at, [said, board]] of ACTIONS.entries()) {
    await page.keyboard.press(at % 2 === 0 ? "Control+Shift+z" : "Control+y");
    await says(said);
    await expect.poll(read).toBe(board);
  }
  await page.keyboard.press("Control+y");
  await says("There is nothing to redo.");
});

it("undo says that there is nothing to undo in an empty field too, and leaves typed text to the browser", async () => {
  const box = page.getByLabel("Add to Quay", { exact: true });
  await box.focus();
  await page.keyboard.press("Control+z");
  await says("There is nothing to undo.");
  await page.getByRole("button", { name: "Dismiss" }).click();
  await box.focus();
  await page.keyboard.type("rope");
  await page.keyboard.press("Control+z");
  expect(await box.inputValue()).not.toBe("rope");
  expect(await page.getByText("There is nothing to undo.").count()).toBe(0);
});

it("undo keeps what others did since: a new zone that has tiles, and a zone that was renamed", async () => {
  await page.keyboard.press("z");
  await typeInto(page.getByLabel("Name of the new zone"), "Yard");
  await page.keyboard.press("Enter");
  await zone("Yard").waitFor();
  const { zones } = await call("GET", `/api/board/${boardId}/zones`);
  const [quay, , yard] = zones as { id: string }[];
  await call("POST", `/api/board/${boardId}/tiles`, { title: "Anchor", content: "Rusty.", zone_id: yard!.id });
  await card("Anchor").waitFor();
  await page.evaluate("document.activeElement.blur()");
  await page.keyboard.press("Control+z");
  await says("“Yard” has tiles now. Delete it in its menu.");
  await openZoneMenu("Quay", "Rename");
  await typeInto(page.getByLabel("Name of Quay", { exact: true }), "Pier");
  await page.keyboard.press("Enter");
  await zone("Pier").waitFor();
  await call("PATCH", `/api/board/zones/${quay!.id}`, { name: "Mole" });
  await zone("Mole").waitFor();
  await page.evaluate("document.activeElement.blur()");
  await page.keyboard.press("Control+z");
  await says("“Pier” was changed by somebody else since.");
  expect(await read()).toBe("Mole:  | Shed:  | Yard: Anchor");
  await page.keyboard.press("Control+z");
  await says("There is nothing to undo.");
});

const reader = (title: string) => page.getByRole("dialog", { name: title });
const isFocused = (name: string) => page.getByRole("button", { name, exact: true }).and(page.locator(":focus")).waitFor();
const closeReader = async (title: string): Promise<void> => {
  await page.keyboard.press("Escape");
  await reader(title).waitFor({ state: "detached" });
};

it("undo covers a new title, a new text, the switch and the deletion of an open tile, and focuses its card", async () => {
  await addNote("Quay", "Ropes");
  await addNote("Quay", "Anchors");
  const { tiles } = await call("GET", `/api/board/${boardId}/tiles?text=false`);
  const { id } = tiles.find(({ title }: { title: string }) => title === "Ropes");
  const state = async (): Promise<readonly unknown[]> => {
    const { tile } = await call("GET", `/api/board/tiles/${id}`);
    return [tile.title, tile.extractedText, tile.connectedToChat];
  };
  await card("Ropes").click();
  await reader("Ropes").getByRole("button", { name: "Rename", exact: true }).click();
  await typeInto(page.getByRole("textbox", { name: "Title" }), "Lines");
  await page.keyboard.press("Enter");
  await isFocused("Rename");
  await reader("Lines").getByRole("button", { name: "Edit text", exact: true }).click();
  await typeInto(page.getByRole("textbox", { name: "Text", exact: true }), "Twelve of them.");
  await page.keyboard.press("Control+Enter");
  await isFocused("Edit text");
  await page.getByRole("switch", { name: "Use in answers" }).click();
  await page.getByText("Answers and generated drafts do not use this tile.", { exact: false }).waitFor();
  await expect.poll(state).toEqual(["Lines", "Twelve of them.", false]);
  await closeReader("Lines");
  await isFocused("Lines");
  await card("Anchors").focus();
  for (const [said, after] of [
    ["Left “Lines” out of answers.", ["Lines", "Twelve of them.", null]],
    ["Edited the text of “Lines”.", ["Lines", "Ropes", null]],
    ["Renamed “Ropes” to “Lines”.", ["Ropes", "Ropes", null]],
  ] as const) {
    await page.keyboard.press("Control+z");
    await says(`Undone: ${said}`);
    await expect.poll(state).toEqual(after);
  }
  await isFocused("Ropes");
  for (let step = 0; step < 3; step++) await page.keyboard.press("Control+y");
  await expect.poll(state).toEqual(["Lines", "Twelve of them.", false]);
  await card("Lines").click();
  await reader("Lines").getByRole("button", { name: "Delete tile" }).click();
  await card("Lines").waitFor({ state: "detached" });
  await isFocused("Anchors");
  await page.keyboard.press("Control+z");
  await isFocused("Lines");
});

it("undo takes back a change whose response is still on its way", async () => {
  await addNote("Quay", "Ropes");
  const { tiles } = await call("GET", `/api/board/${boardId}/tiles?text=false`);
  const readChat = async (): Promise<unknown> => (await call("GET", `/api/board/tiles/${tiles[0].id}`)).tile.connectedToChat;
  const answer = Promise.withResolvers<void>();
  await page.route(`**/api/board/tiles/${tiles[0].id}`, async (route) => {
    if (route.request().method() !== "PATCH") return route.continue();
    const response = await route.fetch();
    await answer.promise;
    await route.fulfill({ response });
  });
  await card("Ropes").click();
  await page.getByRole("switch", { name: "Use in answers" }).click();
  await expect.poll(readChat).toBe(false);
  await closeReader("Ropes");
  await page.keyboard.press("Control+z");
  await says("Undone: Left “Ropes” out of answers.");
  answer.resolve();
  await expect.poll(readChat).toBe(null);
  await page.unrouteAll({ behavior: "wait" });
});

it("undo takes back a new tile whose response is still on its way, and redo brings it back", async () => {
  await addNote("Quay", "Anchors");
  const isSent = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  await page.route(`**/api/board/${boardId}/tiles`, async (route) => {
    if (route.request().method() !== "POST") return route.continue();
    const response = await route.fetch();
    isSent.resolve();
    await answer.promise;
    await route.fulfill({ response });
  });
  await typeInto(page.getByLabel("Add to Quay", { exact: true }), "Ropes");
  await page.keyboard.press("Enter");
  await isSent.promise;
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+z");
  await says("Undone: Added “Ropes”.");
  await card("Ropes").waitFor({ state: "detached" });
  answer.resolve();
  await expect.poll(read).toBe("Quay: Anchors | Shed: ");
  await page.keyboard.press("Control+y");
  await expect.poll(read).toBe("Quay: Ropes, Anchors | Shed: ");
  await card("Ropes").waitFor();
  await page.unrouteAll({ behavior: "wait" });
});

it("undo of links that wait for others sends none of them, shows no card again, and redo adds all", async () => {
  const names = ["a", "b", "c", "d", "e", "f"];
  const links = names.map((name) => `https://nowhere.invalid/${name}`);
  const sent: string[] = [];
  const answers = new Map(names.map((name) => [name, Promise.withResolvers<void>()]));
  await page.route(`**/api/board/${boardId}/tiles`, async (route) => {
    if (route.request().method() !== "POST") return route.continue();
    const name = String(route.request().postDataJSON().url).at(-1)!;
    sent.push(name);
    const response = await route.fetch();
    await answers.get(name)!.promise;
    await route.fulfill({ response });
  });
  await page.evaluate(`(() => {
    globalThis.titles = new Set();
    new MutationObserver(() => {
      for (const card of document.querySelectorAll("article")) globalThis.titles.add(card.textContent);
    }).observe(document.body, { childList: true, subtree: true });
  })()`);
  const readShown = (): Promise<number> => page.evaluate("globalThis.titles.size");
  const countTiles = async (): Promise<number> => (await call("GET", `/api/board/${boardId}/tiles?text=false`)).tiles.length;
  const box = page.getByLabel("Add to Quay", { exact: true });
  await box.focus();
  // Not typed: Enter adds the line before it, and pasted lines are added as a whole.
  await box.fill(links.join("\n"));
  await page.keyboard.press("Enter");
  await expect.poll(() => sent.length).toBe(4);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+z");
  await says("Undone: Added 6 tiles.");
  await expect.poll(() => page.getByRole("article").count()).toBe(0);
  await page.evaluate("globalThis.titles.clear()");
  await expect.poll(countTiles).toBe(4);
  for (const name of ["a", "b", "c"]) {
    const response = page.waitForResponse((one) => one.request().postData()?.includes(`/${name}"`) ?? false);
    answers.get(name)!.resolve();
    await response;
  }
  answers.get("d")!.resolve();
  await expect.poll(countTiles).toBe(0);
  expect([sent.toSorted().join(""), await readShown()]).toEqual(["abcd", 0]);
  for (const name of ["e", "f"]) answers.get(name)!.resolve();
  await page.keyboard.press("Control+y");
  await expect.poll(countTiles).toBe(6);
  await expect.poll(() => page.getByRole("article").count()).toBe(6);
  expect(sent.toSorted().join("")).toBe("abcdef");
  await page.keyboard.press("Control+z");
  await expect.poll(countTiles).toBe(0);
  await page.unrouteAll({ behavior: "wait" });
});

it("undo is refused for what somebody else changed since, and for nothing else", async () => {
  await addNote("Quay", "Ropes");
  const { tiles } = await call("GET", `/api/board/${boardId}/tiles?text=false`);
  await card("Ropes").click();
  await reader("Ropes").getByRole("button", { name: "Rename", exact: true }).click();
  await typeInto(page.getByRole("textbox", { name: "Title" }), "Lines");
  await page.keyboard.press("Enter");
  await isFocused("Rename");
  await reader("Lines").getByRole("button", { name: "Edit text", exact: true }).click();
  await typeInto(page.getByRole("textbox", { name: "Text", exact: true }), "Mine.");
  await page.keyboard.press("Control+Enter");
  await isFocused("Edit text");
  await call("PATCH", `/api/board/tiles/${tiles[0].id}`, { content: "Theirs." });
  await closeReader("Lines");
  await page.keyboard.press("Control+z");
  await says("“Lines” was changed by somebody else since.");
  expect((await call("GET", `/api/board/tiles/${tiles[0].id}`)).tile.extractedText).toBe("Theirs.");
  await page.keyboard.press("Control+z");
  await card("Ropes").waitFor();
});

it("undo leaves other fields as they are: with a tile open, while renaming, and in a field without changes", async () => {
  await addNote("Quay", "Ropes");
  const filter = page.getByLabel("Filter by title or URL");
  await typeInto(filter, "dome");
  await typeInto(filter, "");
  await card("Ropes").click();
  await reader("Ropes").getByRole("button", { name: "Close" }).and(page.locator(":focus")).waitFor();
  await page.keyboard.press("Control+z");
  await says("To undo changes on the board, close this first.");
  await reader("Ropes").getByRole("button", { name: "Close" }).and(page.locator(":focus")).waitFor();
  await reader("Ropes").getByRole("button", { name: "Rename", exact: true }).click();
  await page.getByRole("textbox", { name: "Title" }).and(page.locator(":focus")).waitFor();
  await page.keyboard.press("Control+z");
  await says("There is nothing to undo in this field.");
  await page.keyboard.press("Escape");
  await isFocused("Rename");
  await closeReader("Ropes");
  const dismiss = page.getByRole("button", { name: "Dismiss" });
  while ((await dismiss.count()) > 0) await dismiss.first().press("Enter");
  await openZoneMenu("Quay", "Rename");
  const name = page.getByLabel("Name of Quay", { exact: true });
  await name.and(page.locator(":focus")).waitFor();
  await page.keyboard.press("Control+z");
  await says("There is nothing to undo in this field.");
  await name.and(page.locator(":focus")).waitFor();
  expect(await filter.inputValue()).toBe("");
  // What was typed there is undone there.
  await page.keyboard.press("Control+a");
  await page.keyboard.type("Pier");
  await page.keyboard.press("Control+z");
  expect(await name.inputValue()).not.toBe("Pier");
  await page.keyboard.press("Escape");
  await filter.focus();
  await page.keyboard.press("Control+z");
  expect(await read()).toBe("Quay: Ropes | Shed: ");
});

it("the palette undoes and redoes", async () => {
  await addNote("Quay", "Ropes");
  const run = async (words: string): Promise<void> => {
    await page.keyboard.press("Control+k");
    await page.getByLabel("Search tiles, boards and actions", { exact: true }).pressSequentially(words);
    await page.getByRole("option", { name: words, selected: true }).waitFor();
    await page.keyboard.press("Enter");
  };
  await run("Undo");
  await says("Undone: Added “Ropes”.");
  await card("Ropes").waitFor({ state: "detached" });
  await run("Redo");
  await isFocused("Ropes");
});

it("undo goes back fifty steps", { timeout: 300_000 }, async () => {
  const chat = page.getByRole("switch", { name: "Connected to chat in Shed" });
  await addNote("Quay", "Ropes");
  for (let step = 0; step < 50; step++) await chat.click();
  for (let step = 0; step < 50; step++) await page.keyboard.press("Control+z");
  await expect.poll(() => chat.isChecked()).toBe(true);
  await page.keyboard.press("Control+z");
  await says("There is nothing to undo.");
  await expect.poll(read).toBe("Quay: Ropes | Shed: ");
});
