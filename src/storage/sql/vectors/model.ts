import type { VectorStore } from "#domain/answers/vectors.ts";
import type { Driver } from "../driver.ts";
import { Mapping, plainFields } from "../mapping.ts";
import { exists, run, type Unit } from "../unit.ts";
import type { VectorAdapter } from "../search/adapters.ts";
import { beginReset, continueReset } from "./reset.ts";

const MODELS = new Mapping<{ readonly model: string }>(plainFields("model"));

/** The condition that the model `@model` is in use. It is always true for an empty `@model`. */
export const IS_MODEL_IN_USE = "(@model = '' OR EXISTS (SELECT 1 FROM vector_model WHERE is_on AND model = @model))";

/** Creates the part of the vector store that knows which model the vectors are of. */
export function createModelStore({ dialect, read, write }: Driver, { lockModel, claimModel }: VectorAdapter) {
  /** The model that this process computes vectors with; null for none. */
  let ownModel: string | null = null;

  /** Whether this process computes vectors, with the model that is in use. */
  function* isOwnModel(): Unit<boolean> {
    return ownModel !== null && (yield* exists(`SELECT 1 WHERE ${IS_MODEL_IN_USE}`, { model: ownModel }));
  }

  function* setModel(model: string | null): Unit<void> {
    yield* lockModel();
    if (model === null) {
      yield* run("UPDATE vector_model SET is_on = FALSE");
      return;
    }
    const stored = yield* MODELS.find("vector_model");
    if (stored !== null && stored.model !== model) yield* beginReset();
    yield* run("DELETE FROM vector_model");
    yield* run("INSERT INTO vector_model (model, is_on) VALUES (@model, TRUE)", { model });
  }

  const store: Pick<VectorStore, "useModel" | "modelInUse" | "discardStep"> = {
    async useModel(model) {
      const isUsed = claimModel === null || (await claimModel(model));
      if (isUsed) await write(() => setModel(model));
      ownModel = isUsed ? model : null;
      return isUsed;
    },

    async modelInUse() {
      return (await read(() => MODELS.find("vector_model WHERE is_on")))?.model ?? null;
    },

    discardStep: () =>
      write(function* () {
        return (yield* isOwnModel()) && (yield* continueReset(dialect));
      }),
  };
  return { ...store, isOwnModel };
}
