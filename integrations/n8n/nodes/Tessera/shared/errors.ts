import { type IDataObject, type IN8nHttpFullResponse, type INode, type JsonObject, NodeApiError, NodeOperationError } from "n8n-workflow";

/** The parameters of the nodes by the fields of the API that they set. Fields that are missing here are named as the API does. */
const PARAMETERS: Readonly<Record<string, string>> = {
  asset_type: "Kind",
  audience: "Audience",
  board_id: "Board",
  connected_to_chat: "Use in Answers",
  content: "Text",
  created_before: "Created Before",
  created_since: "Created Since",
  events: "Events",
  external_id: "External ID",
  html: "Page HTML",
  idea_id: "Idea ID",
  language: "Language",
  language_hint: "Language",
  length: "Length",
  limit: "Limit",
  min_score: "Minimum Score",
  on_duplicate: "If It Exists",
  order: "Order",
  prompt: "Subject",
  properties: "Properties",
  q: "Query",
  question: "Question",
  save_to_zone_id: "Save to Zone",
  skip_deleted: "Skip Deleted",
  sort_order: "Position",
  source_url: "Source URL",
  status: "Status",
  tag: "Tags",
  tags: "Tags",
  title: "Title",
  tone: "Tone",
  type: "Types",
  types: "Types",
  updated_since: "Updated Since",
  url: "URL",
  zone_id: "Zone",
  zone_ids: "Zones",
};

/** What the server answers to a call that it refuses (RFC 9457), and the plain form of it. */
type Problem = { readonly detail?: string; readonly error?: string; readonly field?: string; readonly code?: string };

/** The error of a call that the server refused: its message, the parameter that it is about, the item, and what to do next. */
export function createApiError(
  node: INode,
  { statusCode, body, headers }: IN8nHttpFullResponse,
  itemIndex: number | undefined,
): NodeApiError {
  const { detail, error, field, code } = (body ?? {}) as Problem;
  const message = detail ?? error ?? `The server answered with status ${statusCode}.`;
  const parts = [
    describePlace(field ?? readField(message), itemIndex),
    adviseOn(statusCode, headers),
    code === undefined ? "" : `(${code})`,
  ];
  return new NodeApiError(node, (body ?? {}) as JsonObject, {
    message,
    description: parts.filter((part) => part !== "").join(" "),
    httpCode: String(statusCode),
    ...(itemIndex === undefined ? {} : { itemIndex }),
  });
}

/** An error of a parameter that the node itself finds. */
export const createParameterError = (node: INode, parameter: string, problem: string, itemIndex: number): NodeOperationError =>
  new NodeOperationError(node, `The parameter '${parameter}' ${problem}`, {
    description: `See item ${itemIndex}.`,
    itemIndex,
  });

/** The error of an address that sends callers elsewhere. */
export function createRedirectError(node: INode, serverUrl: string, { headers }: IN8nHttpFullResponse): NodeOperationError {
  const { location } = headers as IDataObject;
  return new NodeOperationError(node, `The server at ${serverUrl} redirects to ${String(location)}.`, {
    description: "Enter the address that it redirects to as the Server URL of the credential.",
  });
}

/** The error of an address at which something other than Tessera answers, such as the page of a proxy. */
export const createStrangerError = (node: INode, serverUrl: string, { statusCode }: IN8nHttpFullResponse): NodeOperationError =>
  new NodeOperationError(node, `The server at ${serverUrl} is not Tessera, or something in front of it answered (status ${statusCode}).`, {
    description: "Check the Server URL of the credential: it is the address of the Tessera page, without a path such as /api.",
  });

/** Messages about a field begin with its name. */
const readField = (message: string): string | undefined => {
  const [, name] = /^([a-z_]+) /.exec(message) ?? [];
  return name !== undefined && name in PARAMETERS ? name : undefined;
};

/** Where to look. Items are counted from 0, as n8n does. */
function describePlace(field: string | undefined, itemIndex: number | undefined): string {
  const item = itemIndex === undefined ? "" : ` of item ${itemIndex}`;
  if (field !== undefined) return `Check the parameter '${PARAMETERS[field] ?? field}'${item}.`;
  return itemIndex === undefined ? "" : `See item ${itemIndex}.`;
}

function adviseOn(statusCode: number, headers: IDataObject): string {
  const retryAfter = headers["retry-after"];
  if (statusCode === 401) return "Check the API Key of the credential.";
  if (retryAfter !== undefined) return `Try again after ${String(retryAfter)} seconds, or turn on Retry On Fail in the node's settings.`;
  return "";
}
