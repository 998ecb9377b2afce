import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBrowser } from "../../browser/support/chromium.ts";
import { type TestService, startTestService } from "../../support/service.ts";
import { SERVER, flowWith } from "../support/flows.ts";
import { type NodeRed, startNodeRed } from "../support/node-red.ts";

const NODES = ["create", "ask", "search", "generate", "event-in"].map((name, index) => ({ id: `00000000000000a${index}`, name }));

/** The tests themselves end what hangs. */
const TIMEOUT_MS = 100_000;

let service: TestService;
let nodeRed: NodeRed;
let browser: Browser;
let page: Page;
const errors: string[] = [];

beforeAll(async () => {
  service = await startTestService();
  await service.call("POST", `/api/board/${service.boardId}/zones`, { body: { name: "Inbox" } });
  nodeRed = await startNodeRed();
  const nodes = NODES.map(({ id, name }) => ({
    id,
    type: `tessera-${name}`,
    name: "",
    server: SERVER,
    board: service.boardId,
    zone: "",
    events: ["tile.ready"],
  }));
  await nodeRed.deploy(flowWith(service.url, ...nodes), { [SERVER]: { apiKey: service.key } });
  browser = await openBrowser();
  page = await browser.newPage();
  page.setDefaultTimeout(TIMEOUT_MS);
  page.on("pageerror", (error) => errors.push(error.message));
  await page.goto(`${nodeRed.url}/admin/`);
  await page.waitForFunction((id) => (globalThis as any).RED?.nodes?.node?.(id) != null, NODES[0]!.id);
});
afterAll(async () => {
  await browser?.close();
  await nodeRed?.stop();
  await service?.stop();
});

/** Opens the dialog of a node, and returns it when its board is loaded. */
async function open(id: string) {
  await page.evaluate((nodeId) => (globalThis as any).RED.editor.edit((globalThis as any).RED.nodes.node(nodeId)), id);
  const dialog = page.locator(".red-ui-tray");
  await dialog.locator("#node-input-board option", { hasText: "Main board" }).waitFor({ state: "attached" });
  return dialog;
}

const close = async (): Promise<void> => {
  await page.locator("#node-dialog-ok").click();
  await page.locator(".red-ui-tray").waitFor({ state: "detached" });
};

test("every dialog has its texts, and lists boards and zones", async () => {
  for (const { id, name } of NODES) {
    const dialog = await open(id);
    const labels = (await dialog.locator(".form-row label:first-child").allInnerTexts()).map((label) => label.trim());
    expect(labels.slice(0, 3), name).toEqual(["Name", "Server", "Board"]);
    expect(await dialog.locator("#node-input-board").inputValue(), name).toBe(service.boardId);
    if (["create", "generate"].includes(name))
      await dialog.locator("#node-input-zone option", { hasText: "Inbox" }).waitFor({ state: "attached" });
    expect(await dialog.locator(".tessera-note").innerText(), name).toBe("");
    await close();
  }
  expect(errors).toEqual([]);
});

test("the choice of events is kept", async () => {
  const dialog = await open(NODES[4]!.id);
  expect(await dialog.locator("#tessera-events input:checked").evaluateAll((boxes) => boxes.map((box: any) => box.value))).toEqual([
    "tile.ready",
  ]);
  await dialog.getByText("a tile was deleted").click();
  await close();
  expect(await page.evaluate((id) => (globalThis as any).RED.nodes.node(id).events, NODES[4]!.id)).toEqual(["tile.ready", "tile.deleted"]);
});

test("the dialog of a server tests the stored key with the stored address, and says what the key may do", async () => {
  await page.evaluate((id) => (globalThis as any).RED.editor.editConfig("", "tessera-server", id), SERVER);
  const result = page.locator("#tessera-test-result");
  await page.locator("#tessera-test").click();
  await result.getByText("Connected to").waitFor();
  expect(await result.innerText()).toContain("write, all boards");
  await page.locator("#node-config-input-url").fill("http://127.0.0.1:9");
  await page.locator("#tessera-test").click();
  expect(await result.innerText()).toBe("Enter the API key again to test another address.");
  expect(errors).toEqual([]);
});
