import { type PageElement, textOf } from "../dom.ts";

const MOST_TEXT = 250;
const MOST_SHARE = 0.1;

/** Drops the few words that share a small box with a picture: its caption, whatever it is named. */
export function dropPictureText(root: PageElement, whole: number): void {
  const lengths = new Map<PageElement, number>();
  const lengthOf = (element: PageElement): number => {
    const length = lengths.get(element) ?? textOf(element).length;
    lengths.set(element, length);
    return length;
  };
  for (const picture of root.querySelectorAll("img")) {
    let box: PageElement | null = null;
    for (let up = picture.parentNode; up && up !== root && lengthOf(up) <= MOST_TEXT; up = up.parentNode) box = up;
    if (!box || !/^(?:div|figure|span|center|table|dl)$/.test(box.localName)) continue;
    const length = lengthOf(box);
    if (length > 0 && length <= whole * MOST_SHARE && !box.querySelector("h1, h2, h3, h4, h5, h6, li")) box.remove();
  }
}
