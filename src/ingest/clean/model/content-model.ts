import data from "./content-model.json" with { type: "json" };
import { createModel } from "./model.ts";

/** The model that was fitted by `npm run fit -- clean`, as decision record 34 describes. */
export const contentModel = createModel(data);
