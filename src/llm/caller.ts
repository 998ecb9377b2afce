import type { LanguageModel } from "#domain/model/model.ts";
import { lazy } from "#runtime/lazy.ts";
import { requestObject } from "./object.ts";
import type { SdkModel } from "./providers.ts";
import { startStream } from "./stream.ts";

/** Creates a language model that calls a model of the AI SDK. The first request calls `open`. `key` is removed from all errors. */
export function createLanguageModel(name: string, open: () => Promise<SdkModel>, key: string): LanguageModel {
  const opened = lazy(open);
  return {
    name,
    stream: (request) => startStream(opened.get, request, key),
    object: (request) => requestObject(opened.get, request, key),
  };
}
