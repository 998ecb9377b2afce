import { describe, expect, it } from "vitest";
import { readDocument } from "#ingest/read/document.ts";
import { serialToIso } from "#ingest/read/office/excel/number-format.ts";
import { resolveName } from "#ingest/read/office/archive/relations.ts";
import { sampleBytes } from "../../wire/support/wire.ts";
import { readXml } from "#ingest/read/markup/xml.ts";
import { toBytes, docx, epub, odp, ods, odt, pptx, rtf, xlsx, createZip } from "./samples.ts";

const read = (bytes: Uint8Array) => readDocument(bytes, "zip");
const ADA = { author: "Ada Keeper", publishedAt: "2023-04-05T06:07:08.000Z" };

describe("Word documents", () => {
  it("a Word document has headings, lists and tables", async () => {
    await expect(read(docx())).resolves.toEqual({
      title: "Lens & lamp",
      text: "# The lamp room\n\nLight is kept, 5 < 6. (By night.)\n\n- Wick\n- Oil\n1. Climb\n2. Light\n\nParts\n\n| Part | Count |\n| --- | --- |\n| Lens | 4 |",
      metadata: ADA,
      warnings: [],
    });
    await expect(read(sampleBytes("documents/doc.docx"))).resolves.toMatchObject({ text: "Rebuild the lens" });
  });

  it("a Word document with a document type definition expands no entities", async () => {
    const bomb = `<!DOCTYPE w [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><w:document xmlns:w="w"><w:body><w:p><w:r><w:t>x &b; y</w:t></w:r></w:p></w:body></w:document>`;
    const { text } = await read(createZip({ "word/document.xml": bomb }));
    expect(text).not.toContain("aaaa");
  });

  it("a Word document has headings of inherited styles, merged cells, text boxes once, and moved text once", async () => {
    const W = 'xmlns:w="w" xmlns:mc="mc"';
    const p = (words: string, style = ""): string =>
      `<w:p>${style === "" ? "" : `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`}<w:r><w:t>${words}</w:t></w:r></w:p>`;
    const box = `<w:p><w:r><mc:AlternateContent><mc:Choice><w:txbxContent>${p("In a box")}</w:txbxContent></mc:Choice><mc:Fallback><w:txbxContent>${p("In a box")}</w:txbxContent></mc:Fallback></mc:AlternateContent></w:r><w:r><w:t>Beside it</w:t></w:r></w:p>`;
    const table = `<w:tbl><w:tr><w:tc><w:tcPr><w:gridSpan w:val="2"/></w:tcPr>${p("Wide")}</w:tc><w:tc>${p("C")}</w:tc></w:tr><w:tr><w:tc>${p("1")}</w:tc><w:tc>${p("2")}</w:tc><w:tc>${p("3")}</w:tc></w:tr></w:tbl>`;
    const found = await read(
      createZip({
        "word/styles.xml": `<w:styles ${W}><w:style w:styleId="a"><w:name w:val="Section"/><w:basedOn w:val="b"/></w:style><w:style w:styleId="b"><w:name w:val="heading 2"/><w:basedOn w:val="a"/></w:style></w:styles>`,
        "word/document.xml": `<w:document ${W}><w:body>${p("Part", "a")}${box}<w:moveFrom>${p("Moved")}</w:moveFrom>${p("Moved")}${table}</w:body></w:document>`,
      }),
    );
    expect(found.text).toBe("## Part\n\nIn a box\n\nBeside it\n\nMoved\n\n| Wide |  | C |\n| --- | --- | --- |\n| 1 | 2 | 3 |");
  });
});

it("a presentation has its slides in order, with titles, tables and notes", async () => {
  await expect(read(pptx())).resolves.toEqual({
    title: "Lens & lamp",
    text: "## First\n\nOne point\nAnother point\n\n> Say it slowly\n\n## Second\n\n| A | B |\n| --- | --- |",
    metadata: { ...ADA, stats: { slides: 2 } },
    warnings: [],
  });
});

describe("workbooks", () => {
  it("a workbook has tables with shared strings, and dates according to their style", async () => {
    const { text, metadata } = await read(xlsx());
    expect(text).toBe(
      "## Costs\n\n| Item | Bought | Price \\| net |\n| --- | --- | --- |\n| Lens | 2023-04-05 | 0.3 |\n|  | 2023-04-05T12:00:00 | TRUE |\n| inline |  |  |",
    );
    expect(metadata.stats).toEqual({ sheets: 2 });
  });

  it("a workbook with too many rows is truncated with a warning", async () => {
    const rows = Array.from({ length: 21_000 }, (_, place) => `<row><c><v>${place}</v></c><c><v>1</v></c></row>`).join("");
    const files = {
      "xl/workbook.xml": `<workbook xmlns:r="r"><sheets><sheet name="S" r:id="a"/></sheets></workbook>`,
      "xl/_rels/workbook.xml.rels": `<Relationships><Relationship Id="a" Type="x/worksheet" Target="sheet.xml"/></Relationships>`,
      "xl/sheet.xml": `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
    };
    const found = await read(createZip(files));
    expect(found.text.split("\n").length).toBeLessThan(20_010);
    expect(found.warnings).toMatchObject([{ code: "truncated" }]);
  });

  it("a workbook with too many columns keeps its rows, with a warning", async () => {
    const files = {
      "xl/workbook.xml": `<workbook xmlns:r="r"><sheets><sheet name="S" r:id="a"/></sheets></workbook>`,
      "xl/_rels/workbook.xml.rels": `<Relationships><Relationship Id="a" Type="x/worksheet" Target="sheet.xml"/></Relationships>`,
      "xl/sheet.xml": `<worksheet><sheetData><row><c r="A1"><v>1</v></c><c r="XFD1"><v>9</v></c></row><row><c r="A2"><v>2</v></c></row></sheetData></worksheet>`,
    };
    await expect(read(createZip(files))).resolves.toMatchObject({ text: "## S\n\n1\n2", warnings: [{ code: "truncated" }] });
  });

  it("a workbook counts days from 1900 or 1904", () => {
    expect(serialToIso(1, false)).toBe("1900-01-01");
    expect(serialToIso(61, false)).toBe("1900-03-01");
    expect(serialToIso(0.75, false)).toBe("18:00:00");
    expect(serialToIso(1, true)).toBe("1904-01-02");
    expect(serialToIso(-1, false)).toBeNull();
    expect(serialToIso(Number.NaN, false)).toBeNull();
  });
});

describe("OpenDocument files", () => {
  it("OpenDocument text has headings, lists, notes and tables, without comments", async () => {
    await expect(read(odt())).resolves.toEqual({
      title: "Log book",
      text: "## Night watch\n\nThe lamp (of brass) burns.\n\n- Wick\n  - Long\n- Oil\n\n| A | B |\n| --- | --- |",
      metadata: { author: "Ada Keeper", publishedAt: "2022-01-02T03:04:05.000Z" },
      warnings: [],
    });
  });

  it("OpenDocument sheets are tables, however often an empty cell is repeated", async () => {
    await expect(read(ods())).resolves.toMatchObject({
      text: "## Oil\n\n| Day | Litres | Litres |\n| --- | --- | --- |\n| 2024-02-03 | 7 |  |",
      warnings: [],
    });
  });

  it("OpenDocument slides have titles and notes", async () => {
    await expect(read(odp())).resolves.toMatchObject({ text: "## Lenses\n\nGrind them\n\n> slowly", metadata: { stats: { slides: 1 } } });
  });

  it("an OpenDocument file with a password fails with that reason", async () => {
    const locked = createZip({
      mimetype: toBytes("application/vnd.oasis.opendocument.text"),
      "content.xml": toBytes("\x12\x34"),
      "META-INF/manifest.xml": `<m:manifest xmlns:m="m"><m:file-entry><m:encryption-data/></m:file-entry></m:manifest>`,
    });
    await expect(read(locked)).rejects.toMatchObject({ code: "encrypted" });
  });
});

it("a document with an attribute of any length is refused before it is read to its end", () => {
  let pieces = 0;
  function* endlessTag() {
    yield toBytes('<w:document a="');
    for (; pieces < 1_000; pieces++) yield toBytes("harbour ".repeat(32_768));
  }
  expect(() => readXml(endlessTag(), {})).toThrow("The file has a tag of more than 8,000,000 characters.");
  expect(pieces).toBeLessThan(100);
});

describe("books", () => {
  it("a book has the chapters of its spine, titled by its table of contents", async () => {
    await expect(read(epub())).resolves.toEqual({
      title: "The Light",
      text: "## Dawn\n\nIt was light.\n\n## Evening\n\nIt was dark.",
      metadata: { author: "Ada Keeper", language: "en", publishedAt: "2020-05-06T00:00:00.000Z" },
      warnings: [],
    });
  });

  it("a book has a chapter of any length read up to a limit", async () => {
    const empty = Array.from({ length: 100_000 }, (_, n) => `<p><i class="lamp of the night watch ${n}"></i></p>`).join("");
    const one = `<html><body><p>First.</p>${empty}<p>Last.</p></body></html>`;
    const { text, warnings } = await read(epub({ "OEBPS/text/one .xhtml": one }));
    expect(text).toContain("First.");
    expect(text).not.toContain("Last.");
    expect(warnings).toMatchObject([{ code: "truncated" }]);
  });

  it("a book with DRM fails with that reason, and obfuscated fonts are accepted", async () => {
    const lock = (name: string) => ({
      "META-INF/encryption.xml": `<encryption><EncryptedData><CipherData><CipherReference URI="${name}"/></CipherData></EncryptedData></encryption>`,
    });
    await expect(read(epub(lock("OEBPS/two.xhtml")))).rejects.toMatchObject({ code: "encrypted" });
    await expect(read(epub(lock("OEBPS/font.otf")))).resolves.toMatchObject({ title: "The Light" });
  });
});

describe("rich text", () => {
  it("rich text is read in every code page, with headings, lists and tables, without hidden text", async () => {
    await expect(readDocument(rtf(), "rtf")).resolves.toEqual({
      title: "Harbour plan",
      text: "# The plan\n\ncafé При €5 😀 “x”\nnext\n\n- first\n- second\n\n| A | B |\n| --- | --- |\n| 1 | 2 |\n\nend {ok}",
      metadata: { author: "Ada", publishedAt: "2021-03-04T05:06:00.000Z" },
      warnings: [],
    });
  });

  it("rich text in double-byte code pages is decoded completely", async () => {
    await expect(readDocument(toBytes("{\\rtf1\\ansi\\ansicpg932 \\'93\\'fa\\'96\\'7b\\par}"), "rtf")).resolves.toMatchObject({
      text: "日本",
    });
  });

  it("rich text with endless nesting is rejected", async () => {
    await expect(readDocument(toBytes(`{\\rtf1 ${"{".repeat(100_000)}`), "rtf")).rejects.toMatchObject({ code: "unreadable_file" });
  });
});

it("an archive of other content fails with advice", async () => {
  await expect(read(createZip({ "photo.txt": "x" }))).rejects.toMatchObject({
    code: "unsupported_content",
    message: expect.stringContaining("zip archive"),
  });
  await expect(read(createZip({ "xl/workbook.bin": "x" }))).rejects.toThrow("Save it as XLSX");
});

it("a name in an archive is resolved against the file that has it", () => {
  expect(resolveName("ppt/slides/slide1.xml", "../notes/n.xml")).toBe("ppt/notes/n.xml");
  expect(resolveName("a/b.xml", "../../../../etc/passwd")).toBe("etc/passwd");
  expect(resolveName("a/b.xml", "/c/d.xml#x")).toBe("c/d.xml");
});
