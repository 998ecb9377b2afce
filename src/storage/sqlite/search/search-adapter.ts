import type { SearchAdapter, TileClaims } from "../../sql/search/adapters.ts";

/** One process at a time indexes the tiles of the file, so they need no claims. */
export const noClaims: TileClaims = { isFree: "TRUE", freeParams: {}, claim: async () => true, *release() {} };

/** A unit of work blocks the thread: 500 terms take about 2 ms. */
export const searchAdapter: SearchAdapter = { claims: noClaims, groupTerms: 500, maxTerms: 2_500 };
