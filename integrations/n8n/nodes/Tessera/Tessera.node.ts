import {
  type IExecuteFunctions,
  type INodeExecutionData,
  type INodeType,
  type INodeTypeDescription,
  NodeApiError,
  NodeConnectionTypes,
  NodeOperationError,
} from "n8n-workflow";
import { BOARD_FIELDS } from "./board/fields.ts";
import { BOARD_OPERATION, BOARD_OPERATIONS } from "./board/operations.ts";
import { GENERATION_FIELDS } from "./generation/fields.ts";
import { GENERATION_OPERATION, GENERATION_OPERATIONS } from "./generation/operations.ts";
import { LIST_SEARCH, LOAD_OPTIONS } from "./shared/lists.ts";
import type { Operation } from "./shared/operation.ts";
import { TILE_FIELDS } from "./tile/fields.ts";
import { TILE_OPERATION, TILE_OPERATIONS } from "./tile/operations.ts";

const OPERATIONS: Readonly<Record<string, Readonly<Record<string, Operation>>>> = {
  board: BOARD_OPERATIONS,
  generation: GENERATION_OPERATIONS,
  tile: TILE_OPERATIONS,
};

/** The node that calls a Tessera server, once for each item. */
export class Tessera implements INodeType {
  description: INodeTypeDescription = {
    displayName: "Tessera",
    name: "tessera",
    icon: { light: "file:../../icons/tessera.svg", dark: "file:../../icons/tessera.dark.svg" },
    group: ["transform"],
    version: 1,
    subtitle: '={{$parameter["operation"] + ": " + $parameter["resource"]}}',
    description: "Add content to Tessera boards, ask and search them, and write drafts",
    defaults: { name: "Tessera" },
    usableAsTool: true,
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: "tesseraApi", required: true }],
    properties: [
      {
        displayName: "Resource",
        name: "resource",
        type: "options",
        noDataExpression: true,
        options: [
          { name: "Board", value: "board" },
          { name: "Draft", value: "generation" },
          { name: "Tile", value: "tile" },
        ],
        default: "tile",
      },
      TILE_OPERATION,
      BOARD_OPERATION,
      GENERATION_OPERATION,
      ...TILE_FIELDS,
      ...BOARD_FIELDS,
      ...GENERATION_FIELDS,
    ],
  };

  methods = { listSearch: LIST_SEARCH, loadOptions: LOAD_OPTIONS };

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    const results: INodeExecutionData[] = [];
    for (const [itemIndex] of this.getInputData().entries()) {
      try {
        const found = await findOperation(this, itemIndex)(this, itemIndex);
        results.push(...found.map((json) => ({ json, pairedItem: { item: itemIndex } })));
      } catch (error) {
        const failure = toNodeError(this, error, itemIndex);
        if (!this.continueOnFail()) throw failure;
        results.push({
          json: { error: failure.message, description: failure.description ?? "" },
          error: failure,
          pairedItem: { item: itemIndex },
        });
      }
    }
    return [results];
  }
}

function findOperation(context: IExecuteFunctions, itemIndex: number): Operation {
  const resource = context.getNodeParameter("resource", itemIndex) as string;
  const operation = context.getNodeParameter("operation", itemIndex) as string;
  const found = OPERATIONS[resource]?.[operation];
  if (found !== undefined) return found;
  throw new NodeOperationError(context.getNode(), `The node has no operation '${operation}' for '${resource}'.`, { itemIndex });
}

/** An error that says at which item it happened. */
function toNodeError(context: IExecuteFunctions, error: unknown, itemIndex: number): NodeApiError | NodeOperationError {
  if (!(error instanceof NodeApiError) && !(error instanceof NodeOperationError))
    return new NodeOperationError(context.getNode(), error as Error, { itemIndex });
  error.context["itemIndex"] ??= itemIndex;
  return error;
}
