import { detectKind } from "../../../detect.ts";
import { decodeEntities } from "../../../read/markup/html-text.ts";
import { sniffContent } from "../../../formats/content.ts";
import type { ExtractContext } from "../../../extract/extractor.ts";
import type { Chain, Step } from "../../../extract/sources.ts";
import { findingOfHead } from "../../../extract/fetch/page-head.ts";
import { askExport, orNothing } from "./export.ts";

const SERVICE = "Google Drive";
const DRIVE = "https://drive.google.com";
const FILE = "This file";
const FOLDER = "This folder";
/** Enough to tell what a file is. */
const SNIFFED_BYTES = 64 * 1024;
const MAX_ENTRIES = 2_000;

const idOf = ({ kind }: ExtractContext): string => encodeURIComponent(kind.id ?? "");
const WARNING = /Virus scan warning|uc-download-link|download_warning|id="download-form"/i;
const TITLE = /<title>([^<]{1,500})<\/title>/i;
const ENTRY = /class="flip-entry-title"[^>]{0,200}>([^<]{1,500})</g;

/** A link that only names an id leads to a document as often as to a file. */
const open: Step = {
  name: "link",
  take: async (context) => {
    if (!context.url.pathname.startsWith("/open")) return null;
    const answer = await orNothing(
      askExport(context, { what: FILE, url: `${DRIVE}/open?id=${idOf(context)}`, maxBytes: SNIFFED_BYTES, isPage: true }),
    );
    if (answer === null) return null;
    const kind = detectKind(answer.url);
    return kind.type === "GOOGLE_DOC" && kind.subtype !== context.kind.subtype ? { moved: answer.url, kind } : null;
  },
};

/** The file itself, handed on to who reads files of its form. */
const download: Step = {
  name: "download",
  take: async (context) => {
    const url = `${DRIVE}/uc?export=download&id=${idOf(context)}`;
    const answer = await askExport(context, { what: FILE, url, maxBytes: SNIFFED_BYTES, isPage: true });
    const { form, ...content } = {
      type: "DOCUMENT" as const,
      ...sniffContent(answer.resource.body, answer.resource.headers["content-type"]),
    };
    if (form !== "html") return { moved: answer.url, kind: { type: content.type } };
    // Files too large to be scanned are given to who confirms.
    if (!WARNING.test(answer.text)) return null;
    const confirmed = `https://drive.usercontent.google.com/download?id=${idOf(context)}&export=download&confirm=t`;
    return { moved: new URL(confirmed), kind: { type: "WEBSITE" } };
  },
};

const filePage: Step = {
  name: "page",
  take: async (context) => {
    const answer = await askExport(context, { what: FILE, url: `${DRIVE}/file/d/${idOf(context)}/view`, isPage: true });
    const found = findingOfHead(
      await context.reader.head({ html: answer.text, url: answer.resource.url }, context.signal),
      answer.resource.url,
    );
    return {
      ...found,
      title: found.title?.replace(/ - Google Drive$/, "") ?? null,
      text: null,
      metadata: { ...found.metadata, siteName: SERVICE },
    };
  },
};

export const driveFile: Chain = {
  missing: {
    code: "thin_content",
    message: "This file can't be downloaded, so only its name is known. Upload the file itself, or paste its text.",
  },
  steps: [open, download, filePage],
};

/** The view made for embedding lists a folder's entries in its page. */
const listing: Step = {
  name: "listing",
  take: async (context) => {
    const answer = await askExport(context, { what: FOLDER, url: `${DRIVE}/embeddedfolderview?id=${idOf(context)}`, isPage: true });
    const names = [...answer.text.matchAll(ENTRY)].slice(0, MAX_ENTRIES).map(([, name = ""]) => `- ${decodeEntities(name).trim()}`);
    const title = decodeEntities(TITLE.exec(answer.text)?.[1] ?? "").trim();
    return {
      title: title.replace(/ - Google Drive$/, "") || null,
      text: names.join("\n"),
      metadata: { siteName: SERVICE, stats: { files: names.length } },
    };
  },
};

const folderPage: Step = {
  name: "page",
  take: async (context, soFar) => {
    if (soFar.text) return null;
    const answer = await askExport(context, { what: FOLDER, url: `${DRIVE}/drive/folders/${idOf(context)}`, isPage: true });
    const found = findingOfHead(
      await context.reader.head({ html: answer.text, url: answer.resource.url }, context.signal),
      answer.resource.url,
    );
    return { title: found.title?.replace(/ - Google Drive$/, "") ?? null, metadata: { siteName: SERVICE } };
  },
};

export const driveFolder: Chain = {
  missing: { code: "thin_content", message: "Of a folder only the names of its files are kept. Add the files you need one by one." },
  steps: [listing, folderPage],
};
