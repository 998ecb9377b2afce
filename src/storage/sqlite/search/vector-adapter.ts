import type { VectorAdapter } from "../../sql/search/adapters.ts";
import { noClaims } from "./search-adapter.ts";

/** Only one process works on the tiles of a file. */
export const vectorAdapter: VectorAdapter = { claims: noClaims, *lockModel() {}, claimModel: null };
