/** The query while typing: the last word matches as a prefix. */
export const toPrefixQuery = (query: string): string => (/[\p{L}\p{N}]$/u.test(query) && !query.includes('"') ? `${query}*` : query);
