/** The id of the heading of the open section. */
export const TITLE_ID = "settings-title";
/** Longer than a dialog takes to close and to return the focus. */
const DIALOG_CLOSE_MS = 250;

/** Moves the focus to the heading if the focused element was removed, so that keyboard users keep their place. */
export function restoreFocus(): void {
  setTimeout(() => {
    if (document.activeElement === document.body) document.getElementById(TITLE_ID)?.focus();
  }, DIALOG_CLOSE_MS);
}
