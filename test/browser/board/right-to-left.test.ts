import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { expectAccessible } from "../support/axe.ts";
import type { Session } from "../support/install.ts";
import { type BrowserFixture, startBrowserFixture } from "../support/browser-fixture.ts";
import { typeInto } from "../support/input/typing.ts";
import type { Visitor } from "../support/visitor.ts";

const ZONE = "נמל";
const TITLE = "שעות הפתיחה של המגדלור (2026)";
const HEBREW = "המגדלור פתוח בימי ראשון, מעשר עד ארבע.";
const ENGLISH = "The lighthouse is open on Sundays.";
const ARABIC = "المنارة مفتوحة يوم الأحد.";
const CONTENT = `# ${TITLE}\n\n${HEBREW}\n\n${ENGLISH}\n\n- ${ARABIC}\n- ${HEBREW}\n\n> ${ARABIC}\n\n\`\`\`\nlet opening = "10";\n\`\`\``;

let fixture: BrowserFixture;
let owner: Session;
let boardId: string;
let tileId: string;
let visitor: Visitor;
let page: Page;

beforeAll(async () => {
  fixture = await startBrowserFixture();
  owner = await fixture.install.claim();
  const call = (method: string, path: string, body?: unknown): Promise<any> => fixture.install.call(owner, method, path, body);
  boardId = (await call("POST", "/api/board/boards", { name: "לוח המגדלור" })).board.id;
  const { zone } = await call("POST", `/api/board/${boardId}/zones`, { name: ZONE });
  tileId = (await call("POST", `/api/board/${boardId}/tiles`, { title: TITLE, content: CONTENT, zone_id: zone.id })).tile.id;
  visitor = await fixture.visit();
  ({ page } = visitor);
  await visitor.logIn(owner);
});
afterAll(async () => fixture?.stop());

/** The text direction of an element, and the side where its first line begins. */
const getDirection = (place: Locator): Promise<"rtl" | "ltr"> =>
  place.evaluate((element: any) => {
    const { document, getComputedStyle } = globalThis as any;
    const { direction } = getComputedStyle(element);
    if (element.matches("input, textarea")) return direction;
    const range = document.createRange();
    range.selectNodeContents(element);
    const parts = [...range.getClientRects()];
    const line = parts.filter(({ top }: any) => Math.abs(top - parts[0].top) < 8);
    const box = element.getBoundingClientRect();
    const [left, right] = [
      Math.min(...line.map((part: any) => part.left)) - box.left,
      box.right - Math.max(...line.map((part: any) => part.right)),
    ];
    // A line that fills its box begins on both sides.
    return Math.abs(left - right) < 2 ? direction : right < left ? "rtl" : "ltr";
  });

it("titles and names on the board follow the direction of their letters", async () => {
  await visitor.open(`/b/${boardId}`);
  const card = page.getByRole("article");
  await card.waitFor();
  expect(await getDirection(card.getByText(TITLE))).toBe("rtl");
  expect(await getDirection(page.getByRole("heading", { name: ZONE, exact: true }))).toBe("rtl");
  await expectAccessible(page, "a board from right to left");
});

it("the controls of a card cover the end of its title in both directions", async () => {
  await fixture.install.call(owner, "POST", `/api/board/${boardId}/tiles`, { title: "A lighthouse", content: "It burns." });
  await visitor.open(`/b/${boardId}`);
  for (const [title, isRightToLeft] of [
    [TITLE, true],
    ["A lighthouse", false],
  ] as const) {
    const card = page.getByRole("article").filter({ hasText: title });
    await card.hover();
    const box = await card.boundingBox();
    const buttons = await card.getByRole("button", { name: `Move ${title}` }).boundingBox();
    const start = await card.getByRole("checkbox").boundingBox();
    expect(buttons!.x > box!.x + box!.width / 2, title).toBe(!isRightToLeft);
    expect(buttons!.x >= start!.x + start!.width, title).toBe(true);
  }
});

it("paragraphs follow the direction of their letters, and code runs from left to right", async () => {
  await visitor.open(`/b/${boardId}?tile=${tileId}`);
  const reader = page.getByRole("dialog");
  await reader.getByText(ENGLISH).waitFor();
  expect(await getDirection(reader.getByRole("heading", { name: TITLE }).first())).toBe("rtl");
  const prose = reader.locator(".prose");
  expect(await getDirection(prose.locator("p", { hasText: HEBREW }).first())).toBe("rtl");
  expect(await getDirection(prose.locator("p", { hasText: ENGLISH }))).toBe("ltr");
  expect(await getDirection(prose.locator("li").first())).toBe("rtl");
  expect(await getDirection(prose.locator("blockquote p"))).toBe("rtl");
  expect(await getDirection(prose.locator("code"))).toBe("ltr");
  // List markers and the bar of a quotation are on the side where lines begin.
  expect(await prose.locator("ul").evaluate((list: any) => (globalThis as any).getComputedStyle(list).paddingRight)).toBe("24px");
  expect(await prose.locator("blockquote").evaluate((quote: any) => (globalThis as any).getComputedStyle(quote).borderRightWidth)).toBe(
    "3px",
  );
  await reader.getByRole("switch", { name: "Show as plain text" }).click();
  expect(await getDirection(reader.locator(".prose-plain p").first())).toBe("rtl");
  visitor.expectClean();
});

it("fields follow the direction of the input", async () => {
  await visitor.open(`/b/${boardId}`);
  await page.getByRole("banner").getByRole("button", { name: "Ask" }).click();
  for (const field of [
    page.getByRole("textbox", { name: "Your question" }),
    page.getByRole("textbox", { name: `Add to ${ZONE}` }),
    page.getByRole("searchbox", { name: "Filter by title or URL" }),
  ]) {
    await typeInto(field, HEBREW);
    expect(await getDirection(field)).toBe("rtl");
    await typeInto(field, "When?");
    expect(await getDirection(field)).toBe("ltr");
  }
});

it("questions, answers and quotes follow their direction, and names do not affect the surrounding sentence", async () => {
  await visitor.open(`/b/${boardId}`);
  await page.getByRole("banner").getByRole("button", { name: "Ask" }).click();
  const field = page.getByRole("textbox", { name: "Your question" });
  await typeInto(field, "מתי המגדלור פתוח?");
  await field.press("Enter");
  const turn = page.getByRole("region", { name: "Questions and answers" }).getByRole("article");
  const quotes = turn.getByRole("list").last();
  await turn.getByText("tokens read", { exact: false }).waitFor();
  expect(await getDirection(turn.getByRole("heading", { name: "מתי המגדלור פתוח?" }))).toBe("rtl");
  expect(await getDirection(quotes.locator("[dir=auto]").first())).toBe("rtl");
  await page.getByRole("button", { name: `Actions for zone ${ZONE}` }).click();
  await page.getByRole("menuitem", { name: "Delete zone and tiles" }).click();
  const note = page.getByText("Deleted “", { exact: false });
  await note.waitFor();
  expect(await note.locator("bdi").textContent()).toBe(ZONE);
  expect(await note.textContent()).toBe(`Deleted “${ZONE}” and 1 tile.`);
});
