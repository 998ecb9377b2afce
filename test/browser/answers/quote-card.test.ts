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

it("a greeting is declined with the reason", async () => {
  await ask("thanks");
  await answers().getByText("This is not a question about the content of this board.", { exact: false }).waitFor();
});

it("a search hit opens its tile with the words marked, not the passage", async () => {
  await visitor.open(`/b/${boardId}`);
  await page.getByRole("article").first().waitFor();
  await page.keyboard.press("Control+K");
  await page.keyboard.type("saturn september");
  const option = page.getByRole("option", { name: /Sky calendar/ });
  await option.locator("mark").first().waitFor();
  await option.click();
  const marks = page.getByRole("dialog", { name: "Sky calendar" }).locator("mark");
  await marks.first().waitFor();
  expect(await marks.allInnerTexts()).toEqual(["Saturn", "September"]);
  visitor.expectClean();
});
