import { strToU8, zipSync } from "fflate";

/** Small files of each format, built here so that every byte is known. */
export const toBytes = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, "latin1"));
const xml = (body: string): Uint8Array => strToU8(`<?xml version="1.0" encoding="UTF-8"?>${body}`);

export function createZip(files: Readonly<Record<string, string | Uint8Array>>): Uint8Array {
  return zipSync(Object.fromEntries(Object.entries(files).map(([name, body]) => [name, typeof body === "string" ? xml(body) : body])));
}

/** A line of a page: its text, its position from the bottom left, and its font size. */
export type PdfLine = { readonly text: string; readonly x?: number; readonly y: number; readonly size?: number };

export function createPdf(pages: readonly (readonly PdfLine[])[], info = "", more: { readonly encrypt?: boolean } = {}): Uint8Array {
  const objects: string[] = [];
  const kids = pages.map((_, place) => `${4 + place * 2} 0 R`).join(" ");
  objects.push("<< /Type /Catalog /Pages 2 0 R >>", `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`);
  objects.push("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>");
  for (const [place, lines] of pages.entries()) {
    const escape = (text: string): string => text.replace(/[\\()]/g, "\\$&");
    const drawn = lines.map(({ text, x = 72, y, size = 11 }) => `BT /F1 ${size} Tf ${x} ${y} Td (${escape(text)}) Tj ET`).join("\n");
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents ${5 + place * 2} 0 R >>`,
      `<< /Length ${drawn.length} >>\nstream\n${drawn}\nendstream`,
    );
  }
  objects.push(`<< ${info} >>`);
  const infoNumber = objects.length;
  if (more.encrypt) objects.push(`<< /Filter /Standard /V 1 /R 2 /Length 40 /P -4 /O <${"41".repeat(32)}> /U <${"42".repeat(32)}> >>`);
  let body = "%PDF-1.4\n";
  const places: number[] = [];
  for (const [place, object] of objects.entries()) {
    places.push(body.length);
    body += `${place + 1} 0 obj\n${object}\nendobj\n`;
  }
  const table = places.map((place) => `${String(place).padStart(10, "0")} 00000 n \n`).join("");
  const locked = more.encrypt ? ` /Encrypt ${objects.length} 0 R /ID [<${"43".repeat(16)}> <${"43".repeat(16)}>]` : "";
  const trailer = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R /Info ${infoNumber} 0 R${locked} >>`;
  return toBytes(`${body}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}${trailer}\nstartxref\n${body.length}\n%%EOF\n`);
}

const CORE = `<cp:coreProperties xmlns:cp="c" xmlns:dc="d" xmlns:dcterms="t"><dc:title>Lens &amp; lamp</dc:title><dc:creator>Ada Keeper</dc:creator><dcterms:created>2023-04-05T06:07:08Z</dcterms:created></cp:coreProperties>`;
const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const run = (text: string): string => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`;
const cell = (text: string): string => `<w:tc><w:p>${run(text)}</w:p></w:tc>`;

export const docx = (): Uint8Array =>
  createZip({
    "[Content_Types].xml": `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
    "_rels/.rels": `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`,
    "docProps/core.xml": CORE,
    "word/styles.xml": `<w:styles ${W}><w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/></w:style></w:styles>`,
    "word/footnotes.xml": `<w:footnotes ${W}><w:footnote w:type="separator" w:id="0"><w:p>${run("line")}</w:p></w:footnote><w:footnote w:id="2"><w:p>${run("By night.")}</w:p></w:footnote></w:footnotes>`,
    "word/numbering.xml": `<w:numbering ${W}><w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/></w:lvl></w:abstractNum><w:abstractNum w:abstractNumId="7"><w:lvl w:ilvl="0"><w:numFmt w:val="decimal"/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="7"/></w:num></w:numbering>`,
    "word/_rels/document.xml.rels": `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="styles.xml"/><Relationship Id="rId2" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/numbering" Target="numbering.xml"/></Relationships>`,
    "word/document.xml": `<w:document ${W}><w:body><w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr>${run("The lamp room")}</w:p><w:p>${run("Light is ")}${run("kept, 5 &lt; 6.")}<w:r><w:footnoteReference w:id="2"/></w:r><w:r><w:rPr><w:vanish/></w:rPr><w:t>hidden</w:t></w:r></w:p>${["Wick", "Oil"].map((item) => `<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr>${run(item)}</w:p>`).join("")}${["Climb", "Light"].map((item) => `<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="2"/></w:numPr></w:pPr>${run(item)}</w:p>`).join("")}<w:p><w:pPr><w:tabs><w:tab w:val="left"/></w:tabs></w:pPr>${run("Parts")}</w:p><w:tbl><w:tr>${cell("Part")}${cell("Count")}</w:tr><w:tr>${cell("Lens")}${cell("4")}</w:tr></w:tbl></w:body></w:document>`,
  });

const RELATIONS = 'xmlns="http://schemas.openxmlformats.org/package/2006/relationships"';
const relation = (id: string, kind: string, target: string): string =>
  `<Relationship Id="${id}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${kind}" Target="${target}"/>`;
const shape = (kind: string, ...lines: string[]): string =>
  `<p:sp><p:nvSpPr><p:nvPr>${kind === "" ? "" : `<p:ph type="${kind}"/>`}</p:nvPr></p:nvSpPr><p:txBody>${lines.map((line) => `<a:p><a:r><a:t>${line}</a:t></a:r></a:p>`).join("")}</p:txBody></p:sp>`;
const slide = (...shapes: string[]): string =>
  `<p:sld xmlns:p="p" xmlns:a="a"><p:cSld><p:spTree>${shapes.join("")}</p:spTree></p:cSld></p:sld>`;

export const pptx = (): Uint8Array =>
  createZip({
    "docProps/core.xml": CORE,
    "ppt/presentation.xml": `<p:presentation xmlns:p="p" xmlns:r="r"><p:sldIdLst><p:sldId id="256" r:id="rId2"/><p:sldId id="257" r:id="rId1"/></p:sldIdLst></p:presentation>`,
    "ppt/_rels/presentation.xml.rels": `<Relationships ${RELATIONS}>${relation("rId1", "slide", "slides/slide1.xml")}${relation("rId2", "slide", "/ppt/slides/slide2.xml")}</Relationships>`,
    "ppt/slides/slide1.xml": slide(
      shape("title", "Second"),
      shape("sldNum", "2"),
      `<p:graphicFrame><a:tbl><a:tr><a:tc><a:txBody><a:p><a:r><a:t>A</a:t></a:r></a:p></a:txBody></a:tc><a:tc><a:txBody><a:p><a:r><a:t>B</a:t></a:r></a:p></a:txBody></a:tc></a:tr></a:tbl></p:graphicFrame>`,
    ),
    "ppt/slides/slide2.xml": slide(shape("ctrTitle", "First"), shape("", "One point", "Another point")),
    "ppt/slides/_rels/slide2.xml.rels": `<Relationships ${RELATIONS}>${relation("rId9", "notesSlide", "../notesSlides/notesSlide1.xml")}</Relationships>`,
    "ppt/notesSlides/notesSlide1.xml": slide(shape("body", "Say it slowly"), shape("sldNum", "1")),
  });

export const xlsx = (): Uint8Array =>
  createZip({
    "xl/workbook.xml": `<workbook xmlns:r="r"><workbookPr/><sheets><sheet name="Costs" sheetId="1" r:id="rId1"/><sheet name="Empty" sheetId="2" r:id="rId2"/></sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `<Relationships ${RELATIONS}>${relation("rId1", "worksheet", "worksheets/sheet1.xml")}${relation("rId2", "worksheet", "worksheets/sheet2.xml")}${relation("rId3", "sharedStrings", "sharedStrings.xml")}${relation("rId4", "styles", "styles.xml")}</Relationships>`,
    "xl/sharedStrings.xml": `<sst><si><t>Item</t></si><si><r><t>Le</t></r><r><t>ns</t></r><rPh><t>reading</t></rPh></si><si><t>Bought</t></si><si><t>Price | net</t></si></sst>`,
    "xl/styles.xml": `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="dd/mm/yyyy\\ hh:mm"/><numFmt numFmtId="165" formatCode="0.00&quot; days&quot;"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs></styleSheet>`,
    "xl/worksheets/sheet1.xml": `<worksheet><sheetData><row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>2</v></c><c r="C1" t="s"><v>3</v></c></row><row r="2"><c r="A2" t="s"><v>1</v></c><c r="B2" s="1"><v>45021</v></c><c r="C2" s="3"><v>0.30000000000000004</v></c></row><row r="3"><c r="B3" s="2"><v>45021.5</v></c><c r="C3" t="b"><f>1=1</f><v>1</v></c></row><row r="4"><c r="A4" t="inlineStr"><is><t>inline</t></is></c></row></sheetData></worksheet>`,
    "xl/worksheets/sheet2.xml": `<worksheet><sheetData/></worksheet>`,
  });

const ODF = 'xmlns:office="o" xmlns:text="t" xmlns:table="b" xmlns:draw="d" xmlns:presentation="p" xmlns:dc="dc" xmlns:meta="m"';
const META = `<office:document-meta ${ODF}><office:meta><meta:initial-creator>Ada Keeper</meta:initial-creator><dc:title>Log book</dc:title><meta:creation-date>2022-01-02T03:04:05</meta:creation-date></office:meta></office:document-meta>`;
const odf = (kind: string, body: string): Uint8Array =>
  createZip({
    mimetype: toBytes(`application/vnd.oasis.opendocument.${kind}`),
    "content.xml": `<office:document-content ${ODF}><office:automatic-styles><x>no word</x></office:automatic-styles><office:body>${body}</office:body></office:document-content>`,
    "meta.xml": META,
    "META-INF/manifest.xml": "<manifest/>",
  });

export const odt = (): Uint8Array =>
  odf(
    "text",
    `<office:text><text:h text:outline-level="2">Night watch</text:h><text:p>The<text:s text:c="2"/>lamp<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>of brass</text:p></text:note-body></text:note> burns.<office:annotation><text:p>a comment</text:p></office:annotation></text:p><text:list><text:list-item><text:p>Wick</text:p><text:list><text:list-item><text:p>Long</text:p></text:list-item></text:list></text:list-item><text:list-item><text:p>Oil</text:p></text:list-item></text:list><table:table><table:table-row><table:table-cell><text:p>A</text:p></table:table-cell><table:table-cell><text:p>B</text:p></table:table-cell></table:table-row></table:table></office:text>`,
  );
export const ods = (): Uint8Array =>
  odf(
    "spreadsheet",
    `<office:spreadsheet><table:table table:name="Oil"><table:table-row><table:table-cell><text:p>Day</text:p></table:table-cell><table:table-cell table:number-columns-repeated="2"><text:p>Litres</text:p></table:table-cell><table:table-cell table:number-columns-repeated="16000"/></table:table-row><table:table-row><table:table-cell office:value-type="date" office:date-value="2024-02-03"><text:p>03/02/24</text:p></table:table-cell><table:table-cell><text:p>7</text:p></table:table-cell></table:table-row><table:table-row table:number-rows-repeated="1048000"><table:table-cell table:number-columns-repeated="16384"/></table:table-row></table:table></office:spreadsheet>`,
  );
export const odp = (): Uint8Array =>
  odf(
    "presentation",
    `<office:presentation><draw:page><draw:frame presentation:class="title"><draw:text-box><text:p>Lenses</text:p></draw:text-box></draw:frame><draw:frame><draw:text-box><text:p>Grind them</text:p></draw:text-box></draw:frame><presentation:notes><draw:frame><draw:text-box><text:p>slowly</text:p></draw:text-box></draw:frame></presentation:notes></draw:page></office:presentation>`,
  );

export const epub = (more: Readonly<Record<string, string>> = {}): Uint8Array =>
  createZip({
    mimetype: toBytes("application/epub+zip"),
    "META-INF/container.xml": `<container><rootfiles><rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>`,
    "OEBPS/book.opf": `<package xmlns:dc="dc"><metadata><dc:title>The Light</dc:title><dc:creator>Ada Keeper</dc:creator><dc:language>en</dc:language><dc:date>2020-05-06</dc:date></metadata><manifest><item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/><item id="b" href="two.xhtml" media-type="application/xhtml+xml"/><item id="a" href="text/one%20.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/><itemref idref="b"/><itemref idref="missing"/></spine></package>`,
    "OEBPS/nav.xhtml": `<html><body><nav><ol><li><a href="text/one%20.xhtml#x">Dawn</a></li><li><a href="two.xhtml">Dusk</a></li></ol></nav></body></html>`,
    "OEBPS/text/one .xhtml": `<html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head><body><a id="x"/><p>It was light.</p></body></html>`,
    "OEBPS/two.xhtml": `<html><body><h2>Evening</h2><p>It was dark.</p></body></html>`,
    ...more,
  });

export const rtf = (): Uint8Array =>
  toBytes(
    "{\\rtf1\\ansi\\ansicpg1252\\deff0{\\fonttbl{\\f0\\fcharset0 Arial;}{\\f1\\fcharset204 Arial Cyr;}}{\\colortbl;\\red0;}{\\info{\\title Harbour plan}{\\author Ada}{\\creatim\\yr2021\\mo3\\dy4\\hr5\\min6}}" +
      "{\\header Page head}{\\*\\generator Some program;}\\pard\\outlinelevel0 The plan\\par\\pard caf\\'e9 {\\f1\\'cf\\'f0\\'e8} \\u8364?5 \\u-10179?\\u-8704? \\ldblquote x\\rdblquote\\line next\\par " +
      "{\\listtext\\'b7\\tab}first\\par{\\listtext\\'b7\\tab}second\\par\\trowd\\intbl A\\cell B\\cell\\row\\intbl 1\\cell 2\\cell\\row\\pard {\\v hidden}end \\{ok\\}\\bin3 {{}\\par}",
  );
