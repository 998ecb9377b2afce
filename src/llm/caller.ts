import type { LanguageModel } from "#domain/model/model.ts";
import { requestObject } from "./object.ts";
import type { SdkModel } from "./providers.ts";
import { startStream } from "./stream.ts";

/** Creates a language model that calls a model of the AI SDK. The first request calls `open`. `key` is removed from all errors. */
export function createLanguageModel(name: string, open: () => Promise<SdkModel>, key: string): LanguageModel {
  let opened: Promise<SdkModel> | undefined;
  const openOnce = (): Promise<SdkModel> => {
    opened ??= open().catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
  return {
    name,
    stream: (request) => startStream(openOnce, request, key),
    object: (request) => requestObject(openOnce, request, key),
  };
}
