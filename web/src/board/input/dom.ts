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

/** Whether an event belongs to the page itself or to a heading, which have no use for arrow keys. */
export const hasNoControl = (target: EventTarget | null): boolean =>
  target === document.body || (target instanceof HTMLElement && target.matches("#main, [data-heading]"));

/** Whether a dialog or menu covers the board. */
export const isCovered = (): boolean => document.querySelector("[role=dialog], [role=alertdialog], [role=menu]") !== null;

/** Scrolls to a column and focuses its input field; false if there is no such column. */
export function focusComposer(columnId: string): boolean {
  const column = document.querySelector(`[data-column="${CSS.escape(columnId)}"]`);
  column?.scrollIntoView({ inline: "nearest", block: "nearest" });
  column?.querySelector<HTMLElement>("[data-composer]")?.focus();
  return column !== null;
}
