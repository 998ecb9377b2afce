import { extractText, getDocumentProxy } from "unpdf";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Session } from "./support/install.ts";
import { type Scene, openScene } from "./support/scene.ts";

/** Paragraphs that fill several sheets of paper. */
const PARAGRAPHS = 120;

let scene: Scene;
let owner: Session;
let boardId: string;

beforeAll(async () => {
  scene = await openScene();
  owner = await scene.install.claim();
  boardId = await scene.install.defaultBoard(owner);
});
afterAll(async () => scene?.stop());

it.each(["light", "dark"] as const)("a tile is printed whole, over several pages, and alone; in the %s theme, too", async (colorScheme) => {
  const call = (method: string, path: string, body?: unknown): Promise<any> => scene.install.call(owner, method, path, body);
  const content = Array.from(
    { length: PARAGRAPHS },
    (_, index) => `Paragraph number ${index} tells of the tides, of the lamp and of the ships that came in before the night was over.`,
  ).join("\n\n");
  const { tile } = await call("POST", `/api/board/${boardId}/tiles`, { title: "The log of the keeper", content });
  await call("POST", `/api/board/${boardId}/tiles`, { title: "Quite another tile", content: "It is not printed." });
  const visitor = await scene.visit({ colorScheme });
  await visitor.become(owner);
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
  for (const other of ["Quite another tile", "Edit text", "Show the text as it is", "Search", "Feeds chat"])
    expect(words).not.toContain(other);
  visitor.expectClean();
  await visitor.close();
});
