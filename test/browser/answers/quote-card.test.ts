import { afterAll, beforeAll, expect, it } from "vitest";
import type { Page } from "playwright-core";
import { expectAccessible } from "../support/axe.ts";
import { type BrowserFixture, startBrowserFixture } from "../support/browser-fixture.ts";
import { typeInto } from "../support/input/typing.ts";
import type { Session } from "../support/install.ts";
import type { Visitor } from "../support/visitor.ts";

const SKY =
  "Two planets carry the season. Jupiter is the planet of spring, with four moons and two dark belts at a glance, high enough in March to be seen above the larches behind the dome. Venus follows the Sun down before the dome opens, and Mars stays too small this year to show more than a disc. Saturn is best seen in September.";

let fixture: BrowserFixture;
let owner: Session;
let boardId: string;
let visitor: Visitor;
let page: Page;

beforeAll(async () => {
  fixture = await startBrowserFixture();
  owner = await fixture.install.claim();
  boardId = await fixture.install.defaultBoard(owner);
  await fixture.install.call(owner, "POST", `/api/board/${boardId}/tiles`, { title: "Sky calendar", content: SKY });
  visitor = await fixture.visit();
  await visitor.logIn(owner);
  ({ page } = visitor);
});
afterAll(async () => fixture?.stop());

const answers = () => page.getByRole("region", { name: "Questions and answers" });

async function ask(question: string): Promise<void> {
  const box = page.getByRole("textbox", { name: "Your question" });
  await typeInto(box, question);
  await box.press("Enter");
}

it("a quote card shows the sentence that answers, marked, within its three lines", async () => {
  await visitor.open(`/b/${boardId}`);
  await page.getByRole("banner").getByRole("button", { name: "Ask" }).click();
  await page.getByText("Select a quote to open it in its tile.", { exact: false }).waitFor();
  expect(await page.getByText("Select a number", { exact: false }).count()).toBe(0);
  await ask("When is Saturn best seen?");
  const card = answers()
    .getByRole("button", { name: /Sky calendar/ })
    .first();
  const mark = card.locator("mark");
  await mark.waitFor();
  expect(await mark.allInnerTexts()).toEqual(["Saturn is best seen in September"]);
  const [lines, marked] = [await mark.locator("xpath=..").boundingBox(), await mark.boundingBox()];
  if (lines === null || marked === null) throw new Error("The card is not shown.");
  expect(marked.y + marked.height).toBeLessThanOrEqual(lines.y + lines.height + 1);
  await expectAccessible(page, "quote card");
});

it.each(["as Markdown", "as plain text"])(
  "the tile of a quote marks what its card marks, and the rest of the quote lightly: %s",
  async (way) => {
    await answers()
      .getByRole("button", { name: /Sky calendar/ })
      .first()
      .click();
    const tile = page.getByRole("dialog", { name: "Sky calendar" });
    const strong = tile.locator("mark:not(.light)");
    await strong.waitFor();
    if (way === "as plain text") await tile.getByRole("switch", { name: "Show as plain text" }).click();
    await expect.poll(() => strong.allInnerTexts()).toEqual(["Saturn is best seen in September."]);
    const [light] = await tile.locator("mark.light").allInnerTexts();
    expect(light).toContain("Venus follows the Sun down");
    const readColour = (selector: string) =>
      page.evaluate(`getComputedStyle(document.querySelector("dialog ${selector}, [role=dialog] ${selector}")).backgroundColor`);
    expect(await readColour("mark.light")).not.toBe(await readColour("mark:not(.light)"));
    await expectAccessible(page, "quote in its tile");
    await page.keyboard.press("Escape");
    await tile.waitFor({ state: "hidden" });
  },
);

it("a tile is scrolled to the sentence that answers, not to the start of its quote", async () => {
  const far = `Mars is red. ${"Nothing is seen of it. ".repeat(8)}Neptune was found in 1846.`;
  const content = `${"The dome is closed today.\n\n".repeat(60)}${far}`;
  await fixture.install.call(owner, "POST", `/api/board/${boardId}/tiles`, { title: "Log", content });
  await ask("When was Neptune found?");
  await answers().getByRole("button", { name: /Log/ }).last().click();
  const mark = page.getByRole("dialog", { name: "Log" }).locator("mark:not(.light)");
  await mark.waitFor();
  expect(await mark.allInnerTexts()).toEqual(["Neptune was found in 1846."]);
  const getBox = async () => (await mark.boundingBox()) ?? { y: Infinity, height: 0 };
  await expect.poll(async () => (await getBox()).y + (await getBox()).height).toBeLessThan(page.viewportSize()?.height ?? 0);
  await page.keyboard.press("Escape");
  await mark.waitFor({ state: "hidden" });
});

it("a greeting is declined with the reason, and without the number of tokens", async () => {
  await ask("thanks");
  const turn = answers().getByRole("article").last();
  await turn.getByText("This is not a question about the content of this board.", { exact: false }).waitFor();
  expect(await turn.getByText(/tokens? read/).count()).toBe(0);
});

it("a search hit opens its tile with the words marked, not the passage", async () => {
  await visitor.open(`/b/${boardId}`);
  await page.getByRole("article").first().waitFor();
  await page.keyboard.press("Control+K");
  await page.keyboard.type("saturn september");
  const option = page.getByRole("option", { name: /Sky calendar/ });
  await option.locator("mark").nth(1).waitFor();
  await option.click();
  const marks = page.getByRole("dialog", { name: "Sky calendar" }).locator("mark");
  await marks.first().waitFor();
  expect(await marks.allInnerTexts()).toEqual(["Saturn", "September"]);
  visitor.expectClean();
});
