/** Query keys. */
export const SESSION_KEY = ["session"] as const;
export const SESSIONS_KEY = ["sessions"] as const;
export const BOARDS_KEY = ["boards"] as const;
export const MEMBERS_KEY = ["members"] as const;
export const INVITATIONS_KEY = ["invitations"] as const;

export const zonesKey = (boardId: string) => ["zones", boardId] as const;
export const tilesKey = (boardId: string) => ["tiles", boardId] as const;
export const revisionKey = (boardId: string) => ["revision", boardId] as const;
export const progressKey = (boardId: string) => ["progress", boardId] as const;
export const tileKey = (tileId: string) => ["tile", tileId] as const;
export const generationsKey = (boardId: string) => ["generations", boardId] as const;
export const generationKey = (generationId: string) => ["generation", generationId] as const;

/** Mutation scope that runs deletions and restorations of a board one after the other, so that an undo cannot overtake the deletion. */
export const boardMutationScope = (boardId: string) => ({ scope: { id: `board ${boardId}` } }) as const;
