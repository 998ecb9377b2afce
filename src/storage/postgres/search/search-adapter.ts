import type { SearchAdapter, TileClaims } from "../../sql/search/adapters.ts";

/** Writing 5,000 terms as JSON blocks the thread for about 3 ms; the server works in its own process. */
export const createSearchAdapter = (claims: TileClaims): SearchAdapter => ({ claims, groupTerms: 5_000, maxTerms: 5_000 });
