import { estimateUsage, type LanguageModel, ModelError, type TokenUsage, UNBILLED_FAILURES } from "#domain/model/model.ts";
import { waitOrAbort } from "#runtime/wait.ts";
import { getHttpStatus, MESSAGES, toModelError } from "./errors.ts";
import { readJson } from "./json.ts";
import type { SdkModel } from "./providers.ts";
import { type CallOptions, checkFinish, checkLength, toCallOptions, toTokenUsage, waitForRetry } from "./request.ts";
import { withoutThinking } from "./thinking.ts";

type ObjectRequest = Parameters<LanguageModel["object"]>[0];

/** Statuses of servers that do not support the requested response format. */
const FORMAT_REFUSED_STATUSES: ReadonlySet<number | undefined> = new Set([400, 422, 501]);

class FormatRefusedError extends Error {
  override readonly name = "FormatRefusedError";
}

/** Requests one JSON value by the provider's response format, or by instructions in the prompt if that is not supported. */
export async function requestObject(
  open: () => Promise<SdkModel>,
  request: ObjectRequest,
  key: string,
): ReturnType<LanguageModel["object"]> {
  let usage: TokenUsage = { input: 0, output: 0 };
  const addUsage: AddUsage = ({ input, output }) => void (usage = { input: usage.input + input, output: usage.output + output });
  try {
    const value =
      (await requestByFormat(await open(), request, key, addUsage)) ?? (await requestByPrompt(await open(), request, key, addUsage));
    if (value === undefined) throw new ModelError("wrong_answer", MESSAGES.wrong);
    return { value, usage };
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    const { failure, message, cause, retryAfterSeconds } = error;
    throw new ModelError(failure, message, { cause, retryAfterSeconds, usage });
  }
}

/** Called with the tokens of each attempt, including failed ones. */
type AddUsage = (usage: TokenUsage) => void;

async function requestByFormat(model: SdkModel, request: ObjectRequest, key: string, addUsage: AddUsage): Promise<unknown> {
  const { schema, schemaName: name } = request;
  const responseFormat = { type: "json", schema, name } as NonNullable<CallOptions["responseFormat"]>;
  try {
    return await generate(model, { ...toCallOptions(request), responseFormat }, request, key, addUsage);
  } catch (error) {
    if (error instanceof FormatRefusedError) return undefined;
    throw error;
  }
}

function requestByPrompt(model: SdkModel, request: ObjectRequest, key: string, addUsage: AddUsage): Promise<unknown> {
  const system = `${request.system}\n\nReturn one JSON value and nothing else: no code fence and no other text. It must match this JSON Schema:\n${JSON.stringify(request.schema)}`;
  return generate(model, toCallOptions({ ...request, system }), request, key, addUsage);
}

/** Returns the JSON value of the answer; undefined if it contains none. */
async function generate(model: SdkModel, options: CallOptions, request: ObjectRequest, key: string, addUsage: AddUsage): Promise<unknown> {
  for (let attempt = 0; ; attempt++) {
    let isCounted = false;
    try {
      const result = await waitOrAbort(model.doGenerate(options), request.signal);
      const text = result.structuredOutputText ?? result.content.map((part) => (part.type === "text" ? part.text : "")).join("");
      addUsage(toTokenUsage(result.usage, request, text.length));
      isCounted = true;
      checkFinish(result.finishReason.unified);
      checkLength(text.length, request);
      return readJson(withoutThinking(text));
    } catch (error) {
      const failure = toModelError(request.signal.aborted ? request.signal.reason : error, key, false);
      const isFormatRefused = options.responseFormat !== undefined && FORMAT_REFUSED_STATUSES.has(getHttpStatus(error));
      if (!isCounted && !isFormatRefused && !UNBILLED_FAILURES.has(failure.failure)) addUsage(estimateUsage(request, 0));
      request.signal.throwIfAborted();
      if (isFormatRefused) throw new FormatRefusedError();
      await waitForRetry(failure, attempt, request.signal);
    }
  }
}
