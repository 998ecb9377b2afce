import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { SetPage } from "../data.ts";
import { renderContent } from "./render-content.ts";
import { type Content, readBoilerplate, readContent } from "./marks.ts";

/** A page of the set: one content in one layout. */
export type StructurePage = SetPage & {
  /** The publishing system of its site. */
  readonly layout: string;
  readonly content: Content;
  /** Text that belongs to the site and not to the page. */
  readonly boilerplate: readonly string[];
};

const CONTENTS = join(import.meta.dirname, "contents");
const LAYOUTS = join(import.meta.dirname, "layouts");

/** All contents, sorted by name. */
export function readContents(): readonly Content[] {
  const files = readdirSync(CONTENTS, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".html"));
  return files
    .sort()
    .map((file) => readContent(file.replace(/^.*\//, "").replace(".html", ""), readFileSync(join(CONTENTS, file), "utf8")));
}

function composePage(content: Content, layout: string): StructurePage {
  // A second site of the same system is named `system-variant`.
  const [system = layout] = layout.split("-");
  const folder = system === layout ? content.lang : `${content.lang}-more`;
  const template = readFileSync(join(LAYOUTS, folder, `${layout}.html`), "utf8");
  const slots: Readonly<Record<string, string>> = {
    title: content.title,
    section: content.section,
    slug: content.name,
    content: renderContent(layout, content),
  };
  const filled = template.replace(/%(title|section|slug|content)%/g, (_slot, name: string) => slots[name] ?? "");
  const { html, boilerplate } = readBoilerplate(filled);
  return { id: `${content.name}, ${layout}`, url: `https://${layout}.example/${content.name}`, html, layout: system, content, boilerplate };
}

/** Each content in each layout of its language. */
export const composeAllPages = (): readonly StructurePage[] =>
  readContents().flatMap((content) =>
    [content.lang, `${content.lang}-more`]
      .map((folder) => join(LAYOUTS, folder))
      .filter((folder) => existsSync(folder))
      .flatMap((folder) =>
        readdirSync(folder)
          .sort()
          .map((file) => composePage(content, file.replace(".html", ""))),
      ),
  );

/** The pages of the set: each content in each layout that its head names. They are the same each time. */
export const composePages = (): readonly StructurePage[] =>
  readContents().flatMap((content) => content.layouts.map((layout) => composePage(content, layout)));
