import type { IDataObject, IExecuteFunctions, INodeProperties } from "n8n-workflow";
import { callServer } from "./request.ts";

/** The largest page of a listing. */
const MAX_PAGE = 500;

/** The fields "Return All" and "Limit" of an operation. */
export const limitFields = (resource: string, operation: string): INodeProperties[] => [
  {
    displayName: "Return All",
    name: "returnAll",
    type: "boolean",
    default: false,
    description: "Whether to return all results or only up to a given limit",
    displayOptions: { show: { resource: [resource], operation: [operation] } },
  },
  {
    displayName: "Limit",
    name: "limit",
    type: "number",
    typeOptions: { minValue: 1 },
    default: 50,
    description: "Max number of results to return",
    displayOptions: { show: { resource: [resource], operation: [operation], returnAll: [false] } },
  },
];

type Listing = {
  readonly path: string;
  readonly query?: IDataObject;
  /** The field of the response that holds the list. */
  readonly field: string;
  readonly itemIndex: number;
};

/** Reads a listing page by page, as far as "Return All" and "Limit" of the item ask for. */
export async function readListing(context: IExecuteFunctions, { path, query = {}, field, itemIndex }: Listing): Promise<IDataObject[]> {
  const returnAll = context.getNodeParameter("returnAll", itemIndex, false) as boolean;
  const wanted = returnAll ? Infinity : (context.getNodeParameter("limit", itemIndex, 50) as number);
  const found: IDataObject[] = [];
  let cursor: string | null | undefined;
  do {
    const limit = Math.min(MAX_PAGE, wanted - found.length);
    const page = await callServer<IDataObject>(context, { path, query: { ...query, limit, cursor: cursor ?? undefined }, itemIndex });
    found.push(...(page[field] as IDataObject[]));
    cursor = page["nextCursor"] as string | null | undefined;
  } while (cursor !== null && cursor !== undefined && found.length < wanted);
  return found;
}
