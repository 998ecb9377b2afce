import { Skip } from "./expect.ts";
import type { Probe } from "./probe.ts";

export const GENERATION_PATHS = ["/api/v1/generate", "/api/v1/idea"] as const;

/** Whether the server has the generation calls, which are optional in the specification. */
export async function hasGeneration(t: Probe): Promise<boolean> {
  const replies = await Promise.all(GENERATION_PATHS.map((path) => t.call("POST", path, { body: {} })));
  return replies.every(({ status }) => status !== 404);
}

/** Skips the check if the server has no generation calls. */
export async function requireGeneration(t: Probe): Promise<void> {
  if (!(await hasGeneration(t))) throw new Skip("the server has no generation operations (404)");
}
