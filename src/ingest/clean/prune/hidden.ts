import type { PageElement } from "../dom.ts";

/** Names of elements for screen readers only, which mostly describe controls. */
const SCREEN_READER_ONLY =
  /(?:^|\s)(?:sr-only|screen-reader(?:-text)?|screenreader|visually-?hidden|off-?screen|u-hiddenVisually)(?:\s|$)/i;
/** Names of elements that readers can expand. */
const EXPANDABLE = /accordion|collaps|toggle|tab|faq|panel|expand|fold|answer|content|body/i;

/** Whether an element is hidden and can't be expanded. */
export function isHidden(element: PageElement): boolean {
  const names = `${element.getAttribute("class") ?? ""} ${element.getAttribute("id") ?? ""}`.slice(0, 1_000);
  if (SCREEN_READER_ONLY.test(names)) return true;
  const isNotShown =
    element.getAttribute("hidden") !== null || /display:\s*none/i.test(element.getAttribute("style") ?? "") || isHiddenByName(names);
  return isNotShown && !EXPANDABLE.test(`${names} ${element.getAttribute("role") ?? ""}`);
}

/** Whether a class hides the element, and no other class shows it on larger screens. */
const isHiddenByName = (names: string): boolean =>
  /(?:^|\s)(?:hidden|d-none|hide)(?:\s|$)/i.test(names) && !/[:-](?:block|flex|inline|grid|table)/.test(names);
