import { createRequire } from "node:module";
import { join } from "node:path";

type Request = {
  readonly method?: string;
  readonly url: string;
  readonly baseURL?: string;
  readonly headers?: object;
  readonly qs?: object;
  readonly body?: unknown;
  readonly arrayFormat?: string;
  readonly timeout?: number;
  readonly disableFollowRedirect?: boolean;
  readonly ignoreHttpStatusErrors?: boolean;
  readonly returnFullResponse?: boolean;
};

/**
 * Sends a request as n8n does: with the axios that n8n installs, and the options that n8n translates. What the nodes do not use, such as
 * proxies and forms, is left out.
 */
export async function sendLikeN8n(folder: string, request: Request): Promise<unknown> {
  const load = createRequire(join(folder, "package.json"));
  const axios = load("axios");
  const { method, url, baseURL, headers = {}, qs, body, timeout } = request;
  const response = await axios.request({
    method,
    url,
    baseURL,
    // n8n turns off the content type that axios gives to a POST without a body.
    headers: isEmpty(body) ? { ...headers, "Content-Type": false } : headers,
    timeout,
    params: qs,
    paramsSerializer: (params: object) => serialize(params, request.arrayFormat),
    maxRedirects: request.disableFollowRedirect === true ? 0 : undefined,
    proxy: false,
    data: isEmpty(body) ? undefined : body,
    ...(request.ignoreHttpStatusErrors === true ? { validateStatus: () => true } : {}),
  });
  if (request.returnFullResponse !== true) return response.data;
  return { body: response.data, headers: response.headers, statusCode: response.status, statusMessage: response.statusText };
}

const isEmpty = (body: unknown): boolean => body === undefined || (typeof body === "object" && Object.keys(body ?? {}).length === 0);

/** n8n repeats the name of an array only if it is asked for `repeat`, and writes its indices otherwise. */
function serialize(params: object, arrayFormat = "indices"): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (!Array.isArray(value)) query.append(name, String(value));
    else for (const [index, entry] of value.entries()) query.append(arrayFormat === "repeat" ? name : `${name}[${index}]`, String(entry));
  }
  return query.toString();
}
