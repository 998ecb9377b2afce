import type { Config } from "#config";
import { VERSION } from "#domain/core/version.ts";
import { createMetrics, type Metrics } from "#http/public/metrics/metrics.ts";

/** Creates the metrics of this process. `droppedLines` returns how many lines the log has lost. */
export const openMetrics = ({ databaseUrl, role }: Config, droppedLines: () => number): Metrics =>
  createMetrics({ version: VERSION, node: process.versions.node, storage: databaseUrl === "" ? "sqlite" : "postgres", role }, droppedLines);
