import { type IncomingHttpHeaders, type IncomingMessage, type OutgoingHttpHeaders, request as requestPlain } from "node:http";
import { request as requestSecure } from "node:https";
import { getErrorCode } from "#domain/core/errors/error.ts";

const MAX_CALLS = 5;

export type Call = {
  readonly method?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Buffer;
  /** The address of loopback that the call comes from. */
  readonly from?: string;
};

export type Answer = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly text: string };

/** Calls through a proxy, whose certificate nobody has signed; resolves with the response before its body is read. */
export function open(url: string, { method = "GET", headers = {}, body, from }: Call = {}): Promise<IncomingMessage> {
  const request = url.startsWith("https:") ? requestSecure : requestPlain;
  return new Promise((resolve, reject) => {
    const options = { method, headers, agent: false, rejectUnauthorized: false, ...(from === undefined ? {} : { localAddress: from }) };
    let isAnswered = false;
    request(url, options, (response) => {
      isAnswered = true;
      resolve(response);
    })
      // A refused upload is answered before all of it was sent; writing the rest fails then.
      .on("error", (error) => isAnswered || reject(error))
      .end(body);
  });
}

/** Calls, and reads the whole body. */
export async function send(url: string, call: Call = {}): Promise<Answer> {
  const response = await open(url, call);
  let text = "";
  for await (const part of response.setEncoding("utf8")) text += part;
  return { status: response.statusCode ?? 0, headers: response.headers, text };
}

/**
 * Calls again while the connection is reset before the response was read. Caddy closes it half a second after the response to a call whose
 * body it has not read to its end, and a busy machine may not have read the response by then.
 */
export async function sendUntilAnswered(url: string, call: Call): Promise<Answer> {
  for (let calls = 1; ; calls++) {
    try {
      return await send(url, call);
    } catch (error) {
      if (getErrorCode(error) !== "ECONNRESET" || calls === MAX_CALLS) throw error;
    }
  }
}
