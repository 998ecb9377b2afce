import { accessClaims } from "./checks/spec/access.ts";
import { askClaims } from "./checks/spec/ask.ts";
import { boardClaims } from "./checks/spec/boards.ts";
import { eventClaims } from "./checks/spec/events.ts";
import { inboundClaims } from "./checks/spec/inbound.ts";
import { tileClaims } from "./checks/spec/tiles.ts";
import { zoneClaims } from "./checks/spec/zones.ts";
import { idempotencyClaims } from "./checks/requests/idempotency.ts";
import { keyClaims } from "./checks/requests/keys.ts";
import { listingClaims } from "./checks/requests/listings.ts";
import { orderClaims } from "./checks/requests/order.ts";
import { valueClaims } from "./checks/requests/values.ts";
import { answerAdditions } from "./checks/resources/answers.ts";
import { boardAdditions } from "./checks/resources/boards.ts";
import { generationAdditions } from "./checks/resources/generation.ts";
import { inboundAdditions } from "./checks/resources/inbound.ts";
import { linkAdditions } from "./checks/resources/links.ts";
import { serviceAdditions } from "./checks/resources/service.ts";
import { tileAdditions } from "./checks/resources/tiles.ts";
import { zoneAdditions } from "./checks/resources/zones.ts";
import type { Claim } from "./claim.ts";
import { bulkAdditions } from "./checks/resources/bulk.ts";
import { chatAdditions } from "./checks/resources/chat.ts";

/** Every claim with its check, in the order they run. A number, once given, stays with its claim; new ones are added behind. */
export const CLAIMS: readonly Claim[] = [
  ...boardClaims,
  ...zoneClaims,
  ...tileClaims,
  ...askClaims,
  ...inboundClaims,
  ...accessClaims,
  ...eventClaims,
  ...orderClaims,
  ...keyClaims,
  ...valueClaims,
  ...idempotencyClaims,
  ...listingClaims,
  ...boardAdditions,
  ...zoneAdditions,
  ...tileAdditions,
  ...linkAdditions,
  ...inboundAdditions,
  ...answerAdditions,
  ...generationAdditions,
  ...serviceAdditions,
  ...chatAdditions,
  ...bulkAdditions,
];
