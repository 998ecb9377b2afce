import type { AnyRoute } from "../route.ts";
import { type InputLimits, createInputs } from "../wire/inputs.ts";
import { createSettingsInputs } from "../wire/settings-schemas.ts";
import { askRoutes } from "./ask.ts";
import { boardRoutes } from "./boards.ts";
import { fileRoutes } from "./files.ts";
import { generationRoutes } from "./generations.ts";
import { inboundRoutes } from "./inbound.ts";
import { liveRoutes } from "./live.ts";
import { mcpRoutes } from "./mcp.ts";
import { backupRoutes } from "./settings/backups.ts";
import { settingsBusinessRoutes } from "./settings/business.ts";
import { settingsKeyRoutes } from "./settings/keys.ts";
import { memberRoutes } from "./settings/members.ts";
import { sessionRoutes } from "./settings/session.ts";
import { settingsWebhookRoutes } from "./settings/webhook.ts";
import { thumbnailRoutes } from "./thumbnails.ts";
import { tileRoutes } from "./tiles.ts";
import { zoneRoutes } from "./zones.ts";

/** Every route of the interface. */
export function createRoutes(limits: InputLimits): AnyRoute[] {
  const inputs = createInputs(limits);
  const settings = createSettingsInputs(limits);
  return [
    boardRoutes,
    zoneRoutes,
    tileRoutes,
    thumbnailRoutes,
    fileRoutes,
    inboundRoutes,
    askRoutes,
    generationRoutes,
    mcpRoutes,
    liveRoutes,
    sessionRoutes,
    memberRoutes,
  ]
    .flatMap((routesOf) => routesOf(inputs))
    .concat([settingsKeyRoutes, settingsWebhookRoutes, backupRoutes, settingsBusinessRoutes].flatMap((routesOf) => routesOf(settings)));
}
