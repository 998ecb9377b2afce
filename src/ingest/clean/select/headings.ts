import { isElement, type PageElement, TEXT_NODE, getText } from "../dom.ts";
import type { PageBlock } from "../prune/blocks.ts";

/** Returns the level of a heading, from 1, or 0 for any other element. */
export const getHeadingLevel = (element: PageElement): number => (/^h[1-6]$/.test(element.localName) ? Number(element.localName[1]) : 0);

/** Removes headings that were not selected and have no text left below them. */
export function removeEmptyHeadings(root: PageElement, selected: ReadonlySet<PageBlock>): void {
  const selectedElements = new Set<PageElement>([...selected].map(({ container }) => container));
  const open: PageElement[] = [];
  const close = (level: number): void => {
    while (open.length > 0 && getHeadingLevel(open.at(-1) as PageElement) >= level) {
      const heading = open.pop() as PageElement;
      if (!selectedElements.has(heading)) heading.remove();
    }
  };
  const visit = (element: PageElement): void => {
    const level = getHeadingLevel(element);
    if (level > 0) {
      if (getText(element) === "") return;
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
