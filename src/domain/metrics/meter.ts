import type { Stage } from "../content/progress.ts";
import type { TileType } from "../content/tile.ts";
import type { TokenUsage } from "../model/model.ts";
import type { MeteredEndpoint, ModelOutcome } from "../model/usage.ts";

/** How an attempt at a link or an upload ended. `postponed`: this machine was short of something, so it counts as no attempt. */
export type LinkOutcome = "ready" | "retried" | "failed" | "postponed";

/** How a question ended. `refused`: the caller may not ask it, or has to wait; `cancelled`: the caller went away. */
export type QuestionOutcome = "answered" | "not_answered" | "refused" | "cancelled" | "failed";

export type DeliveryResult = "succeeded" | "failed" | "retried" | "postponed" | "overflow";

/** Counts what one process did, for its metrics. Labels have few, fixed values: no ids, hosts or texts. */
export interface Meter {
  /** `code` is the code of the error; null without one. */
  countLink(attempt: {
    readonly kind: TileType;
    readonly outcome: LinkOutcome;
    readonly code: string | null;
    readonly seconds: number;
  }): void;
  /** Records the time of one fetch, one reading of a page or file, one transcription or one recognition of a picture. */
  timeStage(stage: Stage, seconds: number): void;
  countDelivery(result: DeliveryResult, count?: number): void;
  /** `mode` says who wrote the answer; `none` if there is no answer. `seconds` contains the wait for a turn. */
  countQuestion(question: {
    readonly outcome: QuestionOutcome;
    readonly mode: "extractive" | "model" | "none";
    readonly seconds: number;
  }): void;
  countGeneration(outcome: "complete" | "failed" | "cancelled"): void;
  countModelCall(endpoint: MeteredEndpoint, outcome: ModelOutcome, usage: TokenUsage): void;
}

/** Counts nothing: for commands, which have no metrics. */
export const NO_METER: Meter = {
  countLink: () => {},
  timeStage: () => {},
  countDelivery: () => {},
  countQuestion: () => {},
  countGeneration: () => {},
  countModelCall: () => {},
};
