/** The id of the heading of the page of settings that is open. */
export const TITLE_ID = "settings-title";
/** Longer than a dialog takes to close and to give the focus back. */
const DIALOG_CLOSE_MS = 250;

/** After what had the focus may be gone with its row: gives it to the page's heading, so that the keyboard goes on from there. */
export function restoreFocus(): void {
  setTimeout(() => {
    if (document.activeElement === document.body) document.getElementById(TITLE_ID)?.focus();
  }, DIALOG_CLOSE_MS);
}
