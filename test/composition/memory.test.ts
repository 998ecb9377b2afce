import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readStartCommand } from "../../scripts/start-command.ts";

const ROOT = join(import.meta.dirname, "../..");
const LIMIT_MB = 12;
/** Allocates young objects in a thread with a limit, and prints the memory that the thread used, in MiB. */
const SCRIPT = `
  import { Worker } from "node:worker_threads";
  import { limitThreads } from "#composition/tuning/startup-memory.ts";
  if (process.argv[1] === "bounded") limitThreads();
  const work = \`
    const { getHeapSpaceStatistics } = require("node:v8");
    let most = 0;
    for (let n = 0; n < 200; n++) {
      const held = Array.from({ length: 50_000 }, (_, i) => ({ i }));
      const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space").space_size;
      if (held.length > 0) most = Math.max(most, young);
    }
    require("node:worker_threads").parentPort.postMessage(most / 1048576);
  \`;
  const worker = new Worker(work, { eval: true, execArgv: [], resourceLimits: { maxYoungGenerationSizeMb: ${LIMIT_MB}, maxOldGenerationSizeMb: 80 } });
  worker.on("message", (most) => console.log(most));
`;

const measureYoungGeneration = (mode: string): number => {
  const { flags } = readStartCommand(ROOT);
  const args = [...flags, "--input-type=module", "-e", SCRIPT, mode];
  return Number(execFileSync(process.execPath, args, { cwd: ROOT, encoding: "utf8" }));
};

test("threads keep their memory limits, whatever flags npm start passes to the main thread", () => {
  expect(measureYoungGeneration("bounded")).toBeLessThanOrEqual(LIMIT_MB);
  // V8 prefers the flag to the limit; otherwise limitThreads would be unnecessary.
  expect(measureYoungGeneration("as started")).toBeGreaterThan(LIMIT_MB);
});

test("the server starts with flags of Node and variables of the C library", () => {
  expect(readStartCommand(ROOT)).toEqual({
    flags: expect.arrayContaining([expect.stringMatching(/^--max-semi-space-size=\d+$/)]),
    environment: expect.objectContaining({ MALLOC_ARENA_MAX: expect.stringMatching(/^\d+$/) }),
  });
});
