import type { Actor, Authorized } from "#domain/core/access.ts";
import type { Business } from "#domain/core/board.ts";
import { AppError, getErrorMessage, notFound } from "#domain/core/errors/error.ts";
import type { IdempotencyRecord } from "#domain/core/idempotency.ts";
import { newId } from "#domain/core/system.ts";
import type { InboundAddress, SignatureForm } from "#domain/settings/inbound-address.ts";
import { hashToken, newToken } from "#domain/settings/member.ts";
import type { BoardWriter } from "../access.ts";
import { requireZoneOn } from "../content/tiles.ts";
import type { Deps, StoreDeps } from "../deps.ts";

export type InboundAddressInput = {
  readonly name: string;
  readonly zoneId: string | null;
  readonly tags: readonly string[];
  readonly signature: (SignatureForm & { readonly secret: string }) | null;
};

/** Creates an address for a board. The returned token is not stored and can't be read again. Throws 400 for a zone of another board. */
export async function createInboundAddress(
  deps: StoreDeps & Pick<Deps, "secretBox">,
  scope: BoardWriter,
  { signature, ...input }: InboundAddressInput,
  idempotency?: IdempotencyRecord<InboundAddress>,
): Promise<{ readonly address: InboundAddress; readonly token: string }> {
  const { store, clock, secretBox } = deps;
  if (input.zoneId !== null) await requireZoneOn(deps, scope, input.zoneId);
  const { token, hash } = newToken("i");
  const createdAt = clock.now();
  const signed =
    signature === null
      ? { signature: null, sealedSecret: null }
      : {
          signature: { header: signature.header, encoding: signature.encoding, prefix: signature.prefix },
          sealedSecret: secretBox.seal(signature.secret, scope.target.businessId),
        };
  const draft = { id: newId("iba", createdAt), ...input, ...signed, hash, createdAt };
  return { address: await store.inboundAddresses.create(scope, draft, idempotency), token };
}

/** Returns the URL to which senders post. */
export const formatInboundUrl = (baseUrl: string, token: string): string => `${baseUrl}/in/${token}`;

export const listInboundAddresses = ({ store }: StoreDeps, businessId: string): Promise<InboundAddress[]> =>
  store.inboundAddresses.list(businessId);

/** Deletes an address, whose token is unknown from then on. Throws 404 when the business has no such address. */
export async function revokeInboundAddress(
  { store, clock }: StoreDeps,
  scope: Authorized<Business, "write">,
  addressId: string,
): Promise<void> {
  if (!(await store.inboundAddresses.revoke(scope, addressId, clock.now()))) throw notFound("Inbound address");
}

/** Returns the address of a token. Throws 404 for one that is unknown or was revoked. */
export async function requireInboundAddress(deps: StoreDeps, token: string): Promise<InboundAddress> {
  const address = await findByToken(deps, token);
  if (address === null) throw notFound("Inbound address");
  return address;
}

/** Returns the sender to the address of a token; null for a token that is unknown or was revoked. */
export async function authenticateSender(deps: StoreDeps, token: string): Promise<(Actor & { readonly kind: "address" }) | null> {
  const address = await findByToken(deps, token);
  return address && { kind: "address", businessId: address.businessId, addressId: address.id, boardId: address.boardId };
}

async function findByToken({ store }: StoreDeps, token: string): Promise<InboundAddress | null> {
  const hash = hashToken("i", token);
  return hash === null ? null : store.inboundAddresses.findByHash(hash);
}

/** Decrypts the secret of an address; null if its requests are not signed. Throws `unavailable` while the secret key is another one. */
export function openInboundSecret({ secretBox, log }: Pick<Deps, "secretBox" | "log">, address: InboundAddress): string | null {
  const { id, businessId, sealedSecret } = address;
  if (sealedSecret === null) return null;
  try {
    return secretBox.open(sealedSecret, businessId);
  } catch (error) {
    log.error(
      { address: id, error: getErrorMessage(error) },
      "the secret of an inbound address can't be opened, so its requests are refused",
    );
    throw new AppError("unavailable", "The server can't check signatures at the moment, because its secret key is another one.", 3_600);
  }
}
