import { getErrorMessage } from "#domain/core/errors/error.ts";
import type { Log } from "#domain/core/log.ts";
import type { Clock } from "#domain/core/system.ts";
import type { SecretBox, Webhook } from "#domain/settings/webhook.ts";
import type { Store } from "#domain/store.ts";

/** How often to check whether the webhook of a business was set anew. */
const CHECK_INTERVAL_MS = 5_000;

type LockedDeps = {
  readonly store: Pick<Store, "webhooks">;
  readonly clock: Clock;
  readonly secretBox: SecretBox;
  readonly log: Log;
};

/** The businesses whose events wait, since this process has not the key that opens their webhook's secret. */
export type LockedWebhooks = {
  /** Returns the ids of the businesses, without those whose webhook was set anew or removed. */
  list(): Promise<readonly string[]>;
  /** Returns the secrets that sign an event, the current one first. Null if they can't be opened; the business is then locked. */
  open(webhook: Webhook): readonly string[] | null;
};

export function createLockedWebhooks({ store, clock, secretBox, log }: LockedDeps): LockedWebhooks {
  /** The sealed secrets by business. */
  const locked = new Map<string, string>();
  let checkedAt = 0;
  return {
    async list() {
      const now = clock.now();
      if (locked.size > 0 && Math.abs(now - checkedAt) >= CHECK_INTERVAL_MS) {
        checkedAt = now;
        for (const [businessId, sealed] of locked)
          if ((await store.webhooks.find(businessId))?.sealedSecret !== sealed) locked.delete(businessId);
      }
      return [...locked.keys()];
    },

    open(webhook) {
      const { businessId, sealedSecret, sealedPrevious, previousUntil } = webhook;
      try {
        const secrets = [secretBox.open(sealedSecret, businessId)];
        if (sealedPrevious !== null && (previousUntil ?? 0) > clock.now()) secrets.push(secretBox.open(sealedPrevious, businessId));
        return secrets;
      } catch (error) {
        if (!locked.has(businessId))
          log.warn({ business: businessId, error: getErrorMessage(error) }, "events wait, as the secret key is not the right one");
        locked.set(businessId, sealedSecret);
        return null;
      }
    },
  };
}
