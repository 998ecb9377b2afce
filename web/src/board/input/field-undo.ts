/** Whether the browser handled the last undo or redo in the focused field. */
let isHandled = false;

/** Prevents the browser from undoing typing in another field than the focused one: its history covers all fields of the page. */
export function guardFieldHistory(event: InputEvent): void {
  if (!event.inputType.startsWith("history")) return;
  isHandled = event.target === document.activeElement;
  if (!isHandled) event.preventDefault();
}

/** Leaves a pressed undo or redo key to the browser, and runs `otherwise` if the field has nothing to undo or redo. */
export function leaveToField(otherwise: () => void): void {
  isHandled = false;
  setTimeout(() => !isHandled && otherwise());
}
