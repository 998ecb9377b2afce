import { type PageElement, TEXT_NODE, textOf } from "../dom.ts";
import { type Block, blocksIn, isProse } from "./blocks.ts";
import { isNamed, toSet } from "./names.ts";

const CAPTION_NAMES = toSet("caption captions figcaption bildunterschrift dida legende");
const CREDIT_NAMES = toSet("credit credits copyright photographer fotograf byline author license licence");
/** Names of a picture that illustrates the page as a whole, beside those of its kind. */
const LEADING = toSet(
  "hero featured feature thumbnail lead opening cover header principal titelbild aufmacher stage slider slideshow carousel gallery",
);
/** Libraries of pictures that show a thing in general; what stands under one says nothing of this page. */
const STOCK =
  /\b(?:shutterstock|istock(?:photo)?|getty ?images|fotolia|adobe ?stock|stock\.adobe|unsplash|pixabay|pexels|thinkstock|depositphotos|dreamstime|123rf|colourbox|alamy|picture ?alliance|symbolbild|symbolfoto|archivbild|archivfoto|file photo|stock photo)\b/i;
const CREDIT =
  /[\s.,;|/(–—-]*(?:\(?(?:photo(?:graph)?|foto(?:grafía|grafia)?|bild|image|imagen|imagem|immagine|kuva|zdj(?:ęcie|\.)|fot\.|credit|crédito|picture|courtesy)s?(?:\s?(?:by|credit|via|of|von))?\s?[:/©]|©|\(c\)\s)[^.!?]{0,100}\)?[.\s]*$|\s*\((?:foto|photo|bild|image|imagen|quelle|source|fuente|grafik)\s?[:/][^()]{0,100}\)[.\s]*$|\s*\((?:ap|afp|dpa|reuters|efe|epa|apa|ansa|pap|ap photo|archiv|archive)\b[^)]{0,80}\)[.\s]*$/i;

/** Which of how many pictures this is. */
const COUNTER = /^\d{1,3}(?: ?(?:\/|of|von|de|di) ?\d{1,3})?$/;

/** Times the length of a leading caption that there must be prose for it to illustrate. */
const MIN_PROSE_SHARE = 4;

/** How far around a caption the name of its picture or gallery may stand. */
const MAX_STEPS = 8;

const isCaption = (element: PageElement): boolean => element.localName === "figcaption" || isNamed(element, CAPTION_NAMES);

/** A picture in a box that is named so, with a text below it that is named nothing. */
const PICTURE_NAMES = toSet("image photo picture bild foto");
const MAX_PICTURE_TEXT = 500;
/** Agencies call a picture so that shows no part of the event. */
const ARCHIVE = /\b(?:file photo|archivbild|archivfoto|symbolbild|symbolfoto)\b/i;
/** Such a box under an archive picture; cards of pictures and texts have names of the same kind, and stay. */
const isArchiveBox = (element: PageElement): boolean =>
  isNamed(element, PICTURE_NAMES) &&
  element.querySelector("img") !== null &&
  textOf(element).length <= MAX_PICTURE_TEXT &&
  ARCHIVE.test(textOf(element)) &&
  blocksIn(element).length === 1;

/** Whether the picture of a caption stands before the first paragraph and is named as what leads into the page. */
function isLeading(caption: PageElement, around: ReadonlySet<PageElement>): boolean {
  let up: PageElement | null = caption;
  for (let steps = 0; steps < MAX_STEPS && up?.getAttribute && !around.has(up); steps++, up = up.parentNode)
    if (isNamed(up, LEADING)) return true;
  return false;
}

/** Takes who made a picture off the end of its caption; returns what is left. */
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

/** Leaves the words of captions: without credits, and none under pictures of stock or of the page as a whole. */
export function removeCaptions(root: PageElement): void {
  const blocks = blocksIn(root);
  const first = blocks.findIndex((block) => isProse(block) && !isInCaption(block));
  const leading = new Set<PageElement>(blocks.slice(0, Math.max(0, first)).map(({ holder }) => holder));
  // Where there is little else, the captions are what the page is about.
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
