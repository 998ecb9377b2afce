const NAME = "tessera-last-board";

/** The board that was open last in this browser. */
export function lastBoard(): string | null {
  try {
    return localStorage.getItem(NAME);
  } catch {
    return null;
  }
}

export function keepLastBoard(boardId: string): void {
  try {
    localStorage.setItem(NAME, boardId);
  } catch {
    // Without it the default board is opened next time.
  }
}
