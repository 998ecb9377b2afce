import type { Config } from "#config";
import type { InputLimits } from "#http/wire/schema.ts";

/** Returns the limits of request fields, which calls over HTTP and over MCP share. */
export const toInputLimits = (config: Config): InputLimits => ({
  name: config.maxZoneName,
  title: config.maxTitle,
  content: config.maxContent,
  question: config.maxQuestion,
});
