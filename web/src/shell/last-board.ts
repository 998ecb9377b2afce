const STORAGE_KEY = "tessera-last-board";

/** The board last opened in this browser. */
export function getLastBoard(): string | null {
  try {
    return localStorage.getItem(STORAGE_KEY);
  } catch {
    return null;
  }
}

export function saveLastBoard(boardId: string): void {
  try {
    localStorage.setItem(STORAGE_KEY, boardId);
  } catch {
    // Without storage, the default board is opened next time.
  }
}
