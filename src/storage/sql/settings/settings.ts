import type { ApiKeyStore } from "#domain/settings/api-key.ts";
import type { Store } from "#domain/store.ts";
import { listAudit, pageAudit } from "../audit.ts";
import type { Driver } from "../driver.ts";
import { createApiKeyStore } from "./api-keys.ts";
import { SqlBackupStore } from "./backups.ts";
import { createLogInThrottleStore } from "./log-in-throttle.ts";
import { SqlPeopleStore } from "./people.ts";
import { createUsageStore } from "./usage.ts";
import { type DeliveryQueue, type SenderNotifier, SqlWebhookStore } from "./webhooks.ts";

/** What the engines do in ways of their own. */
export type SettingsParts = {
  readonly findByHash: ApiKeyStore["findByHash"];
  readonly deliveryQueue: DeliveryQueue;
  readonly notifier: SenderNotifier;
};

type Settings = Pick<Store, "apiKeys" | "people" | "logInThrottle" | "usage" | "webhooks" | "backups" | "audit" | "auditPage">;

/** The stores of settings on one engine. */
export function createSettings(driver: Driver, { findByHash, deliveryQueue, notifier }: SettingsParts): Settings {
  const webhooks: Omit<Settings["webhooks"], keyof DeliveryQueue> = new SqlWebhookStore(driver, notifier);
  return {
    apiKeys: { ...createApiKeyStore(driver), findByHash },
    people: new SqlPeopleStore(driver),
    logInThrottle: createLogInThrottleStore(driver),
    usage: createUsageStore(driver),
    webhooks: Object.assign(webhooks, deliveryQueue),
    backups: new SqlBackupStore(driver),
    audit: (businessId, limit) => driver.read(() => listAudit(businessId, limit)),
    auditPage: (businessId, limit, after) => driver.read(() => pageAudit(businessId, limit, after)),
  };
}
