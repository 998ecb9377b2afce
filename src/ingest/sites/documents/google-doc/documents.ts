import type { ExtractContext } from "../../../extract/extractor.ts";
import type { PartialResult, ContentSource } from "../../../extract/sources/run-sources.ts";
import type { SiteReader } from "../../../extract/sources/site-reader.ts";
import type { TextResponse } from "../../../extract/fetch/request.ts";
import { sourceChangedError } from "../../../extract/sources/errors.ts";
import { simplifyMarkdown } from "../../../extract/markdown.ts";
import { fetchExport, DOCS, type Export, nullIfNotFound, SERVICE, parseExportName } from "./export.ts";
import { csvToMarkdown } from "./table.ts";

const TRUNCATED = { code: "truncated", message: "The document is very large; only its beginning was kept." };
const getId = ({ kind }: ExtractContext): string => encodeURIComponent(kind.id ?? "");
/** Documents that are published to the web have their own ids and cannot be exported. */
const isPublished = ({ url }: ExtractContext): boolean => /\/d\/e\//.test(url.pathname);
const getExportTitle = ({ resource }: TextResponse): string | null => parseExportName(resource.headers["content-disposition"]);
const metadata = { siteName: SERVICE };

/** Creates a source for the document's page. For text documents, the mobile page is used because it is complete. */
const createPageSource = (what: string, getAddress: (context: ExtractContext) => string | null): ContentSource => ({
  name: "page",
  run: async (context): Promise<PartialResult | null> => {
    const url = getAddress(context);
    if (url === null) return null;
    const response = await fetchExport(context, { what, url, accept: "text/html", isPage: true });
    const page = await context.reader.clean({ html: response.text, url: response.resource.url }, context.signal);
    if (page.text.trim() === "") throw sourceChangedError(SERVICE);
    const title = page.title?.replace(/ - Google (?:Docs|Sheets|Slides|Forms|Drive)$/, "") ?? null;
    return { title, text: page.text, metadata, warnings: page.warnings, isComplete: true };
  },
});

/** Removes pictures and escapes: Google escapes every possible mark in Markdown, and appends pictures as data. */
const toMarkdown = ({ text }: TextResponse): string => simplifyMarkdown(text).replace(/\\([!-/:-@[-`{-~])/g, "$1");

const exportSource = (
  name: string,
  createExport: (context: ExtractContext) => Export,
  write: (response: TextResponse) => string,
): ContentSource => ({
  name,
  run: async (context) => {
    if (isPublished(context)) return null;
    const response = await fetchExport(context, createExport(context));
    const text = write(response);
    if (text === "") return { title: getExportTitle(response), metadata };
    return { title: getExportTitle(response), text, metadata, isComplete: true, warnings: response.resource.truncated ? [TRUNCATED] : [] };
  },
});

const toPlainText = ({ text }: TextResponse): string =>
  text
    .replace(/^\uFEFF/, "")
    .replace(/\r\n?/g, "\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();

const DOC = "This document";
const docExport =
  (format: string) =>
  (context: ExtractContext): Export => {
    const tab = context.url.searchParams.get("tab") ?? "";
    const more = /^t\.[\w-]{1,60}$/.test(tab) && tab !== "t.0" ? `&tab=${tab}` : "";
    return { what: DOC, url: `${DOCS}/document/d/${getId(context)}/export?format=${format}${more}` };
  };

const markdown: ContentSource = exportSource("Markdown", docExport("md"), toMarkdown);

/** The Markdown export is recent. If it returns 404, the text export decides whether the document exists. */
const markdownSource: ContentSource = {
  name: markdown.name,
  run: (context, partial, errors) => nullIfNotFound(markdown.run(context, partial, errors)),
};

/** A text document. Markdown keeps headings, lists and tables; every document has a plain-text export. */
export const documentReader: SiteReader = {
  name: "document",
  subtypes: ["DOC"],
  missing: { code: "thin_content", message: "The text of this document could not be read. Ask its owner to share it, or paste it." },
  sources: [
    markdownSource,
    exportSource("text", docExport("txt"), toPlainText),
    createPageSource(DOC, (context) =>
      isPublished(context) ? `${DOCS}/document/d/e/${getId(context)}/pub` : `${DOCS}/document/d/${getId(context)}/mobilebasic`,
    ),
  ],
};

const SHEET = "This spreadsheet";
const LARGE = { code: "truncated", message: "The sheet is very large; only its first rows and columns were kept." };
const parseGid = ({ url }: ExtractContext): string | null =>
  /[#&]gid=(\d{1,20})/.exec(url.hash)?.[1] ?? /^\d{1,20}$/.exec(url.searchParams.get("gid") ?? "")?.[0] ?? null;

const createSheetSource = (name: string, getAddress: (context: ExtractContext) => string): ContentSource => ({
  name,
  run: async (context) => {
    const gid = parseGid(context);
    const response = await fetchExport(context, { what: SHEET, url: `${getAddress(context)}${gid === null ? "" : `&gid=${gid}`}` });
    const { text, isTruncated } = csvToMarkdown(response.text);
    // The file name contains the sheet's name after the document's.
    if (text === "") return { title: getExportTitle(response), metadata };
    return {
      title: getExportTitle(response),
      text,
      metadata,
      isComplete: true,
      warnings: isTruncated || response.resource.truncated ? [LARGE] : [],
    };
  },
});

/** Reads one sheet as a table: the one in the link, or the first. */
export const sheetReader: SiteReader = {
  name: "sheet",
  subtypes: ["SHEET"],
  missing: { code: "thin_content", message: "This sheet is empty, or can't be read. Check which sheet the link leads to." },
  sources: [
    createSheetSource("CSV", (context) =>
      isPublished(context)
        ? `${DOCS}/spreadsheets/d/e/${getId(context)}/pub?output=csv`
        : `${DOCS}/spreadsheets/d/${getId(context)}/export?format=csv`,
    ),
    // Sheets that may be viewed but not downloaded are still available to chart queries.
    createSheetSource("query", (context) => `${DOCS}/spreadsheets/d/${getId(context)}/gviz/tq?tqx=out:csv`),
  ],
};

const SLIDES = "This presentation";
export const slidesReader: SiteReader = {
  name: "slides",
  subtypes: ["SLIDES"],
  missing: { code: "thin_content", message: "The text of these slides could not be read. Ask their owner to share them, or paste it." },
  sources: [
    exportSource("text", (context) => ({ what: SLIDES, url: `${DOCS}/presentation/d/${getId(context)}/export/txt` }), toPlainText),
    createPageSource(SLIDES, (context) =>
      isPublished(context) ? `${DOCS}/presentation/d/e/${getId(context)}/pub` : `${DOCS}/presentation/d/${getId(context)}/htmlpresent`,
    ),
  ],
};

/** Reads the questions of a form from the page that people fill in. */
export const formReader: SiteReader = {
  name: "form",
  subtypes: ["FORM"],
  missing: { code: "thin_content", message: "The questions of this form could not be read. Open it and paste them." },
  sources: [createPageSource("This form", (context) => `${DOCS}/forms/d/${isPublished(context) ? "e/" : ""}${getId(context)}/viewform`)],
};
