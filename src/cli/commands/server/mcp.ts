import { type Config, readConfig } from "#config";
import { AppError, getErrorMessage } from "#domain/core/errors/error.ts";
import type { Log } from "#domain/core/log.ts";
import { openAppContext } from "#composition/app-context.ts";
import { lockDataDir } from "#composition/start/data-dir-lock.ts";
import { authenticate } from "#service/access.ts";
import { trackUse } from "#service/background/housekeeping.ts";
import { startGenerationRunner } from "#service/generation/runner.ts";
import { createRateLimiter } from "#service/rate-limit.ts";
import type { Command } from "../../command.ts";
import { requireCurrent, requireInstallation } from "../../with-data.ts";
import { formatCommand } from "#runtime/process/program-name.ts";

/** How long generations may take after the client has ended. */
const STOP_GENERATIONS_MS = 2_000;

/** Stdout belongs to the MCP protocol, so logs go to stderr. */
const write = (fields: object, message: string): void => void process.stderr.write(`${message} ${JSON.stringify(fields)}\n`);
const log: Log = { info: () => {}, warn: write, error: write };

export const MCP: Command = {
  name: "mcp",
  summary: "Serves an agent over standard input and output (MCP).",
  details: "The client of the agent starts it. TESSERA_API_KEY has the API key, which decides what the agent may do.",
  examples: ["TESSERA_API_KEY=tsr_… {program} mcp", "TESSERA_API_KEY=tsr_… DATA_DIR=/var/lib/tessera {program} mcp"],
  installation: "required",
  async run(invocation) {
    const key = process.env.TESSERA_API_KEY?.trim() ?? "";
    if (key === "") throw new Error(`TESSERA_API_KEY is missing. Set it to an API key, made with "${formatCommand("key create")}".`);
    const config = readConfig(process.env);
    await requireInstallation(invocation, config);
    await requireCurrent(config);
    // This process does no background work, like a server with the role "api".
    const releaseLock = lockDataDir({ ...config, role: "api" });
    try {
      const appContext = await openAppContext(config, { log });
      try {
        await serve(config, appContext, key);
      } finally {
        await appContext.close();
      }
    } finally {
      releaseLock();
    }
  },
};

async function serve(config: Config, appContext: Awaited<ReturnType<typeof openAppContext>>, key: string): Promise<void> {
  const { deps } = appContext;
  const use = trackUse(deps);
  const runner = startGenerationRunner(deps);
  const stop = new AbortController();
  const onSignal = (): void => stop.abort();
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, onSignal);
  const identify = async () => {
    deps.store.refreshSnapshot();
    const actor = await authenticate(deps, key);
    use.record(actor);
    return actor;
  };
  try {
    await identify().catch((error: unknown) => {
      throw error instanceof AppError && error.kind === "key_missing_or_invalid"
        ? new Error(`TESSERA_API_KEY: ${getErrorMessage(error)}`)
        : error;
    });
    const { createConfiguredMcpHandler } = await import("#composition/mcp-handler.ts");
    const mcp = createConfiguredMcpHandler(config, appContext, runner, createRateLimiter(deps.clock, deps.store.rateLimits));
    const streams = {
      input: process.stdin,
      output: process.stdout,
      maxMessageBytes: config.maxBodyBytes,
      onProblem: (message: string) => void process.stderr.write(`${message}\n`),
    };
    await mcp.serve(streams, identify, stop.signal);
  } finally {
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.off(signal, onSignal);
    await runner.stop(STOP_GENERATIONS_MS);
    await use.stop();
  }
}
