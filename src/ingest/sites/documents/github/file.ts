import { detectTypeByExtension } from "../../../formats/addresses.ts";
import { omitEmpty, getArray, getString, getValue } from "../../../read/json-access.ts";
import { sniffContent } from "../../../formats/content.ts";
import type { ExtractContext, HandOff } from "../../../extract/extractor.ts";
import type { PartialResult, ContentSource } from "../../../extract/sources/run-sources.ts";
import type { SiteReader } from "../../../extract/sources/site-reader.ts";
import { type TextResponse, fetchText } from "../../../extract/fetch/request.ts";
import { fenceCode, simplifyMarkdown } from "../../../extract/markdown.ts";
import { fetchRawFile, goneError, splitPath, SERVICE } from "./api.ts";
import { decodeSafely } from "../../../extract/fetch/urls.ts";

const RAW = "https://raw.githubusercontent.com";
const MARKDOWN = /\.(?:md|markdown|mdx|mkd)$/i;
/** Files that are prose; all others are code. */
const PROSE = /\.(?:txt|text|rst|adoc|asciidoc|org|csv|tsv|log|srt|vtt)$|^(?:readme|license|copying|authors|changelog|notice)$/i;
const FIRST_HEADING = /^(?:#{1,2}[ \t]+)([^\n]{1,500})$/m;

type FileLocation = { readonly owner: string; readonly name: string; readonly rest: readonly string[] };

/** Parses owner, repository, and the branch followed by the path; all still encoded. */
function parseLocation(url: URL): FileLocation {
  const [owner = "", name = "", ...rest] = splitPath(url);
  return { owner, name, rest: url.hostname.startsWith("raw.") ? rest : rest.slice(1) };
}

/** Formats a Jupyter notebook (nbformat 4): its text and code without outputs. Returns null if it is invalid or empty. */
function formatNotebook(text: string): string | null {
  try {
    const cells = getArray(JSON.parse(text) as unknown, "cells").map((cell) => {
      const source = getValue(cell, "source");
      const lines = (Array.isArray(source) ? source : [source]).filter((line) => typeof line === "string").join("");
      if (lines.trim() === "") return "";
      return getString(cell, "cell_type") === "code" ? fenceCode(lines, "python") : simplifyMarkdown(lines);
    });
    return cells.filter((cell) => cell !== "").join("\n\n") || null;
  } catch {
    return null;
  }
}

function resultFromFile(response: TextResponse, { owner, rest }: FileLocation): PartialResult | HandOff {
  const name = decodeSafely(rest.at(-1) ?? "");
  const content = sniffContent(response.resource.body, response.resource.headers["content-type"]);
  if (content.form === "file") return { handOffTo: response.url, kind: { type: content.type } };
  const text = response.text.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");
  const extension = /\.([\w+-]{1,20})$/.exec(name)?.[1]?.toLowerCase() ?? "";
  const markdown = MARKDOWN.test(name) ? simplifyMarkdown(text) : extension === "ipynb" ? formatNotebook(text) : null;
  const truncated = { code: "truncated", message: "The file is very large; only its beginning was kept." };
  return {
    title: (markdown === null ? null : FIRST_HEADING.exec(markdown)?.[1]) ?? name,
    text: markdown ?? (PROSE.test(name) || text.trim() === "" ? text : fenceCode(text, extension)),
    metadata: omitEmpty({ siteName: SERVICE, author: decodeSafely(owner) }),
    warnings: response.resource.truncated ? [truncated] : [],
    isComplete: true,
  };
}

/** Hands files whose extension names another format, such as PDF, to the extractor of that format. */
function handOffByExtension(context: ExtractContext, address: string): HandOff | null {
  const type = detectTypeByExtension(context.kind.id ?? "");
  if (type === null || type === "FEED" || /\.(?:txt|md|markdown|csv|tsv|svg)$/i.test(context.kind.id ?? "")) return null;
  return { handOffTo: new URL(address), kind: { type } };
}

const raw: ContentSource = {
  name: "file",
  run: async (context) => {
    const location = parseLocation(context.url);
    const address = `${RAW}/${location.owner}/${location.name}/${location.rest.join("/")}`;
    const handOff = handOffByExtension(context, address);
    if (handOff !== null) return handOff;
    const isLast = context.settings.githubToken === "";
    const response = await fetchText(context, {
      service: SERVICE,
      url: address,
      mapError: (status) => (status === 404 && isLast ? goneError("This file") : null),
    });
    return resultFromFile(response, location);
  },
};

/** Reads private files, which need the operator's token. */
const api: ContentSource = {
  name: "API",
  setting: "GITHUB_TOKEN",
  run: async (context) => {
    if (context.settings.githubToken === "") return null;
    const location = parseLocation(context.url);
    const [ref = "", ...path] = location.rest;
    const response = await fetchRawFile(context, {
      path: `/repos/${location.owner}/${location.name}/contents/${path.join("/")}?ref=${ref}`,
      what: "This file",
    });
    return resultFromFile(response, location);
  },
};

/** A file of a repository: Markdown and other prose as text, code in fences. */
export const fileReader: SiteReader = {
  name: "file",
  subtypes: ["FILE"],
  missing: { code: "thin_content", message: "This file could not be read. Check the link, or configure a GitHub token." },
  sources: [raw, api],
};
