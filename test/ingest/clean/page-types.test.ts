import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { cleanPage } from "#ingest/clean/page.ts";

const FOLDER = join(import.meta.dirname, "pages");
const KEPT = /\[\[([\s\S]*?)\]\]/g;
const DROPPED = /\{\{([\s\S]*?)\}\}/g;

/** Lists the parts of a page between marks: `[[…]]` is content, `{{…}}` belongs to the site. */
const listMarked = (html: string, mark: RegExp): readonly string[] => [...html.matchAll(mark)].map(([, text = ""]) => text);

it.each(readdirSync(FOLDER).map((file) => file.replace(".html", "")))(
  "the content of a page is read, and its type recognised: %s",
  (type) => {
    const marked = readFileSync(join(FOLDER, `${type}.html`), "utf8");
    const html = marked.replace(KEPT, "$1").replace(DROPPED, "$1");
    const { text, pageType } = cleanPage({ html, url: `https://nordholm.example/pages/${type}-1` });
    expect({
      pageType,
      missing: listMarked(marked, KEPT).filter((part) => !text.includes(part)),
      included: listMarked(marked, DROPPED).filter((part) => text.includes(part)),
    }).toEqual({ pageType: type, missing: [], included: [] });
  },
);
