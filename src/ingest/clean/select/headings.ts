import { isElement, type PageElement, TEXT_NODE, textOf } from "../dom.ts";
import type { Block } from "../prune/blocks.ts";

/** The level of a heading, from 1; 0 for any other element. */
export const levelOf = (element: PageElement): number => (/^h[1-6]$/.test(element.localName) ? Number(element.localName[1]) : 0);

/** Removes headings that were not selected and have no text left below them. */
export function removeEmptyHeadings(root: PageElement, selected: ReadonlySet<Block>): void {
  const chosen = new Set<PageElement>([...selected].map(({ holder }) => holder));
  const open: PageElement[] = [];
  const close = (level: number): void => {
    while (open.length > 0 && levelOf(open.at(-1) as PageElement) >= level) {
      const heading = open.pop() as PageElement;
      if (!chosen.has(heading)) heading.remove();
    }
  };
  const visit = (element: PageElement): void => {
    const level = levelOf(element);
    if (level > 0) {
      if (textOf(element) === "") return;
      close(level);
      open.push(element);
      return;
    }
    for (const node of [...element.childNodes]) {
      if (isElement(node)) visit(node);
      else if (node.nodeType === TEXT_NODE && (node.textContent ?? "").trim() !== "") open.length = 0;
    }
  };
  visit(root);
  close(0);
}
