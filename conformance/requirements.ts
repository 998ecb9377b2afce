import { accessRequirements } from "./checks/spec/access.ts";
import { askRequirements } from "./checks/spec/ask.ts";
import { boardRequirements } from "./checks/spec/boards.ts";
import { eventRequirements } from "./checks/spec/events.ts";
import { inboundRequirements } from "./checks/spec/inbound.ts";
import { tileRequirements } from "./checks/spec/tiles.ts";
import { zoneRequirements } from "./checks/spec/zones.ts";
import { idempotencyRequirements } from "./checks/requests/idempotency.ts";
import { keyRequirements } from "./checks/requests/keys.ts";
import { bodyRequirements } from "./checks/requests/bodies.ts";
import { fieldRequirements } from "./checks/requests/fields.ts";
import { inboundAddressRequirements } from "./checks/requests/inbound-addresses.ts";
import { listingFilterRequirements } from "./checks/requests/listing-filters.ts";
import { listingRequirements } from "./checks/requests/listings.ts";
import { orderRequirements } from "./checks/requests/order.ts";
import { valueRequirements } from "./checks/requests/values.ts";
import { changeAdditions } from "./checks/events/changes.ts";
import { answerAdditions } from "./checks/resources/answers.ts";
import { boardAdditions } from "./checks/resources/boards.ts";
import { generationAdditions } from "./checks/resources/generation.ts";
import { inboundAdditions } from "./checks/resources/inbound.ts";
import { linkAdditions } from "./checks/resources/links.ts";
import { searchAdditions } from "./checks/resources/search.ts";
import { serviceAdditions } from "./checks/resources/service.ts";
import { tileAdditions } from "./checks/resources/tiles.ts";
import { zoneAdditions } from "./checks/resources/zones.ts";
import type { Requirement } from "./requirement.ts";
import { creationAdditions } from "./checks/requests/creations.ts";
import { bulkErrorAdditions } from "./checks/resources/bulk-errors.ts";
import { bulkAdditions } from "./checks/resources/bulk.ts";
import { chatAdditions } from "./checks/resources/chat.ts";
import { bulkLabelAdditions } from "./checks/labels/bulk-labels.ts";
import { labelAdditions } from "./checks/labels/tile-labels.ts";

/** Every requirement with its check, in the order of the run. Ids never change; new requirements get new ids. */
export const REQUIREMENTS: readonly Requirement[] = [
  ...boardRequirements,
  ...zoneRequirements,
  ...tileRequirements,
  ...askRequirements,
  ...inboundRequirements,
  ...accessRequirements,
  ...eventRequirements,
  ...orderRequirements,
  ...bodyRequirements,
  ...keyRequirements,
  ...valueRequirements,
  ...fieldRequirements,
  ...idempotencyRequirements,
  ...listingRequirements,
  ...listingFilterRequirements,
  ...boardAdditions,
  ...zoneAdditions,
  ...tileAdditions,
  ...linkAdditions,
  ...inboundAdditions,
  ...answerAdditions,
  ...searchAdditions,
  ...generationAdditions,
  ...serviceAdditions,
  ...chatAdditions,
  ...labelAdditions,
  ...creationAdditions,
  ...changeAdditions,
  ...bulkAdditions,
  ...bulkErrorAdditions,
  ...inboundAddressRequirements,
  ...bulkLabelAdditions,
];
