import { ModelError, type ModelFailure } from "#domain/model/model.ts";
import { statusOf, toModelError } from "./errors.ts";

/** The settings that decide over a call, as a person is told of them. */
export type SettingNames = { readonly model: string; readonly key: string; readonly address: string };

const WHY: Readonly<Record<ModelFailure, (names: SettingNames) => string>> = {
  unreachable: ({ address }) => `The model can't be reached. Check ${address}, then retry.`,
  timeout: () => "The model did not answer in time. Raise INGEST_TIMEOUT_MS, then retry.",
  rate_limited: () => "The model's provider takes no more calls for now. Retry later.",
  refused: ({ model }) => `The model refused it. Check ${model}, and whether it takes files of this kind and size.`,
  cut_off: () => "The model's answer was cut off. Retry later.",
  wrong_answer: ({ model }) => `The model sent an answer that can't be read. Check ${model}.`,
};

/** A status of a server, as the other errors carry it. */
export class StatusError extends Error {
  readonly statusCode: number;
  readonly responseHeaders: Readonly<Record<string, string>>;
  readonly responseBody: string;

  constructor(statusCode: number, responseHeaders: Readonly<Record<string, string>>, responseBody: string) {
    super("The server refused the call.");
    this.name = "StatusError";
    this.statusCode = statusCode;
    this.responseHeaders = responseHeaders;
    this.responseBody = responseBody;
  }
}

/** What went wrong while a picture or a recording was read, told by the settings that decide over it; never with the key. */
export function mediaFailure(error: unknown, names: SettingNames, key: string): ModelError {
  const told = toModelError(error, key, false);
  const status = statusOf(error);
  const { failure, retryAfterSeconds, cause } = told;
  const message = (status === undefined ? null : whyStatus(status, names)) ?? WHY[failure](names);
  return new ModelError(failure, message, { cause, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) });
}

function whyStatus(status: number, { model, key, address }: SettingNames): string | null {
  if (status === 401 || status === 403) return `The model refused the key. Check ${key}.`;
  if (status === 404) return `The model was not found. Check ${model} and ${address}.`;
  if (status >= 300 && status <= 399) return `The address of the model redirects elsewhere, which is not followed. Check ${address}.`;
  return null;
}
