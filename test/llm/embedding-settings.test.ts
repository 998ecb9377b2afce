import { expect, it } from "vitest";
import { readConfig } from "#config";

const REMOTE = { EMBEDDINGS: "openai-compatible", EMBEDDINGS_MODEL: "nomic", EMBEDDINGS_BASE_URL: "http://127.0.0.1:11434/v1/" };

it("settings of sentence vectors are local by default, and accept a server with or without a key", () => {
  expect(readConfig({}).embeddings).toBe("local");
  expect(readConfig({ EMBEDDINGS: "off" }).embeddings).toBe("off");
  expect(readConfig(REMOTE)).toMatchObject({ embeddingsBaseUrl: "http://127.0.0.1:11434/v1", embeddingsApiKey: "" });
  expect(readConfig({ ...REMOTE, EMBEDDINGS_API_KEY: "k" }).embeddingsApiKey).toBe("k");
});

it.each([
  ["EMBEDDINGS must be one of local, off, openai-compatible", { EMBEDDINGS: "on" }],
  ["EMBEDDINGS_MODEL is missing.", { ...REMOTE, EMBEDDINGS_MODEL: "" }],
  ["EMBEDDINGS_BASE_URL is missing.", { ...REMOTE, EMBEDDINGS_BASE_URL: "" }],
  ["EMBEDDINGS_BASE_URL must be an http or https address", { ...REMOTE, EMBEDDINGS_BASE_URL: "ftp://x" }],
  ["EMBEDDINGS_MODEL is set without EMBEDDINGS=openai-compatible.", { EMBEDDINGS_MODEL: "nomic" }],
  ["EMBEDDINGS_BASE_URL is set without EMBEDDINGS=openai-compatible.", { EMBEDDINGS: "off", EMBEDDINGS_BASE_URL: "http://x/v1" }],
  ["EMBEDDINGS_API_KEY is set without EMBEDDINGS=openai-compatible.", { EMBEDDINGS_API_KEY: "secret" }],
])("settings of sentence vectors are rejected: %s", (sentence, environment) => {
  expect(() => readConfig(environment)).toThrow(sentence);
  expect(() => readConfig(environment)).not.toThrow("secret");
});
