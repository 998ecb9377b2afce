import { registerAction } from "./actions/action.ts";
import { ask } from "./actions/ask.ts";
import { createTile } from "./actions/create.ts";
import { generate } from "./actions/generate.ts";
import { search } from "./actions/search.ts";
import { registerEventIn } from "./events/event-in.ts";
import { registerLookups } from "./lookups.ts";
import type { Red } from "./red.ts";
import { registerServer } from "./server.ts";

/** Registers all nodes. Node-RED calls it once, when it loads the package. */
// oxlint-disable-next-line import/no-default-export -- Node-RED calls the default export
export default function registerNodes(red: Red): void {
  registerServer(red);
  registerLookups(red);
  registerAction(red, "tessera-create", createTile);
  registerAction(red, "tessera-ask", ask);
  registerAction(red, "tessera-search", search);
  registerAction(red, "tessera-generate", generate);
  registerEventIn(red);
}
