import { parseHTML } from "linkedom";

/** The members of linkedom's elements that are used, because its types are too general. */
export type PageElement = {
  readonly tagName: string;
  readonly textContent: string | null;
  readonly children: Iterable<PageElement>;
  readonly parentElement: PageElement | null;
  readonly nextElementSibling: PageElement | null;
  readonly previousElementSibling: PageElement | null;
  readonly closest: (selector: string) => PageElement | null;
  readonly querySelector: (selector: string) => PageElement | null;
  readonly querySelectorAll: (selector: string) => Iterable<PageElement>;
  readonly remove: () => void;
};

/** The root element of a page. */
export const parseRoot = (html: string): PageElement => parseHTML(html).document.documentElement as unknown as PageElement;

/** The text of an element on one line. */
export const getLine = ({ textContent }: PageElement): string => (textContent ?? "").replace(/\s+/g, " ").trim();
