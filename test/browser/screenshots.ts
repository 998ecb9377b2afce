import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { openBrowser } from "./support/chromium.ts";
import { press } from "./support/input/forms.ts";
import { fillHarbour, startFaro } from "./support/content/harbour.ts";
import { startInstall } from "./support/install.ts";
import { SETTINGS } from "./support/pages.ts";
import { buildPage } from "./support/setup.ts";
import { SCREENS, settle, visit } from "./support/visitor.ts";

const FOLDER = join(import.meta.dirname, "shots");
const THEMES = ["light", "dark"] as const;

type Shot = readonly [name: string, path: string, prepare?: (page: Page) => Promise<void>];

async function openLens(page: Page): Promise<void> {
  await page.getByRole("button", { name: "How the lens was made", exact: true }).click();
  await page.getByText("carried up in eleven pieces").waitFor();
}

const STRANGERS: readonly Shot[] = [
  ["login", "/login"],
  ["login-refused", "/login", (page) => press(page, "Log in")],
  ["claim", "/claim#tsc_nothing"],
  ["join-dead", "/join#tsi_nothing"],
];

const listShots = (boardId: string, emptyId: string): readonly Shot[] => [
  ["board", `/b/${boardId}`],
  ["board-empty", `/b/${emptyId}`],
  [
    "board-menu",
    `/b/${boardId}`,
    async (page) => {
      await page.getByRole("button", { name: "Actions for How the lens was made" }).click();
      await page.getByRole("menu").waitFor();
    },
  ],
  ["reader", `/b/${boardId}`, openLens],
  [
    "ask",
    `/b/${boardId}`,
    async (page) => {
      await page.getByRole("button", { name: "Ask", exact: true }).first().click();
      const box = page.getByLabel("Your question", { exact: true });
      await box.pressSequentially("When does the museum open?");
      await box.press("Enter");
      await page.getByText("between May and September").last().waitFor();
    },
  ],
  [
    "palette",
    `/b/${boardId}`,
    async (page) => {
      await page.keyboard.press("Control+K");
      await page.getByLabel("Search tiles, boards and actions", { exact: true }).pressSequentially("lens");
      await page.getByRole("option", { name: /lens/ }).first().waitFor();
    },
  ],
  ["shortcuts", `/b/${boardId}`, (page) => page.keyboard.press("?")],
  ...SETTINGS.map((path) => [path.slice(1).replace("/", "-"), path] as const),
];

/** Takes screenshots of all pages at three sizes and in both themes into `shots/`. Arguments select names by prefix. */
export async function run(names: readonly string[]): Promise<void> {
  const failure = buildPage();
  if (failure !== null) throw new Error(failure);
  mkdirSync(FOLDER, { recursive: true });
  const faro = await startFaro();
  const install = await startInstall(faro.environment);
  const browser = await openBrowser();
  try {
    const owner = await install.claim();
    const boardId = await fillHarbour(install, owner);
    const { boards } = await install.call(owner, "GET", "/api/board/boards");
    const emptyId = boards.find(({ id }: { id: string }) => id !== boardId).id;
    for (const theme of THEMES) {
      for (const [screen, size] of Object.entries(SCREENS)) {
        const visitor = await visit(browser, install, { ...size, colorScheme: theme });
        const take = async ([name, path, prepare]: Shot): Promise<void> => {
          if (names.length > 0 && !names.some((wanted) => name.startsWith(wanted))) return;
          try {
            // An open page would not reload for the same address or another hash.
            await visitor.page.goto("about:blank");
            await visitor.open(path);
            await visitor.page.waitForTimeout(400);
            await prepare?.(visitor.page);
            await settle(visitor.page);
            await visitor.page.waitForTimeout(400);
            visitor.expectClean();
          } catch (error) {
            process.stderr.write(`${name} ${screen} ${theme}: ${error instanceof Error ? error.message : String(error)}\n`);
          }
          await visitor.page.screenshot({ path: join(FOLDER, `${name}-${screen}-${theme}.png`) });
        };
        for (const shot of STRANGERS) await take(shot);
        await visitor.logIn(owner);
        for (const shot of listShots(boardId, emptyId)) await take(shot);
        await visitor.close();
      }
    }
  } finally {
    await browser.close();
    await install.stop();
    await faro.close();
  }
}
