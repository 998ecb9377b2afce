import type { IDataObject, IDisplayOptions, IExecuteFunctions, INodeProperties } from "n8n-workflow";

/** Carries out an operation for one item, and returns the items that it results in. */
export type Operation = (context: IExecuteFunctions, itemIndex: number) => Promise<readonly IDataObject[]>;

/** Where a field is shown. */
export const showFor = (resource: string, ...operations: string[]): { readonly displayOptions: IDisplayOptions } => ({
  displayOptions: { show: { resource: [resource], operation: operations } },
});

/** The switch of operations whose results have more than ten fields. */
export const simplifyField = (resource: string, ...operations: string[]): INodeProperties => ({
  displayName: "Simplify",
  name: "simplify",
  type: "boolean",
  default: true,
  description: "Whether to return a simplified version of the response instead of the raw data",
  ...showFor(resource, ...operations),
});

/** Returns the named fields of a resource if the item asks for a simplified result, otherwise the whole resource. */
export function simplify(context: IExecuteFunctions, itemIndex: number, resource: IDataObject, fields: readonly string[]): IDataObject {
  if (!(context.getNodeParameter("simplify", itemIndex, true) as boolean)) return resource;
  return Object.fromEntries(fields.filter((field) => field in resource).map((field) => [field, resource[field]]));
}
