import { type PageDocument, type PageElement, getText } from "../dom.ts";
import { normaliseText } from "../text.ts";

/** Pages with more `article` elements use them for layout. */
const MAX_ARTICLES = 40;
const MIN_TEXT_LENGTH = 400;
const MIN_TITLE_LENGTH = 10;

const hasLinkedHeading = (article: PageElement): boolean =>
  article.querySelector("h1 a, h2 a, h3 a, h4 a, article, a h2, a h3, a h4") !== null;

/** Keeps the article that the page's title names, and removes other articles with linked headings, which are teasers. */
export function removeOtherArticles(page: PageDocument, titles: readonly (string | null)[]): void {
  const articles = [...page.querySelectorAll("article")];
  if (articles.length < 2 || articles.length > MAX_ARTICLES) return;
  const names = titles.map((title) => normaliseText(title ?? "")).filter((title) => title.length >= MIN_TITLE_LENGTH);
  const isTitled = (article: PageElement): boolean => {
    const heading = article.querySelector("h1");
    const headingText = heading ? normaliseText(getText(heading).slice(0, 300)) : "";
    return headingText.length >= MIN_TITLE_LENGTH && names.some((name) => name.startsWith(headingText));
  };
  const titled = articles.filter(isTitled);
  const own = titled[0];
  if (!own || titled.length > 3 || getText(own).length < MIN_TEXT_LENGTH) return;
  const kept = new Set<PageElement>(own.querySelectorAll("article"));
  for (let up: PageElement | null = own; up; up = up.parentNode) kept.add(up);
  for (const article of articles) if (!kept.has(article) && hasLinkedHeading(article)) article.remove();
}
