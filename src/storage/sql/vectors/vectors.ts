import type { VectorStore } from "#domain/answers/vectors.ts";
import type { Driver } from "../driver.ts";
import type { VectorAdapter } from "../search/adapters.ts";
import { createModelStore } from "./model.ts";
import { createVectorReader } from "./read-vectors.ts";
import { createEmbeddingQueue } from "./unembedded.ts";

export function createVectorStore(driver: Driver, adapter: VectorAdapter): VectorStore {
  const { isOwnModel, ...model } = createModelStore(driver, adapter);
  return { ...model, ...createEmbeddingQueue(driver, adapter.claims, isOwnModel), ...createVectorReader(driver) };
}
