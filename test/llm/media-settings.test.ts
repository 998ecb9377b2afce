import { expect, it } from "vitest";
import { readConfig } from "#config";

const BASE = { LLM_PROVIDER: "openai-compatible", LLM_MODEL: "m", LLM_BASE_URL: "http://127.0.0.1:11434/v1" };
const CLAUDE = { LLM_PROVIDER: "anthropic", LLM_MODEL: "m", LLM_API_KEY: "k" };

it.each([
  ["pictures with the configured provider", { ...BASE, VISION_MODEL: "seer" }],
  ["pictures with any provider", { ...CLAUDE, VISION_MODEL: "seer" }],
  ["speech with the configured server", { ...BASE, SPEECH_MODEL: "hearer" }],
  [
    "speech with a separate server, without a language model",
    { SPEECH_MODEL: "hearer", SPEECH_BASE_URL: "http://127.0.0.1:8000/v1/", SPEECH_API_KEY: "k" },
  ],
  [
    "speech with a separate server, with another provider",
    { ...CLAUDE, SPEECH_MODEL: "hearer", SPEECH_BASE_URL: "http://127.0.0.1:8000/v1" },
  ],
])("settings of vision and speech models accept %s", (_what, environment) => {
  expect(readConfig(environment).speechBaseUrl).not.toMatch(/\/$/);
});

it.each([
  ["VISION_MODEL is set without LLM_PROVIDER.", { VISION_MODEL: "seer" }],
  ["SPEECH_MODEL needs an OpenAI-compatible server.", { SPEECH_MODEL: "hearer" }],
  ["SPEECH_MODEL needs an OpenAI-compatible server.", { ...CLAUDE, SPEECH_MODEL: "hearer" }],
  ["SPEECH_BASE_URL is set without SPEECH_MODEL.", { SPEECH_BASE_URL: "http://127.0.0.1:8000/v1" }],
  ["SPEECH_API_KEY is set without SPEECH_MODEL.", { SPEECH_API_KEY: "secret" }],
  ["SPEECH_API_KEY is set without SPEECH_BASE_URL", { ...BASE, SPEECH_MODEL: "hearer", SPEECH_API_KEY: "secret" }],
  ["SPEECH_BASE_URL must be an http or https address", { SPEECH_MODEL: "hearer", SPEECH_BASE_URL: "ftp://x" }],
])("settings of vision and speech models are rejected: %s", (sentence, environment) => {
  expect(() => readConfig(environment)).toThrow(sentence);
  expect(() => readConfig(environment)).not.toThrow("secret");
});
