import type { PageElement } from "../dom.ts";

/** Names of text for screen readers alone, which mostly says what a control does. */
const SPOKEN = /(?:^|\s)(?:sr-only|screen-reader(?:-text)?|screenreader|visually-?hidden|off-?screen|u-hiddenVisually)(?:\s|$)/i;
/** What opens when a reader asks for it. */
const FOLDED = /accordion|collaps|toggle|tab|faq|panel|expand|fold|answer|content|body/i;

/** Whether a reader does not see an element, and can't unfold it either. */
export function isHidden(element: PageElement): boolean {
  const names = `${element.getAttribute("class") ?? ""} ${element.getAttribute("id") ?? ""}`.slice(0, 1_000);
  if (SPOKEN.test(names)) return true;
  const isHere =
    element.getAttribute("hidden") !== null || /display:\s*none/i.test(element.getAttribute("style") ?? "") || isHiddenByName(names);
  return isHere && !FOLDED.test(`${names} ${element.getAttribute("role") ?? ""}`);
}

/** A class that hides, unless others show the element again on larger screens. */
const isHiddenByName = (names: string): boolean =>
  /(?:^|\s)(?:hidden|d-none|hide)(?:\s|$)/i.test(names) && !/[:-](?:block|flex|inline|grid|table)/.test(names);
