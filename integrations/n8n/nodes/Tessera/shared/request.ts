import type {
  IDataObject,
  IExecuteFunctions,
  IHookFunctions,
  IHttpRequestMethods,
  ILoadOptionsFunctions,
  IN8nHttpFullResponse,
  IWebhookFunctions,
} from "n8n-workflow";
import { createApiError, createRedirectError, createStrangerError } from "./errors.ts";

export const CREDENTIAL = "tesseraApi";

/** What n8n gives a node: while it runs, loads a list, subscribes, or receives a delivery. */
export type Context = IExecuteFunctions | IHookFunctions | ILoadOptionsFunctions | IWebhookFunctions;

export type Call = {
  readonly method?: IHttpRequestMethods;
  /** Begins with `/api/`; ids in it are encoded. */
  readonly path: string;
  /** Fields that are undefined are left out. An array is repeated. */
  readonly query?: IDataObject;
  readonly body?: IDataObject;
  /** The item that the call belongs to, which errors name. */
  readonly itemIndex?: number;
};

/** Longer than the server holds a waiting call. */
const TIMEOUT_MS = 90_000;

/** The address of the server, without a slash at its end. */
export async function getServerUrl(context: Context): Promise<string> {
  const { baseUrl } = await context.getCredentials(CREDENTIAL);
  return String(baseUrl).trim().replace(/\/+$/, "");
}

/**
 * Calls the server with the credential's key and returns the body of the response. Throws a NodeApiError with the message of the server.
 * Fields that the server does not know are errors too, so that an older server drops nothing silently.
 */
export async function callServer<T>(context: Context, call: Call): Promise<T> {
  const response = await send(context, call);
  if (response.statusCode >= 400) throw createApiError(context.getNode(), response, call.itemIndex);
  return response.body as T;
}

/** Returns the body of a GET, or null if the server does not have what the path names. */
export async function findOnServer<T>(context: Context, call: Call): Promise<T | null> {
  const response = await send(context, call);
  if (response.statusCode === 404) return null;
  if (response.statusCode >= 400) throw createApiError(context.getNode(), response, call.itemIndex);
  return response.body as T;
}

/** Sends a call and returns whatever Tessera answers. Throws if the address is that of another server. */
export async function send(context: Context, call: Call): Promise<IN8nHttpFullResponse> {
  const { method = "GET", path, query, body } = call;
  const serverUrl = await getServerUrl(context);
  const response = (await context.helpers.httpRequestWithAuthentication.call(context, CREDENTIAL, {
    method,
    url: `${serverUrl}${path}`,
    qs: omitUndefined(query ?? {}),
    arrayFormat: "repeat",
    ...(body === undefined ? {} : { body: omitUndefined(body) }),
    headers: { Accept: "application/problem+json, application/json", Prefer: "handling=strict" },
    json: true,
    timeout: TIMEOUT_MS,
    // A redirect would turn a POST into a GET, or send the key to another host.
    disableFollowRedirect: true,
    ignoreHttpStatusErrors: true,
    returnFullResponse: true,
  })) as IN8nHttpFullResponse;
  if (response.statusCode >= 300 && response.statusCode < 400) throw createRedirectError(context.getNode(), serverUrl, response);
  if (!isJsonOrEmpty(response)) throw createStrangerError(context.getNode(), serverUrl, response);
  return response;
}

/** Tessera answers in JSON; a 204 is empty. */
const isJsonOrEmpty = ({ body, statusCode }: IN8nHttpFullResponse): boolean =>
  statusCode === 204 || (typeof body === "object" && body !== null && !Buffer.isBuffer(body));

const omitUndefined = (fields: IDataObject): IDataObject =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
