/** Query keys. */
export const SESSION_KEY = ["session"] as const;
export const SESSIONS_KEY = ["sessions"] as const;
export const BOARDS_KEY = ["boards"] as const;
export const MEMBERS_KEY = ["members"] as const;
export const INVITATIONS_KEY = ["invitations"] as const;

export const zonesKey = (boardId: string) => ["zones", boardId] as const;
export const tilesKey = (boardId: string) => ["tiles", boardId] as const;
/** Below the key of the tiles, so that a change of the tiles refetches their number too. */
export const tileCountsKey = (boardId: string) => [...tilesKey(boardId), "count"] as const;
export const revisionKey = (boardId: string) => ["revision", boardId] as const;
export const progressKey = (boardId: string) => ["progress", boardId] as const;
export const tileKey = (tileId: string) => ["tile", tileId] as const;
export const generationsKey = (boardId: string) => ["generations", boardId] as const;
export const generationKey = (generationId: string) => ["generation", generationId] as const;

/** The key of all writes to the zones and tiles of a board. */
export const boardMutationKey = (boardId: string) => ["board", boardId] as const;

/** Options that run the writes to a board one after the other, so that an undo cannot overtake the action that it undoes. */
export const boardMutation = (boardId: string) => ({ mutationKey: boardMutationKey(boardId), scope: { id: `board ${boardId}` } }) as const;
