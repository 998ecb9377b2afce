import type { AnyRoute } from "../route.ts";
import type { InputLimits } from "../wire/schema.ts";
import { askRoutes } from "./ask.ts";
import { boardRoutes } from "./boards.ts";
import { fileRoutes } from "./files.ts";
import { generationRoutes } from "./generations.ts";
import { inboundRoutes } from "./inbound.ts";
import { changeRoutes } from "./events/changes.ts";
import { liveRoutes } from "./events/live.ts";
import { subscriptionDeliveryRoutes } from "./events/subscription-deliveries.ts";
import { subscriptionRoutes } from "./events/subscriptions.ts";
import { mcpRoutes } from "./mcp.ts";
import { apiKeyRoutes } from "./settings/keys.ts";
import { backupRoutes } from "./settings/backups.ts";
import { deliveryRoutes } from "./settings/deliveries.ts";
import { businessRoutes } from "./settings/business.ts";
import { inboundAddressRoutes } from "./settings/inbound-addresses.ts";
import { logInRoutes } from "./settings/log-in.ts";
import { memberRoutes } from "./settings/members.ts";
import { sessionRoutes } from "./settings/session.ts";
import { webhookRoutes } from "./settings/webhook.ts";
import { thumbnailRoutes } from "./thumbnails.ts";
import { tileRoutes } from "./tiles.ts";
import { zoneRoutes } from "./zones.ts";

/** Returns every route of the API. */
export const createRoutes = (limits: InputLimits): AnyRoute[] =>
  [
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
    changeRoutes,
    subscriptionRoutes,
    subscriptionDeliveryRoutes,
    logInRoutes,
    sessionRoutes,
    memberRoutes,
    apiKeyRoutes,
    inboundAddressRoutes,
    webhookRoutes,
    deliveryRoutes,
    backupRoutes,
    businessRoutes,
  ].flatMap((createGroup) => createGroup(limits));
