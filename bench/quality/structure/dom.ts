import { parseHTML } from "linkedom";

/** What is used of an element of linkedom, whose own types leave everything open. */
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
export const lineOf = ({ textContent }: PageElement): string => (textContent ?? "").replace(/\s+/g, " ").trim();
