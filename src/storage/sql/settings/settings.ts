import type { ApiKeyStore } from "#domain/settings/api-key.ts";
import type { BackupExtension } from "#domain/settings/backup.ts";
import type { Store } from "#domain/store.ts";
import { pageAudit, readActorNames } from "./audit.ts";
import type { Driver } from "../driver.ts";
import type { Notifier } from "../notifier.ts";
import { createApiKeyStore } from "./api-keys.ts";
import { createBackupStore } from "./backups.ts";
import { createLogInThrottleStore } from "./log-in-throttle.ts";
import { createPeopleStore } from "./people.ts";
import { createSecretKeyStore } from "./secret-key.ts";
import { createUsageStore } from "./usage.ts";
import { createWebhookStore } from "./webhooks.ts";

/** The parts that differ between engines. */
export type SettingsAdapter = {
  readonly findByHash: ApiKeyStore["findByHash"];
  readonly backupExtension: BackupExtension;
};

type Settings = Pick<
  Store,
  "apiKeys" | "people" | "logInThrottle" | "usage" | "webhooks" | "secretKey" | "backups" | "auditPage" | "actorNames"
>;

/** Creates the settings stores of one engine. */
export function createSettingsStores(driver: Driver, { findByHash, backupExtension }: SettingsAdapter, notifier: Notifier): Settings {
  return {
    apiKeys: createApiKeyStore(driver, findByHash),
    people: createPeopleStore(driver),
    logInThrottle: createLogInThrottleStore(driver),
    usage: createUsageStore(driver),
    webhooks: createWebhookStore(driver, notifier),
    secretKey: createSecretKeyStore(driver),
    backups: createBackupStore(driver, backupExtension),
    auditPage: (businessId, limit, after) => driver.read(() => pageAudit(businessId, limit, after)),
    actorNames: (businessId, ids) => driver.read(() => readActorNames(driver.dialect, businessId, ids)),
  };
}
