import { expect, it } from "vitest";
import { readDocument } from "#ingest/read/document.ts";
import { parsePdfDate } from "#ingest/read/pdf/properties.ts";
import { sampleBytes } from "../../wire/support/wire.ts";
import { type PdfLine, createPdf } from "./samples.ts";

const read = (bytes: Uint8Array) => readDocument(Uint8Array.from(bytes), "pdf");
const lines = (texts: readonly string[], from = 700, gap = 14): PdfLine[] => texts.map((text, place) => ({ text, y: from - place * gap }));

it("a PDF has its title and pages", async () => {
  await expect(read(sampleBytes("documents/doc.pdf"))).resolves.toEqual({
    title: "Lens brief",
    text: "Rebuild the lens",
    metadata: { stats: { pages: 1 } },
    warnings: [],
  });
});

it("a PDF has joined lines of a paragraph and joined hyphenated words", async () => {
  const page = [
    ...lines(
      [
        "The keeper climbs the stairs of the light-",
        "house every evening and trims the wick so",
        "that ships may see the well-",
        "known beam.",
      ],
      700,
    ),
    ...lines(["A second paragraph tells of a well-known storm", "and of what came after it."], 620),
  ];
  const { text } = await read(createPdf([page]));
  expect(text.split("\n\n")).toEqual([
    "The keeper climbs the stairs of the lighthouse every evening and trims the wick so that ships may see the well-known beam.",
    "A second paragraph tells of a well-known storm and of what came after it.",
  ]);
});

it("a PDF has paragraphs across pages, without headers, footers and page numbers", async () => {
  const pages = [1, 2, 3, 4].map((number) => [
    { text: "Annual report 2024", y: 760, size: 8 },
    ...lines([`Page text ${["one", "two", "three", "four"][number - 1]} begins and`, "does not end"], 700),
    { text: `Page ${number} of 4`, y: 30, size: 8 },
  ]);
  const { text, metadata } = await read(createPdf(pages));
  expect(text).not.toMatch(/Annual|of 4/);
  expect(text).toContain("Page text one begins and does not end");
  expect(metadata.stats).toEqual({ pages: 4 });
});

it("a PDF keeps a line that is on only one or two pages", async () => {
  const pages = ["Contents", "Chapter", "Index", "Notes"].map((head) => [{ text: head, y: 760 }, ...lines([`Words under ${head} here.`])]);
  const { text } = await read(createPdf(pages));
  for (const head of ["Contents", "Chapter", "Index", "Notes"]) expect(text).toContain(head);
});

it("a PDF keeps the entries of a table of contents apart, without dots and Roman page numbers", async () => {
  const front = ["i", "ii", "iii"].map((number) => [
    ...lines([`Lamps of part ${number} ${". ".repeat(30)}7`, `Oil of part ${number} ${". ".repeat(30)}9`]),
    { text: number, y: 40 },
  ]);
  const { text } = await read(createPdf(front));
  expect(text.split("\n\n").slice(0, 2)).toEqual(["Lamps of part i … 7", "Oil of part i … 9"]);
  expect(text).not.toMatch(/^i+$/m);
});

it("a PDF has its largest first line as title if it names none, and large lines as headings", async () => {
  const page = [
    { text: "On lenses", y: 730, size: 24 },
    ...lines(["They bend light.", "They are of glass."]),
    { text: "Grinding", y: 640, size: 16 },
    { text: "It takes time.", y: 620 },
  ];
  const { title, text } = await read(
    createPdf([page], "/Title (Microsoft Word - draft.docx) /Author (Ada Keeper) /CreationDate (D:20210304050607+01'00')"),
  );
  expect(title).toBe("On lenses");
  expect(text).toMatch(/^## On lenses\n\n[^]*\n\n## Grinding\n\nIt takes time\.$/);
});

it.each([
  "about:blank",
  "Untitled-1",
  "Microsoft Word",
  "C:\\\\reports\\\\annual.doc",
  "annual.indd",
  "/home/a/annual report.odt",
  "file:///home/a/annual.html",
])("a PDF is not named %s, which its program wrote", async (named) => {
  const page = [{ text: "On lenses", y: 730, size: 24 }, ...lines(["They bend light.", "They are of glass."])];
  expect((await read(createPdf([page], `/Title (${named})`))).title).toBe("On lenses");
});

it.each([
  ["Microsoft Word - Annual report", "Annual report"],
  ["Microsoft Word - Annual report v1.2", "Annual report v1.2"],
  ["Microsoft PowerPoint - On the lens.pptx", "On the lens"],
])("a PDF has the name of its document without that of the program that printed it: %s", async (named, title) => {
  expect((await read(createPdf([lines(["Words."])], `/Title (${named})`))).title).toBe(title);
});

it("a PDF has its author and date", async () => {
  const { metadata } = await read(createPdf([lines(["Words."])], "/Author (Ada Keeper) /CreationDate (D:20210304050607+01'00')"));
  expect(metadata).toMatchObject({ author: "Ada Keeper", publishedAt: "2021-03-04T04:06:07.000Z" });
  expect(parsePdfDate("D:2021")).toBe("2021-01-01T00:00:00.000Z");
  expect(parsePdfDate("D:20211399")).toBeNull();
  expect(parsePdfDate("yesterday")).toBeNull();
  expect(parsePdfDate(null)).toBeNull();
});

it("a PDF without a text layer fails with advice, or has its metadata with a warning", async () => {
  await expect(read(createPdf([[]]))).rejects.toMatchObject({
    code: "no_text",
    stage: "extract",
    message: expect.stringContaining("scanned pages"),
  });
  await expect(read(createPdf([[]], "/Title (Scanned deed) /Subject (A deed of sale)"))).resolves.toMatchObject({
    title: "Scanned deed",
    text: "A deed of sale",
    warnings: [{ code: "no_text" }],
  });
});

it("a PDF with a password or damage fails with that reason", async () => {
  await expect(read(createPdf([lines(["Secret"])], "", { encrypt: true }))).rejects.toMatchObject({
    code: "encrypted",
    retryable: false,
  });
  await expect(read(Buffer.from("%PDF-1.7 nothing of it"))).rejects.toMatchObject({ code: "unreadable_file" });
});

it("a PDF of very many words is truncated with a warning", async () => {
  const wide = "word ".repeat(1_000);
  const page = Array.from({ length: 60 }, (_, place) => ({ text: wide, y: 780 - place * 12, size: 0.2 }));
  const found = await read(createPdf(Array.from({ length: 8 }, () => page)));
  expect(found.text.length).toBeLessThanOrEqual(1_000_000);
  expect(found.warnings).toMatchObject([{ code: "truncated" }]);
});
