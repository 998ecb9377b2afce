import { type PageElement, TEXT_NODE, textOf } from "../dom.ts";
import { type Block, blocksIn, isProse } from "./blocks.ts";
import { isNamed, toSet } from "./names.ts";

const CAPTION_NAMES = toSet("caption captions figcaption bildunterschrift dida legende");
const CREDIT_NAMES = toSet("credit credits copyright photographer fotograf byline author license licence");
/** Names of pictures and galleries that illustrate the page as a whole. */
const LEADING = toSet(
  "hero featured feature thumbnail lead opening cover header principal titelbild aufmacher stage slider slideshow carousel gallery",
);
/** Stock photo libraries and labels. A caption with one of them says nothing about the page. */
const STOCK =
  /\b(?:shutterstock|istock(?:photo)?|getty ?images|fotolia|adobe ?stock|stock\.adobe|unsplash|pixabay|pexels|thinkstock|depositphotos|dreamstime|123rf|colourbox|alamy|picture ?alliance|symbolbild|symbolfoto|archivbild|archivfoto|file photo|stock photo)\b/i;
const CREDIT =
  /[\s.,;|/(–—-]*(?:\(?(?:photo(?:graph)?|foto(?:grafía|grafia)?|bild|image|imagen|imagem|immagine|kuva|zdj(?:ęcie|\.)|fot\.|credit|crédito|picture|courtesy)s?(?:\s?(?:by|credit|via|of|von))?\s?[:/©]|©|\(c\)\s)[^.!?]{0,100}\)?[.\s]*$|\s*\((?:foto|photo|bild|image|imagen|quelle|source|fuente|grafik)\s?[:/][^()]{0,100}\)[.\s]*$|\s*\((?:ap|afp|dpa|reuters|efe|epa|apa|ansa|pap|ap photo|archiv|archive)\b[^)]{0,80}\)[.\s]*$/i;

/** The position of a picture in a gallery, such as "2 / 7". */
const COUNTER = /^\d{1,3}(?: ?(?:\/|of|von|de|di) ?\d{1,3})?$/;

/** A leading caption is removed only if the page's prose is this many times longer. */
const MIN_PROSE_SHARE = 4;

/** Ancestors of a caption that are searched for the name of its picture or gallery. */
const MAX_ANCESTORS = 8;

const isCaption = (element: PageElement): boolean => element.localName === "figcaption" || isNamed(element, CAPTION_NAMES);

/** Names of boxes with a picture and an unnamed text below it. */
const PICTURE_NAMES = toSet("image photo picture bild foto");
const MAX_PICTURE_TEXT = 500;
/** Labels of agencies for a picture that does not show the event itself. */
const ARCHIVE = /\b(?:file photo|archivbild|archivfoto|symbolbild|symbolfoto)\b/i;
/** Whether an element is a box with an archive picture. Cards with pictures and texts have similar names and are kept. */
const isArchiveBox = (element: PageElement): boolean =>
  isNamed(element, PICTURE_NAMES) &&
  element.querySelector("img") !== null &&
  textOf(element).length <= MAX_PICTURE_TEXT &&
  ARCHIVE.test(textOf(element)) &&
  blocksIn(element).length === 1;

/** Whether a caption belongs to a leading picture, by the names of its ancestors below those that contain prose. */
function isLeading(caption: PageElement, around: ReadonlySet<PageElement>): boolean {
  let up: PageElement | null = caption;
  for (let steps = 0; steps < MAX_ANCESTORS && up?.getAttribute && !around.has(up); steps++, up = up.parentNode)
    if (isNamed(up, LEADING)) return true;
  return false;
}

/** Removes the credit from a caption. Returns the remaining text. */
function trimCredit(caption: PageElement): string {
  for (const element of caption.querySelectorAll("*")) if (element.localName === "cite" || isNamed(element, CREDIT_NAMES)) element.remove();
  const texts = [...caption.querySelectorAll("*"), caption].flatMap(({ childNodes }) =>
    [...childNodes].filter(({ nodeType }) => nodeType === TEXT_NODE),
  );
  for (const node of texts) {
    const text = node.textContent ?? "";
    const trimmed = text.length > 2_000 ? text : text.replace(CREDIT, "");
    if (trimmed !== text) (node as { textContent: string }).textContent = trimmed;
  }
  return textOf(caption);
}

/** Removes credits from captions, and the captions of stock pictures and of leading pictures. */
export function removeCaptions(root: PageElement): void {
  const blocks = blocksIn(root);
  const first = blocks.findIndex((block) => isProse(block) && !isInCaption(block));
  const leading = new Set<PageElement>(blocks.slice(0, Math.max(0, first)).map(({ holder }) => holder));
  // On pages with little prose the captions are the content.
  const texts = blocks.filter((block) => isProse(block) && !isInCaption(block));
  const prose = texts.reduce((sum, { text }) => sum + text.length, 0);
  const around = new Set<PageElement>();
  for (const { holder } of texts) for (let up: PageElement | null = holder; up && !around.has(up); up = up.parentNode) around.add(up);
  for (const element of root.querySelectorAll("figure div, figure span")) if (COUNTER.test(textOf(element))) element.remove();
  for (const caption of root.querySelectorAll("figcaption, [class]")) {
    if ((!isCaption(caption) && !isArchiveBox(caption)) || caption.querySelector("table, pre, h1, h2, h3, article, section")) continue;
    if (STOCK.test(textOf(caption)) || trimCredit(caption) === "") caption.remove();
    else if (isLeading(caption, around) && prose >= textOf(caption).length * MIN_PROSE_SHARE && holdsOnly(caption, leading))
      caption.remove();
  }
}

function isInCaption({ holder }: Block): boolean {
  for (let up: PageElement | null = holder; up?.getAttribute; up = up.parentNode) if (isCaption(up)) return true;
  return false;
}

const holdsOnly = (element: PageElement, holders: ReadonlySet<PageElement>): boolean =>
  holders.has(element) || [...element.querySelectorAll("*")].some((inner) => holders.has(inner));
