import { typeByExtension } from "../../../formats/addresses.ts";
import { omitEmpty, getArray, getString, getValue } from "../../../read/json-access.ts";
import { sniffContent } from "../../../formats/content.ts";
import type { ExtractContext, Moved } from "../../../extract/extractor.ts";
import type { Chain, PartialResult, Step } from "../../../extract/sources.ts";
import { type Answer, ask } from "../../../extract/fetch/request.ts";
import { fenced, lightMarkdown } from "../../../extract/markdown.ts";
import { askRaw, gone, pathParts, SERVICE } from "./api.ts";

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
      return getString(cell, "cell_type") === "code" ? fenced(lines, "python") : lightMarkdown(lines);
    });
    return cells.filter((cell) => cell !== "").join("\n\n") || null;
  } catch {
    return null;
  }
}

function findingOfFile(answer: Answer, { owner, rest }: Place): PartialResult | Moved {
  const name = decoded(rest.at(-1) ?? "");
  const content = sniffContent(answer.resource.body, answer.resource.headers["content-type"]);
  if (content.form === "file") return { moved: answer.url, kind: { type: content.type } };
  const text = answer.text.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");
  const ending = /\.([\w+-]{1,20})$/.exec(name)?.[1]?.toLowerCase() ?? "";
  const markdown = MARKDOWN.test(name) ? lightMarkdown(text) : ending === "ipynb" ? writeNotebook(text) : null;
  const cut = { code: "truncated", message: "The file is very large; only its beginning was kept." };
  return {
    title: (markdown === null ? null : NAMED.exec(markdown)?.[1]) ?? name,
    text: markdown ?? (PROSE.test(name) || text.trim() === "" ? text : fenced(text, ending)),
    metadata: omitEmpty({ siteName: SERVICE, author: decoded(owner) }),
    warnings: answer.resource.truncated ? [cut] : [],
    isWhole: true,
  };
}

/** Files that others read are handed on by their address. */
function movedFile(context: ExtractContext, address: string): Moved | null {
  const type = typeByExtension(context.kind.id ?? "");
  if (type === null || type === "FEED" || /\.(?:txt|md|markdown|csv|tsv|svg)$/i.test(context.kind.id ?? "")) return null;
  return { moved: new URL(address), kind: { type } };
}

const raw: Step = {
  name: "file",
  take: async (context) => {
    const place = placeOf(context.url);
    const address = `${RAW}/${place.owner}/${place.name}/${place.rest.join("/")}`;
    const moved = movedFile(context, address);
    if (moved !== null) return moved;
    const isLast = context.settings.githubToken === "";
    const answer = await ask(context, {
      service: SERVICE,
      url: address,
      refusal: (status) => (status === 404 && isLast ? gone("This file") : null),
    });
    return findingOfFile(answer, place);
  },
};

/** What the operator's token may see and nobody else. */
const api: Step = {
  name: "API",
  take: async (context) => {
    if (context.settings.githubToken === "") return null;
    const place = placeOf(context.url);
    const [ref = "", ...path] = place.rest;
    const answer = await askRaw(context, {
      path: `/repos/${place.owner}/${place.name}/contents/${path.join("/")}?ref=${ref}`,
      what: "This file",
    });
    return findingOfFile(answer, place);
  },
};

/** A file of a repository: Markdown and other prose as it is, code between fences. */
export const file: Chain = {
  missing: { code: "thin_content", message: "This file could not be had. Check the link, or configure a GitHub token." },
  steps: [raw, api],
};
