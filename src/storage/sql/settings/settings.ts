import type { ApiKeyStore } from "#domain/settings/api-key.ts";
import type { Store } from "#domain/store.ts";
import { pageAudit, readActorNames } from "./audit.ts";
import type { Driver } from "../driver.ts";
import type { Notifier } from "../notifier.ts";
import { createApiKeyStore } from "./api-keys.ts";
import { SqlBackupStore } from "./backups.ts";
import { createLogInThrottleStore } from "./log-in-throttle.ts";
import { SqlPeopleStore } from "./people.ts";
import { createSecretKeyStore } from "./secret-key.ts";
import { createUsageStore } from "./usage.ts";
import { type DeliveryAdapter, SqlWebhookStore } from "./webhooks.ts";

/** The parts that differ between engines. */
export type SettingsAdapter = {
  readonly findByHash: ApiKeyStore["findByHash"];
  readonly deliveries: DeliveryAdapter;
};

type Settings = Pick<
  Store,
  "apiKeys" | "people" | "logInThrottle" | "usage" | "webhooks" | "secretKey" | "backups" | "auditPage" | "actorNames"
>;

/** Creates the settings stores of one engine. */
export function createSettingsStores(driver: Driver, { findByHash, deliveries }: SettingsAdapter, notifier: Notifier): Settings {
  const webhooks: Omit<Settings["webhooks"], keyof DeliveryAdapter> = new SqlWebhookStore(driver, notifier);
  return {
    apiKeys: { ...createApiKeyStore(driver), findByHash },
    people: new SqlPeopleStore(driver),
    logInThrottle: createLogInThrottleStore(driver),
    usage: createUsageStore(driver),
    webhooks: Object.assign(webhooks, deliveries),
    secretKey: createSecretKeyStore(driver),
    backups: new SqlBackupStore(driver),
    auditPage: (businessId, limit, after) => driver.read(() => pageAudit(businessId, limit, after)),
    actorNames: (businessId, ids) => driver.read(() => readActorNames(driver.dialect, businessId, ids)),
  };
}
