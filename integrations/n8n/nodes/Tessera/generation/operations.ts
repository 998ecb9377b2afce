import type { INodeProperties } from "n8n-workflow";
import type { Operation } from "../shared/operation.ts";
import { generateDraft, getGeneration, startGeneration } from "./generate.ts";

/** The operations on drafts, by the name that the workflow stores. */
export const GENERATION_OPERATIONS: Readonly<Record<string, Operation>> = {
  generate: generateDraft,
  get: getGeneration,
  start: startGeneration,
};

export const GENERATION_OPERATION: INodeProperties = {
  displayName: "Operation",
  name: "operation",
  type: "options",
  noDataExpression: true,
  displayOptions: { show: { resource: ["generation"] } },
  default: "generate",
  options: [
    {
      name: "Generate",
      value: "generate",
      action: "Generate a draft",
      description: "Write a draft from the content of a board, and wait until it is complete",
    },
    { name: "Get", value: "get", action: "Get a draft", description: "Get a draft that was started" },
    {
      name: "Start",
      value: "start",
      action: "Start a draft",
      description: "Start a draft and go on at once. The trigger tells when it is complete.",
    },
  ],
};
