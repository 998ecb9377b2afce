import { getErrorMessage } from "#domain/core/errors/error.ts";
import type { Log } from "#domain/core/log.ts";
import type { Clock } from "#domain/core/system.ts";
import type { SecretBox, WebhookSecrets } from "#domain/settings/webhook.ts";

/** How often to check whether the secret of a receiver was set anew. */
const CHECK_INTERVAL_MS = 5_000;

/** The webhook of a business, or a subscription. `key` is the id of the business or of the subscription. */
export type Receiver = WebhookSecrets & { readonly key: string; readonly businessId: string };

type LockedDeps = { readonly clock: Clock; readonly secretBox: SecretBox; readonly log: Log };

/** The receivers whose events wait, since this process has not the key that opens their secrets. */
export type LockedWebhooks = {
  /** Returns the keys of the receivers, without those whose secret was set anew, or that were removed. */
  list(): Promise<readonly string[]>;
  /** Returns the secrets that sign an event, the current one first. Null if they can't be opened; the receiver is then locked. */
  open(receiver: Receiver): readonly string[] | null;
};

/** `find` returns the receiver with this key as it is now. */
export function createLockedWebhooks(
  { clock, secretBox, log }: LockedDeps,
  find: (receiver: Receiver) => Promise<WebhookSecrets | null>,
): LockedWebhooks {
  const locked = new Map<string, Receiver>();
  let checkedAt = 0;
  return {
    async list() {
      const now = clock.now();
      if (locked.size > 0 && Math.abs(now - checkedAt) >= CHECK_INTERVAL_MS) {
        checkedAt = now;
        for (const [key, receiver] of locked) if ((await find(receiver))?.sealedSecret !== receiver.sealedSecret) locked.delete(key);
      }
      return [...locked.keys()];
    },

    open(receiver) {
      const { key, businessId, sealedSecret, sealedPrevious, previousUntil } = receiver;
      try {
        const secrets = [secretBox.open(sealedSecret, businessId)];
        if (sealedPrevious !== null && (previousUntil ?? 0) > clock.now()) secrets.push(secretBox.open(sealedPrevious, businessId));
        return secrets;
      } catch (error) {
        if (!locked.has(key))
          log.warn({ business: businessId, error: getErrorMessage(error) }, "events wait, as the secret key is not the right one");
        locked.set(key, receiver);
        return null;
      }
    },
  };
}
