/** The id of the column that contains an element, or null. */
export const getColumnId = (target: EventTarget | null): string | null =>
  (target instanceof Element ? target.closest<HTMLElement>("[data-column]")?.dataset["column"] : null) ?? null;

/** Whether an event belongs to a field that takes text. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches("textarea, select, input:not([type=checkbox], [type=radio], [type=button])"));

/** Whether an event belongs to the empty input field of a column, which has no undo of its own. */
export const isEmptyComposer = (target: EventTarget | null): boolean =>
  target instanceof HTMLTextAreaElement && target.matches("[data-composer]") && target.value === "";

/** Whether a dialog or menu covers the board. */
export const isCovered = (): boolean => document.querySelector("[role=dialog], [role=alertdialog], [role=menu]") !== null;

/** What takes the focus: the first card or field for new tiles, and a button only on a board without them. */
const FALLBACK_FOCUS = ['main [data-title][tabindex="0"], main [data-composer]', "main button"];

/** Moves the focus from the body into the board. A dialog returns the focus to the active element, which must not be the body. */
export function ensureFocus(): void {
  if (document.activeElement !== document.body) return;
  const found = FALLBACK_FOCUS.map((selector) => document.querySelector<HTMLElement>(selector)).find((element) => element !== null);
  found?.focus({ preventScroll: true });
}

/** Scrolls to a column and focuses its input field; false if there is no such column. */
export function focusComposer(columnId: string): boolean {
  const column = document.querySelector(`[data-column="${CSS.escape(columnId)}"]`);
  column?.scrollIntoView({ inline: "nearest", block: "nearest" });
  column?.querySelector<HTMLElement>("[data-composer]")?.focus();
  return column !== null;
}
