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

it("undoes and redoes every kind of action, one after the other, and says what it does", { timeout: 300_000 }, async () => {
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

it("says that there is nothing to undo in an empty field too, and leaves typed text to the browser", async () => {
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

it("keeps what others did since: a new zone that has tiles, and a zone that was renamed", async () => {
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

it("goes back fifty steps", { timeout: 300_000 }, async () => {
  const chat = page.getByRole("switch", { name: "Connected to chat in Shed" });
  await addNote("Quay", "Ropes");
  for (let step = 0; step < 50; step++) await chat.click();
  for (let step = 0; step < 50; step++) await page.keyboard.press("Control+z");
  await expect.poll(() => chat.isChecked()).toBe(true);
  await page.keyboard.press("Control+z");
  await says("There is nothing to undo.");
  await expect.poll(read).toBe("Quay: Ropes | Shed: ");
});
