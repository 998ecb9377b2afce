import type { ExtractContext } from "../../../extract/extractor.ts";
import type { PartialResult, Source } from "../../../extract/sources/run-sources.ts";
import type { SiteReader } from "../../../extract/sources/site-reader.ts";
import type { TextResponse } from "../../../extract/fetch/request.ts";
import { sourceChanged } from "../../../extract/sources/errors.ts";
import { simplifyMarkdown } from "../../../extract/markdown.ts";
import { fetchExport, DOCS, type Export, nullIfNotFound, SERVICE, titleOfDisposition } from "./export.ts";
import { writeTable } from "./table.ts";

const TRUNCATED = { code: "truncated", message: "The document is very large; only its beginning was kept." };
const idOf = ({ kind }: ExtractContext): string => encodeURIComponent(kind.id ?? "");
/** Documents that are published to the web have their own ids and cannot be exported. */
const isPublished = ({ url }: ExtractContext): boolean => /\/d\/e\//.test(url.pathname);
const buildTitle = ({ resource }: TextResponse): string | null => titleOfDisposition(resource.headers["content-disposition"]);
const metadata = { siteName: SERVICE };

/** The document's page; for text documents the mobile one, which is complete. */
const pageSource = (what: string, addressOf: (context: ExtractContext) => string | null): Source => ({
  name: "page",
  run: async (context): Promise<PartialResult | null> => {
    const url = addressOf(context);
    if (url === null) return null;
    const response = await fetchExport(context, { what, url, accept: "text/html", isPage: true });
    const page = await context.reader.clean({ html: response.text, url: response.resource.url }, context.signal);
    if (page.text.trim() === "") throw sourceChanged(SERVICE);
    const title = page.title?.replace(/ - Google (?:Docs|Sheets|Slides|Forms|Drive)$/, "") ?? null;
    return { title, text: page.text, metadata, warnings: page.warnings, isComplete: true };
  },
});

/** Google escapes every possible mark in Markdown, and appends pictures as data. */
const markdownOf = ({ text }: TextResponse): string => simplifyMarkdown(text).replace(/\\([!-/:-@[-`{-~])/g, "$1");

const exportSource = (name: string, requestOf: (context: ExtractContext) => Export, write: (response: TextResponse) => string): Source => ({
  name,
  run: async (context) => {
    if (isPublished(context)) return null;
    const response = await fetchExport(context, requestOf(context));
    const text = write(response);
    if (text === "") return { title: buildTitle(response), metadata };
    return { title: buildTitle(response), text, metadata, isComplete: true, warnings: response.resource.truncated ? [TRUNCATED] : [] };
  },
});

const plain = ({ text }: TextResponse): string =>
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
    return { what: DOC, url: `${DOCS}/document/d/${idOf(context)}/export?format=${format}${more}` };
  };

const markdown: Source = exportSource("Markdown", docExport("md"), markdownOf);

/** The Markdown export is recent: where it is missing, the text export decides whether the document exists. */
const markdownSource: Source = {
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
    exportSource("text", docExport("txt"), plain),
    pageSource(DOC, (context) =>
      isPublished(context) ? `${DOCS}/document/d/e/${idOf(context)}/pub` : `${DOCS}/document/d/${idOf(context)}/mobilebasic`,
    ),
  ],
};

const SHEET = "This spreadsheet";
const LARGE = { code: "truncated", message: "The sheet is very large; only its first rows and columns were kept." };
const gidOf = ({ url }: ExtractContext): string | null =>
  /[#&]gid=(\d{1,20})/.exec(url.hash)?.[1] ?? /^\d{1,20}$/.exec(url.searchParams.get("gid") ?? "")?.[0] ?? null;

const sheetSource = (name: string, addressOf: (context: ExtractContext) => string): Source => ({
  name,
  run: async (context) => {
    const gid = gidOf(context);
    const response = await fetchExport(context, { what: SHEET, url: `${addressOf(context)}${gid === null ? "" : `&gid=${gid}`}` });
    const { text, isTruncated } = writeTable(response.text);
    // The file name contains the sheet's name after the document's.
    if (text === "") return { title: buildTitle(response), metadata };
    return {
      title: buildTitle(response),
      text,
      metadata,
      isComplete: true,
      warnings: isTruncated || response.resource.truncated ? [LARGE] : [],
    };
  },
});

/** One sheet as a table: the one in the link, or the first. */
export const sheetReader: SiteReader = {
  name: "sheet",
  subtypes: ["SHEET"],
  missing: { code: "thin_content", message: "This sheet is empty, or can't be read. Check which sheet the link leads to." },
  sources: [
    sheetSource("CSV", (context) =>
      isPublished(context)
        ? `${DOCS}/spreadsheets/d/e/${idOf(context)}/pub?output=csv`
        : `${DOCS}/spreadsheets/d/${idOf(context)}/export?format=csv`,
    ),
    // Sheets that may be viewed but not downloaded are still available to chart queries.
    sheetSource("query", (context) => `${DOCS}/spreadsheets/d/${idOf(context)}/gviz/tq?tqx=out:csv`),
  ],
};

const SLIDES = "This presentation";
export const slidesReader: SiteReader = {
  name: "slides",
  subtypes: ["SLIDES"],
  missing: { code: "thin_content", message: "The text of these slides could not be read. Ask their owner to share them, or paste it." },
  sources: [
    exportSource("text", (context) => ({ what: SLIDES, url: `${DOCS}/presentation/d/${idOf(context)}/export/txt` }), plain),
    pageSource(SLIDES, (context) =>
      isPublished(context) ? `${DOCS}/presentation/d/e/${idOf(context)}/pub` : `${DOCS}/presentation/d/${idOf(context)}/htmlpresent`,
    ),
  ],
};

/** A form: its questions are on the page that people fill in. */
export const formReader: SiteReader = {
  name: "form",
  subtypes: ["FORM"],
  missing: { code: "thin_content", message: "The questions of this form could not be read. Open it and paste them." },
  sources: [pageSource("This form", (context) => `${DOCS}/forms/d/${isPublished(context) ? "e/" : ""}${idOf(context)}/viewform`)],
};
