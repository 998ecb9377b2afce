import { globSync } from "node:fs";
import { defineConfig } from "vitest/config";

/** What a caller sees, and what a store must do, is the same on both engines, so these run on both. */
const SCENARIOS = [
  "test/contract/**/*.test.ts",
  "test/api/**/*.test.ts",
  "test/conformance/**/*.test.ts",
  "test/attack/**/*.test.ts",
  "test/e2e/{clock-jumps,crash,events,hanging-receiver,receivers,real-input}.test.ts",
];

/** Scenarios about HTTP, models and agents: what they use of the store is in the contract, which runs on both engines. */
const SAME_ON_EVERY_ENGINE = [
  "test/api/answers/{ask-model,ask-model-failures,ask-model-stream,mcp-endpoint,mcp-protocol,prompt-injection}.test.ts",
  "test/api/answers/generations/{model,model-instructions,model-limits}.test.ts",
  "test/api/calls/{body-deadline,http-syntax,limits}.test.ts",
  "test/conformance/command.test.ts",
  "test/e2e/real-input.test.ts",
];

/** What starts nothing: no server, no process, no thread. test/support/unit.ts makes a test fail that does. */
const UNIT = [
  "test/{bench,composition,docs,domain,http,ingest,llm,mcp,people,retrieval,service,source,storage,web}/**/*.test.ts",
  "test/net/{address,host-throttle,signature,url}.test.ts",
  "test/runtime/{loop,retry,semaphore,single-flight,stop-all,wait}.test.ts",
];

/** Files in these folders that do start something, or that take longer than the inner loop should. */
const NOT_UNIT = [
  "test/composition/{analysis-thread,close,memory,token-counter}.test.ts",
  "test/docs/{guides,readme,recipes}.test.ts",
  "test/http/{body-hoarding,body-memory,event-stream,memory-bounds,request-log,slow-lines,web,web-build,write-deadline}.test.ts",
  "test/ingest/{jobs/busy-business,threads/pool,threads/pool-turns}.test.ts",
  "test/ingest/read/fuzz.test.ts",
  "test/llm/caller/*.test.ts",
  "test/llm/{lazy,lazy-embedder,local-embedder,media,remote-embedder,settings}.test.ts",
  "test/mcp/stdio.test.ts",
  "test/people/passwords.test.ts",
  "test/service/{backups,clock-jumps}.test.ts",
  "test/source/regular-expressions.test.ts",
  "test/storage/sqlite/{backup,damaged-index,durability,free-pages,lock,write-ahead-log}.test.ts",
  "test/storage/{bytes-per-tile,delivery-limits,fill-hashes,labels,position-plan,purge-resume,queue-errors,restored-zone,index-units,tile-units,migrate,trim-audit,trim-deletions,upgrade,tile-chat-migration}.test.ts",
  "test/storage/{postgres,transfer}/*.test.ts",
  "test/web/settings/recipes.test.ts",
  // These count timers and listeners, and need modules that no other file has used.
  "test/ingest/jobs/{attempt-clock,stage-writes,stages}.test.ts",
  "test/web/wait.test.ts",
];

/** Files that measure memory, timers or processor time, so that each needs a process of its own. */
const ALONE = [
  "test/http/{body-hoarding,body-memory,memory-bounds}.test.ts",
  "test/ingest/jobs/{attempt-clock,stage-writes,stages}.test.ts",
  "test/people/passwords.test.ts",
  "test/source/regular-expressions.test.ts",
  "test/web/wait.test.ts",
];

const unitFiles = globSync(UNIT, { exclude: NOT_UNIT });

/** Ends what hangs. No test depends on the speed of the machine, so nothing that works comes near it. */
const HANGING_MS = 300_000;

/** Node loads the sources itself. Tests of one project share a process and load each module once. */
const SHARED = {
  pool: "forks",
  // Twice the cores of a small machine, since most tests wait for servers, threads and disks half of their time.
  maxWorkers: 4,
  isolate: false,
  experimental: { viteModuleRunner: false, nodeLoader: false },
  testTimeout: HANGING_MS,
  hookTimeout: HANGING_MS,
  expect: { poll: { timeout: HANGING_MS / 3 } },
} as const;

const WITH_SERVERS = {
  ...SHARED,
  setupFiles: ["test/support/shared-process.ts", "test/support/cheap-scrypt.ts"],
};

// oxlint-disable-next-line import/no-default-export -- the runner reads the default export
export default defineConfig({
  test: {
    globalSetup: "test/support/postgres/global-setup.ts",
    maxWorkers: SHARED.maxWorkers,
    projects: [
      {
        test: {
          ...SHARED,
          name: "unit",
          include: unitFiles,
          setupFiles: ["test/support/unit.ts", "test/support/shared-process.ts"],
          provide: { engine: "sqlite" },
        },
      },
      {
        test: {
          ...WITH_SERVERS,
          name: "sqlite",
          include: ["test/**/*.test.ts"],
          exclude: ["test/browser/**", ...ALONE, ...unitFiles],
          provide: { engine: "sqlite" },
        },
      },
      { test: { ...WITH_SERVERS, name: "alone", isolate: true, setupFiles: [], include: ALONE, provide: { engine: "sqlite" } } },
      { test: { ...WITH_SERVERS, name: "postgres", include: SCENARIOS, exclude: SAME_ON_EVERY_ENGINE, provide: { engine: "postgres" } } },
      {
        test: {
          ...SHARED,
          name: "browser",
          include: ["test/browser/**/*.test.ts"],
          globalSetup: "test/browser/support/setup.ts",
          setupFiles: "test/support/shared-process.ts",
        },
      },
    ],
  },
});
