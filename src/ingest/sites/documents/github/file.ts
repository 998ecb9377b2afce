import { typeByExtension } from "../../../formats/addresses.ts";
import { omitEmpty, getArray, getString, getValue } from "../../../read/json-access.ts";
import { sniffContent } from "../../../formats/content.ts";
import type { ExtractContext, HandOff } from "../../../extract/extractor.ts";
import type { PartialResult, Source } from "../../../extract/sources/run-sources.ts";
import type { SiteReader } from "../../../extract/sources/site-reader.ts";
import { type TextResponse, fetchText } from "../../../extract/fetch/request.ts";
import { fenceCode, simplifyMarkdown } from "../../../extract/markdown.ts";
import { fetchRawFile, goneError, pathParts, SERVICE } from "./api.ts";

const RAW = "https://raw.githubusercontent.com";
const MARKDOWN = /\.(?:md|markdown|mdx|mkd)$/i;
/** What people read as it stands; everything else is code. */
const PROSE = /\.(?:txt|text|rst|adoc|asciidoc|org|csv|tsv|log|srt|vtt)$|^(?:readme|license|copying|authors|changelog|notice)$/i;
const NAMED = /^(?:#{1,2}[ \t]+)([^\n]{1,500})$/m;

type Place = { readonly owner: string; readonly name: string; readonly rest: readonly string[] };

/** Owner, repository, and branch and path behind it, as they are written in the link. */
function placeOf(url: URL): Place {
  const [owner = "", name = "", ...rest] = pathParts(url);
  return { owner, name, rest: url.hostname.startsWith("raw.") ? rest : rest.slice(1) };
}

const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
};

/** A Jupyter notebook (nbformat 4): its words and its code, without what the code put out. */
function writeNotebook(text: string): string | null {
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

function resultFromFile(response: TextResponse, { owner, rest }: Place): PartialResult | HandOff {
  const name = decoded(rest.at(-1) ?? "");
  const content = sniffContent(response.resource.body, response.resource.headers["content-type"]);
  if (content.form === "file") return { handOffTo: response.url, kind: { type: content.type } };
  const text = response.text.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");
  const ending = /\.([\w+-]{1,20})$/.exec(name)?.[1]?.toLowerCase() ?? "";
  const markdown = MARKDOWN.test(name) ? simplifyMarkdown(text) : ending === "ipynb" ? writeNotebook(text) : null;
  const cut = { code: "truncated", message: "The file is very large; only its beginning was kept." };
  return {
    title: (markdown === null ? null : NAMED.exec(markdown)?.[1]) ?? name,
    text: markdown ?? (PROSE.test(name) || text.trim() === "" ? text : fenceCode(text, ending)),
    metadata: omitEmpty({ siteName: SERVICE, author: decoded(owner) }),
    warnings: response.resource.truncated ? [cut] : [],
    isComplete: true,
  };
}

/** Files that others read are handed on by their address. */
function movedFile(context: ExtractContext, address: string): HandOff | null {
  const type = typeByExtension(context.kind.id ?? "");
  if (type === null || type === "FEED" || /\.(?:txt|md|markdown|csv|tsv|svg)$/i.test(context.kind.id ?? "")) return null;
  return { handOffTo: new URL(address), kind: { type } };
}

const raw: Source = {
  name: "file",
  run: async (context) => {
    const place = placeOf(context.url);
    const address = `${RAW}/${place.owner}/${place.name}/${place.rest.join("/")}`;
    const handOffTo = movedFile(context, address);
    if (handOffTo !== null) return handOffTo;
    const isLast = context.settings.githubToken === "";
    const response = await fetchText(context, {
      service: SERVICE,
      url: address,
      mapError: (status) => (status === 404 && isLast ? goneError("This file") : null),
    });
    return resultFromFile(response, place);
  },
};

/** What the operator's token may see and nobody else. */
const api: Source = {
  name: "API",
  setting: "GITHUB_TOKEN",
  run: async (context) => {
    if (context.settings.githubToken === "") return null;
    const place = placeOf(context.url);
    const [ref = "", ...path] = place.rest;
    const response = await fetchRawFile(context, {
      path: `/repos/${place.owner}/${place.name}/contents/${path.join("/")}?ref=${ref}`,
      what: "This file",
    });
    return resultFromFile(response, place);
  },
};

/** A file of a repository: Markdown and other prose as it is, code between fences. */
export const fileReader: SiteReader = {
  name: "file",
  subtypes: ["FILE"],
  missing: { code: "thin_content", message: "This file could not be had. Check the link, or configure a GitHub token." },
  sources: [raw, api],
};
