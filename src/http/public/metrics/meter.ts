import { Counter, Histogram, type Registry } from "@prometheus-io/client";
import type { Meter } from "#domain/metrics/meter.ts";

/** Buckets in seconds: of fetches and readings, and of questions with and without a model. */
const WORK_BUCKETS = [0.05, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 300];
const QUESTION_BUCKETS = [0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30];
/** Error codes are constants of the sources. More than that would be a mistake, which must not cost memory without end. */
const MAX_CODES = 200;
const CODE = /^[a-z][a-z0-9_]{0,39}$/;

/** Creates the counters of what this process does. */
export function createMeter(registry: Registry): Meter {
  return { ...createLinkMeter(registry), ...createQuestionMeter(registry), ...createOtherCounters(registry) };
}

function createLinkMeter(registry: Registry): Pick<Meter, "countLink" | "timeStage"> {
  const registers = [registry];
  const attempts = new Counter({
    name: "tessera_link_attempts_total",
    help: "Attempts at links and uploads that this process completed, by type of tile, outcome and error code.",
    labelNames: ["kind", "outcome", "code"],
    registers,
  });
  const attemptSeconds = new Histogram({
    name: "tessera_link_attempt_seconds",
    help: "Duration of these attempts, in seconds.",
    labelNames: ["outcome"],
    buckets: WORK_BUCKETS,
    registers,
  });
  const stageSeconds = new Histogram({
    name: "tessera_link_stage_seconds",
    help: "Duration of one fetch, reading, transcription or recognition, in seconds. An attempt has several.",
    labelNames: ["stage"],
    buckets: WORK_BUCKETS,
    registers,
  });
  const codes = new Set<string>();
  const toLabel = (code: string): string => {
    if (!codes.has(code) && (codes.size >= MAX_CODES || !CODE.test(code))) return "other";
    codes.add(code);
    return code;
  };
  return {
    countLink({ kind, outcome, code, seconds }) {
      attempts.inc({ kind, outcome, code: code === null ? "none" : toLabel(code) });
      attemptSeconds.observe({ outcome }, seconds);
    },
    timeStage: (stage, seconds) => stageSeconds.observe({ stage }, seconds),
  };
}

function createQuestionMeter(registry: Registry): Pick<Meter, "countQuestion"> {
  const registers = [registry];
  const questions = new Counter({
    name: "tessera_questions_total",
    help: "Questions, by outcome and by who wrote the answer.",
    labelNames: ["outcome", "mode"],
    registers,
  });
  const seconds = new Histogram({
    name: "tessera_question_seconds",
    help: "Time to answer a question, in seconds, the wait for a turn included. Questions without an answer are left out.",
    labelNames: ["mode"],
    buckets: QUESTION_BUCKETS,
    registers,
  });
  return {
    countQuestion({ outcome, mode, seconds: duration }) {
      questions.inc({ outcome, mode });
      if (mode !== "none") seconds.observe({ mode }, duration);
    },
  };
}

function createOtherCounters(registry: Registry): Pick<Meter, "countDelivery" | "countGeneration" | "countModelCall"> {
  const registers = [registry];
  const deliveries = new Counter({
    name: "tessera_deliveries_total",
    help: "Webhook deliveries that this process sent or ended, by outcome.",
    labelNames: ["outcome"],
    registers,
  });
  const generations = new Counter({
    name: "tessera_generations_total",
    help: "Generations that this process ran, by outcome.",
    labelNames: ["outcome"],
    registers,
  });
  const calls = new Counter({
    name: "tessera_model_calls_total",
    help: "Calls of language models, by outcome.",
    labelNames: ["endpoint", "outcome"],
    registers,
  });
  const tokens = new Counter({
    name: "tessera_model_tokens_total",
    help: "Input and output tokens of language models.",
    labelNames: ["direction", "endpoint"],
    registers,
  });
  return {
    countDelivery: (outcome, count = 1) => deliveries.inc({ outcome }, count),
    countGeneration: (outcome) => generations.inc({ outcome }),
    countModelCall(endpoint, outcome, usage) {
      calls.inc({ endpoint, outcome });
      for (const direction of ["input", "output"] as const) tokens.inc({ direction, endpoint }, usage[direction]);
    },
  };
}
