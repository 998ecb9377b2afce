import { type PageElement, TEXT_NODE, getText } from "../dom.ts";
import { type PageBlock, listBlocks, isProse } from "./blocks.ts";
import { isNamed, toSet } from "./names.ts";

const CAPTION_NAMES = toSet("caption captions figcaption bildunterschrift dida legende");
const CREDIT_NAMES = toSet("credit credits copyright photographer fotograf byline author license licence");
/** Names of pictures and galleries that illustrate the page as a whole. */
const LEADING_NAMES = toSet(
  "hero featured feature thumbnail lead opening cover header principal titelbild aufmacher stage slider slideshow carousel gallery",
);
/** Stock photo libraries and labels of their photos. A caption with one of them does not describe the page. */
const STOCK_PHOTO =
  /\b(?:shutterstock|istock(?:photo)?|getty ?images|fotolia|adobe ?stock|stock\.adobe|unsplash|pixabay|pexels|thinkstock|depositphotos|dreamstime|123rf|colourbox|alamy|picture ?alliance|symbolbild|symbolfoto|archivbild|archivfoto|file photo|stock photo)\b/i;
const CREDIT =
  /[\s.,;|/(–—-]*(?:\(?(?:photo(?:graph)?|foto(?:grafía|grafia)?|bild|image|imagen|imagem|immagine|kuva|zdj(?:ęcie|\.)|fot\.|credit|crédito|picture|courtesy)s?(?:\s?(?:by|credit|via|of|von))?\s?[:/©]|©|\(c\)\s)[^.!?]{0,100}\)?[.\s]*$|\s*\((?:foto|photo|bild|image|imagen|quelle|source|fuente|grafik)\s?[:/][^()]{0,100}\)[.\s]*$|\s*\((?:ap|afp|dpa|reuters|efe|epa|apa|ansa|pap|ap photo|archiv|archive)\b[^)]{0,80}\)[.\s]*$/i;

/** The position of a picture in a gallery, such as "2 / 7". */
const GALLERY_POSITION = /^\d{1,3}(?: ?(?:\/|of|von|de|di) ?\d{1,3})?$/;

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
  getText(element).length <= MAX_PICTURE_TEXT &&
  ARCHIVE.test(getText(element)) &&
  listBlocks(element).length === 1;

/** Whether a caption belongs to a leading picture, by the names of its ancestors below those that contain prose. */
function isLeading(caption: PageElement, around: ReadonlySet<PageElement>): boolean {
  let up: PageElement | null = caption;
  for (let steps = 0; steps < MAX_ANCESTORS && up?.getAttribute && !around.has(up); steps++, up = up.parentNode)
    if (isNamed(up, LEADING_NAMES)) return true;
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
  return getText(caption);
}

/** Removes credits from captions, and the captions of stock pictures and of leading pictures. */
export function removeCaptions(root: PageElement): void {
  const blocks = listBlocks(root);
  const first = blocks.findIndex((block) => isProse(block) && !isInCaption(block));
  const leading = new Set<PageElement>(blocks.slice(0, Math.max(0, first)).map(({ container }) => container));
  // On pages with little prose the captions are the content.
  const texts = blocks.filter((block) => isProse(block) && !isInCaption(block));
  const prose = texts.reduce((sum, { text }) => sum + text.length, 0);
  const around = new Set<PageElement>();
  for (const { container } of texts) for (let up: PageElement | null = container; up && !around.has(up); up = up.parentNode) around.add(up);
  for (const element of root.querySelectorAll("figure div, figure span")) if (GALLERY_POSITION.test(getText(element))) element.remove();
  for (const caption of root.querySelectorAll("figcaption, [class]")) {
    if ((!isCaption(caption) && !isArchiveBox(caption)) || caption.querySelector("table, pre, h1, h2, h3, article, section")) continue;
    if (STOCK_PHOTO.test(getText(caption)) || trimCredit(caption) === "") caption.remove();
    else if (isLeading(caption, around) && prose >= getText(caption).length * MIN_PROSE_SHARE && containsAny(caption, leading))
      caption.remove();
  }
}

function isInCaption({ container }: PageBlock): boolean {
  for (let up: PageElement | null = container; up?.getAttribute; up = up.parentNode) if (isCaption(up)) return true;
  return false;
}

/** Whether an element is, or contains, one of these elements. */
const containsAny = (element: PageElement, others: ReadonlySet<PageElement>): boolean =>
  others.has(element) || [...element.querySelectorAll("*")].some((inner) => others.has(inner));
