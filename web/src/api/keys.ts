/** The names under which answers are kept. */
export const SESSION = ["session"] as const;
export const SESSIONS = ["sessions"] as const;
export const BOARDS = ["boards"] as const;
export const MEMBERS = ["members"] as const;
export const INVITATIONS = ["invitations"] as const;

export const zonesOf = (boardId: string) => ["zones", boardId] as const;
export const tilesOf = (boardId: string) => ["tiles", boardId] as const;
export const revisionOf = (boardId: string) => ["revision", boardId] as const;
export const progressOf = (boardId: string) => ["progress", boardId] as const;
export const tileOf = (tileId: string) => ["tile", tileId] as const;
export const generationsOf = (boardId: string) => ["generations", boardId] as const;
export const generationOf = (generationId: string) => ["generation", generationId] as const;

/**
 * For deleting and bringing back on a board: shown at once, and sent one after the other, so that what is taken back at once is not
 * overtaken by what takes it back.
 */
export const inTurn = (boardId: string) => ({ scope: { id: `board ${boardId}` } }) as const;
