import { MAX_SUBSCRIPTIONS } from "#domain/events/subscription.ts";
import { type AppError, conflict, invalid } from "#domain/core/errors/error.ts";

export const defaultBoardRequired = (): AppError =>
  conflict("The default board can't be deleted. Make another board the default first.", "default_board");
export const zoneIsDeleted = (): AppError => conflict("The tile's zone is deleted. Restore the zone first.", "zone_deleted");
export const keyReused = (): AppError =>
  conflict("This Idempotency-Key was used with another request. Use a new key for a new request.", "idempotency_key_reused");

export const tooManyWebhooks = (): AppError =>
  invalid(`A business can have at most ${MAX_SUBSCRIPTIONS} webhooks. Delete one that is not needed first.`);

const SECRET_SHOWN = {
  key: "This call was made before, and its answer showed the key, this once. If it is lost, revoke that key and make another one with a new Idempotency-Key.",
  address:
    "This call was made before, and its answer showed the URL, this once. If it is lost, revoke that address and make another one with a new Idempotency-Key.",
  webhook:
    "This call was made before, and its answer showed the secret, this once. If it is lost, rotate it, or delete that webhook and make another one with a new Idempotency-Key.",
  invitation:
    "This call was made before, and its answer showed the link, this once. If it is lost, invite the address again with a new Idempotency-Key: the new link replaces that one.",
} as const;

/** Returns the error for a repeated call whose first response contained a secret. Secrets are stored as hashes, so it can't be returned again. */
export const secretAlreadyShown = (secret: keyof typeof SECRET_SHOWN): AppError => conflict(SECRET_SHOWN[secret], "response_not_stored");

export const emailTaken = (): AppError => conflict("A member with this e-mail address exists already.", "email_taken");
export const ownerRequired = (): AppError =>
  conflict("The last owner of a business can't be removed or given another role. Make another member an owner first.", "last_owner");
export const tooManyAddresses = (max: number): AppError =>
  conflict(`The business has ${max} inbound addresses, which is the maximum. Revoke one that is not used, and try again.`);
export const backupInProgress = (): AppError => conflict("A backup is being made already. Wait until it has ended.", "backup_in_progress");
