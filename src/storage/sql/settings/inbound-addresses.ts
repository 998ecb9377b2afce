import { actorId } from "#domain/core/access.ts";
import { type InboundAddress, type InboundAddressStore, MAX_INBOUND_ADDRESSES } from "#domain/settings/inbound-address.ts";
import { secretAlreadyShown, tooManyAddresses } from "../checks/errors.ts";
import { createIdempotently } from "../checks/idempotency.ts";
import { type Driver, lockBusiness } from "../driver.ts";
import { insert, json, Mapping, plainFields } from "../mapping.ts";
import { get, run, type Unit } from "../unit.ts";
import { recordAudit } from "./audit.ts";
import { storeLastUses } from "./last-uses.ts";

const ADDRESSES = new Mapping<InboundAddress>({
  ...plainFields("id", "businessId", "name", "boardId", "zoneId", "sealedSecret", "createdBy", "createdAt", "lastUsedAt"),
  tags: json,
  signature: json,
});

function* countAddresses(businessId: string): Unit<number> {
  const row = yield* get<{ count: number }>("SELECT count(*) AS count FROM inbound_address WHERE business_id = @businessId", {
    businessId,
  });
  return Number(row?.count ?? 0);
}

export function createInboundAddressStore(driver: Driver): InboundAddressStore {
  const { dialect, read, write } = driver;
  return {
    findByHash: (hash) => read(() => ADDRESSES.find("inbound_address WHERE hash = @hash", { hash })),
    list: (businessId) =>
      read(() => ADDRESSES.list("inbound_address WHERE business_id = @businessId ORDER BY created_at, id", { businessId })),

    async create({ actor, target }, { hash, ...draft }, idempotency) {
      const { businessId } = target;
      const address = { ...draft, businessId, boardId: target.id, createdBy: actorId(actor), lastUsedAt: null };
      const outcome = await createIdempotently(driver, {
        idempotency,
        now: address.createdAt,
        *create() {
          yield* lockBusiness(dialect, businessId);
          if ((yield* countAddresses(businessId)) >= MAX_INBOUND_ADDRESSES) throw tooManyAddresses(MAX_INBOUND_ADDRESSES);
          const signature = address.signature === null ? null : JSON.stringify(address.signature);
          yield* insert("inbound_address", { ...address, tags: JSON.stringify(address.tags), signature, hash });
          yield* recordAudit(actor, "inbound_address.create", address.id, address.createdAt);
          return address;
        },
      });
      if (outcome.replayed) throw secretAlreadyShown("address");
      return outcome.value;
    },

    revoke: ({ actor, target }, addressId, now) =>
      write(function* () {
        const sql = "DELETE FROM inbound_address WHERE business_id = @businessId AND id = @addressId";
        const isRevoked = (yield* run(sql, { businessId: target.id, addressId })) > 0;
        if (isRevoked) yield* recordAudit(actor, "inbound_address.revoke", addressId, now);
        return isRevoked;
      }),

    touch: (uses) => storeLastUses(driver, "inbound_address", uses),
  };
}
