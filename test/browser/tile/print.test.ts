import { extractText, getDocumentProxy } from "unpdf";
import { afterAll, beforeAll, expect, it } from "vitest";
import { importTile } from "../support/content/imported-tile.ts";
import type { Session } from "../support/install.ts";
import { type BrowserFixture, startBrowserFixture } from "../support/browser-fixture.ts";

/** Paragraphs that fill several pages. */
const PARAGRAPHS = 120;

let fixture: BrowserFixture;
let owner: Session;
let boardId: string;

beforeAll(async () => {
  fixture = await startBrowserFixture();
  owner = await fixture.install.claim();
  boardId = await fixture.install.defaultBoard(owner);
});
afterAll(async () => fixture?.stop());

it.each(["light", "dark"] as const)(
  "a tile is printed completely, over several pages, without the board, in the %s theme",
  async (colorScheme) => {
    const call = (method: string, path: string, body?: unknown): Promise<any> => fixture.install.call(owner, method, path, body);
    const content = Array.from(
      { length: PARAGRAPHS },
      (_, index) => `Paragraph number ${index} tells of the tides, of the lamp and of the ships that came in before the night was over.`,
    ).join("\n\n");
    const { tile } = await call("POST", `/api/board/${boardId}/tiles`, { title: "The log of the keeper", content });
    await call("POST", `/api/board/${boardId}/tiles`, { title: "Quite another tile", content: "It is not printed." });
    const visitor = await fixture.visit({ colorScheme });
    await visitor.logIn(owner);
    await visitor.open(`/b/${boardId}?tile=${tile.id}`);
    await visitor.page.getByText("Paragraph number 0 tells").waitFor();
    const pdf = await getDocumentProxy(new Uint8Array(await visitor.page.pdf({ format: "A4" })));
    const { totalPages, text } = await extractText(pdf, { mergePages: true });
    expect(totalPages).toBeGreaterThan(2);
    expect(text).toContain("The log of the keeper");
    const words = text.replace(/\s+/g, " ");
    expect(
      Array.from({ length: PARAGRAPHS }, (_, index) => index).filter((index) => !words.includes(`Paragraph number ${index} tells`)),
    ).toEqual([]);
    expect(words.match(/Paragraph number 7 tells/g)).toHaveLength(1);
    for (const other of ["Quite another tile", "Edit text", "Show as plain text", "Search", "Connected to chat"])
      expect(words).not.toContain(other);
    visitor.expectClean();
    await visitor.close();
  },
);

it("the print has the text and open details, but no controls or warnings", async () => {
  const link = await importTile(fixture.install, owner, {
    title: "A page with a warning",
    extractedText: "What the page says.",
    warnings: [{ code: "cookie_wall", message: "The site asks for consent." }],
  });
  const visitor = await fixture.visit();
  await visitor.logIn(owner);
  await visitor.open(`/b/${link.boardId}?tile=${link.id}`);
  await visitor.page.getByText("The site asks for consent.").last().waitFor();
  await visitor.page.getByText("Details").click();
  const pdf = await getDocumentProxy(new Uint8Array(await visitor.page.pdf({ format: "A4" })));
  const words = (await extractText(pdf, { mergePages: true })).text.replace(/\s+/g, " ");
  for (const shown of ["A page with a warning", "What the page says.", "Added"]) expect(words).toContain(shown);
  for (const hidden of ["Use in answers", "Answers and generated drafts", "asks for consent", "Refresh", "Never", "Edit text"])
    expect(words).not.toContain(hidden);
  await visitor.close();
});
