import type { AnyRoute } from "../call.ts";
import { type InputLimits, createInputs } from "../schemas/inputs.ts";
import { askRoutes } from "./ask.ts";
import { boardRoutes } from "./boards.ts";
import { fileRoutes } from "./files.ts";
import { generationRoutes } from "./generations.ts";
import { inboundRoutes } from "./inbound.ts";
import { mcpRoutes } from "./mcp.ts";
import { tileRoutes } from "./tiles.ts";
import { zoneRoutes } from "./zones.ts";

/** Every route that needs a key. */
export function createRoutes(limits: InputLimits): AnyRoute[] {
  const inputs = createInputs(limits);
  return [boardRoutes, zoneRoutes, tileRoutes, fileRoutes, inboundRoutes, askRoutes, generationRoutes, mcpRoutes].flatMap((routesOf) =>
    routesOf(inputs),
  );
}
