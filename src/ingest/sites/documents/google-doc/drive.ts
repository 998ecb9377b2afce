import { decodeEntities } from "../../../read/markup/html-text.ts";
import { sniffContent } from "../../../formats/content.ts";
import type { ExtractContext } from "../../../extract/extractor.ts";
import type { ContentSource } from "../../../extract/sources/run-sources.ts";
import type { SiteReader } from "../../../extract/sources/site-reader.ts";
import { resultFromHead } from "../../../extract/fetch/page-head.ts";
import { fetchExport, nullIfNotFound } from "./export.ts";

const SERVICE = "Google Drive";
const DRIVE = "https://drive.google.com";
const FILE = "This file";
const FOLDER = "This folder";
/** Enough to detect a file's format. */
const SNIFFED_BYTES = 64 * 1024;
const MAX_ENTRIES = 2_000;

const getId = ({ kind }: ExtractContext): string => encodeURIComponent(kind.id ?? "");
const WARNING = /Virus scan warning|uc-download-link|download_warning|id="download-form"/i;
const TITLE = /<title>([^<]{1,500})<\/title>/i;
const ENTRY = /class="flip-entry-title"[^>]{0,200}>([^<]{1,500})</g;

/** Follows a link with only an id, which may lead to a document or a file. */
const open: ContentSource = {
  name: "link",
  run: async (context) => {
    if (!context.url.pathname.startsWith("/open")) return null;
    const response = await nullIfNotFound(
      fetchExport(context, { what: FILE, url: `${DRIVE}/open?id=${getId(context)}`, maxBytes: SNIFFED_BYTES, isPage: true }),
    );
    if (response === null) return null;
    const kind = context.detectKind(response.url);
    return kind.type === "GOOGLE_DOC" && kind.subtype !== context.kind.subtype ? { handOffTo: response.url, kind } : null;
  },
};

/** Hands the file to the extractor of its format. */
const download: ContentSource = {
  name: "download",
  run: async (context) => {
    const url = `${DRIVE}/uc?export=download&id=${getId(context)}`;
    const response = await fetchExport(context, { what: FILE, url, maxBytes: SNIFFED_BYTES, isPage: true });
    const { form, ...content } = {
      type: "DOCUMENT" as const,
      ...sniffContent(response.resource.body, response.resource.headers["content-type"]),
    };
    if (form !== "html") return { handOffTo: response.url, kind: { type: content.type } };
    // Files too large for the virus scan need a confirmation.
    if (!WARNING.test(response.text)) return null;
    const confirmed = `https://drive.usercontent.google.com/download?id=${getId(context)}&export=download&confirm=t`;
    return { handOffTo: new URL(confirmed), kind: { type: "WEBSITE" } };
  },
};

const filePage: ContentSource = {
  name: "page",
  run: async (context) => {
    const response = await fetchExport(context, { what: FILE, url: `${DRIVE}/file/d/${getId(context)}/view`, isPage: true });
    const found = resultFromHead(
      await context.reader.head({ html: response.text, url: response.resource.url }, context.signal),
      response.resource.url,
    );
    return {
      ...found,
      title: found.title?.replace(/ - Google Drive$/, "") ?? null,
      text: null,
      metadata: { ...found.metadata, siteName: SERVICE },
    };
  },
};

export const fileReader: SiteReader = {
  name: "file",
  subtypes: ["FILE"],
  missing: {
    code: "thin_content",
    message: "This file can't be downloaded, so only its name is known. Upload the file itself, or paste its text.",
  },
  sources: [open, download, filePage],
};

/** The embeddable view lists a folder's entries in its page. */
const listing: ContentSource = {
  name: "listing",
  run: async (context) => {
    const response = await fetchExport(context, { what: FOLDER, url: `${DRIVE}/embeddedfolderview?id=${getId(context)}`, isPage: true });
    const names = [...response.text.matchAll(ENTRY)].slice(0, MAX_ENTRIES).map(([, name = ""]) => `- ${decodeEntities(name).trim()}`);
    const title = decodeEntities(TITLE.exec(response.text)?.[1] ?? "").trim();
    return {
      title: title.replace(/ - Google Drive$/, "") || null,
      text: names.join("\n"),
      metadata: { siteName: SERVICE, stats: { files: names.length } },
    };
  },
};

const folderPage: ContentSource = {
  name: "page",
  run: async (context, partial) => {
    if (partial.text) return null;
    const response = await fetchExport(context, { what: FOLDER, url: `${DRIVE}/drive/folders/${getId(context)}`, isPage: true });
    const found = resultFromHead(
      await context.reader.head({ html: response.text, url: response.resource.url }, context.signal),
      response.resource.url,
    );
    return { title: found.title?.replace(/ - Google Drive$/, "") ?? null, metadata: { siteName: SERVICE } };
  },
};

export const folderReader: SiteReader = {
  name: "folder",
  subtypes: ["FOLDER"],
  missing: { code: "thin_content", message: "Only the names of a folder's files were kept. Add the files you need one by one." },
  sources: [listing, folderPage],
};
