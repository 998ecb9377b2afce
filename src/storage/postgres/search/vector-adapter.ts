import type { TileClaims, VectorAdapter } from "../../sql/search/adapters.ts";
import { run } from "../../sql/unit.ts";
import type { NotificationBus } from "../engine/notification-bus.ts";
import type { Database } from "../engine/database.ts";

const LOCK_MODEL = "LOCK TABLE vector_model IN SHARE ROW EXCLUSIVE MODE";
/** The kind of the advisory locks by which nodes claim their model: an arbitrary unique number. */
const MODEL_CLAIM = 826_401_741;

export const createVectorAdapter = (db: Database, claims: TileClaims, bus: Pick<NotificationBus, "claim">): VectorAdapter => ({
  claims,

  *lockModel() {
    yield* run(LOCK_MODEL);
  },

  // The lock serialises the claims of all nodes.
  claimModel: (model) =>
    db.write(async (tx) => {
      await tx.run(LOCK_MODEL);
      return bus.claim(MODEL_CLAIM, model ?? "");
    }),
});
