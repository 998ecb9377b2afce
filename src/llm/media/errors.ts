import { ModelError, type ModelFailure } from "#domain/model/model.ts";
import { describeShortage, findShortage } from "#domain/core/errors/shortage.ts";
import { getHttpStatus, toModelError } from "../errors.ts";

/** Names of the settings for messages. */
export type SettingNames = { readonly model: string; readonly key: string; readonly address: string };

const MESSAGES: Readonly<Record<ModelFailure, (names: SettingNames) => string>> = {
  unreachable: ({ address }) => `The model can't be reached. Check ${address}, then retry.`,
  timeout: () => "The model did not answer in time. Raise INGEST_TIMEOUT_MS, then retry.",
  rate_limited: () => "The model's provider has reached its rate limit. Retry later.",
  refused: ({ model }) => `The model rejected the file. Check ${model}, and whether it supports files of this type and size.`,
  cut_off: () => "The model's answer was cut off. Retry later.",
  wrong_answer: ({ model }) => `The model returned an invalid response. Check ${model}.`,
};

/** An HTTP error status, with the fields that errors of the AI SDK have. */
export class StatusError extends Error {
  readonly statusCode: number;
  readonly responseHeaders: Readonly<Record<string, string>>;
  readonly responseBody: string;

  constructor(statusCode: number, responseHeaders: Readonly<Record<string, string>>, responseBody: string) {
    super("The server rejected the request.");
    this.name = "StatusError";
    this.statusCode = statusCode;
    this.responseHeaders = responseHeaders;
    this.responseBody = responseBody;
  }
}

/** Converts an error of reading a picture or recording into one whose message names the settings to check. Never contains the key. */
export function toMediaError(error: unknown, names: SettingNames, key: string): ModelError {
  const status = getHttpStatus(error);
  const { failure, retryAfterSeconds, cause } = toModelError(error, key, false);
  const shortage = findShortage(error);
  const message =
    shortage !== null
      ? describeShortage(shortage)
      : ((status === undefined ? null : describeStatus(status, names)) ?? MESSAGES[failure](names));
  return new ModelError(failure, message, { cause, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) });
}

function describeStatus(status: number, { model, key, address }: SettingNames): string | null {
  if (status === 401 || status === 403) return `The model refused the key. Check ${key}.`;
  if (status === 404) return `The model was not found. Check ${model} and ${address}.`;
  if (status >= 300 && status <= 399) return `The address of the model redirects elsewhere, which is not followed. Check ${address}.`;
  return null;
}
