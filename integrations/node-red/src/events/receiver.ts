import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import type { Red } from "../red.ts";

/** Handles a webhook request, and returns the status of the response. */
export type Receiver = (body: Buffer, headers: IncomingHttpHeaders) => Promise<number>;

/** The receivers of webhook requests, by the id of their node. */
export type Receivers = Map<string, Receiver>;

/** An event has a tile of at most 100,000 characters. */
const MAX_BODY_BYTES = 4_000_000;

/** The path below `httpNodeRoot` at which a node receives webhook requests. */
export const receiverPath = (nodeId: string): string => `/tessera/${nodeId}`;

/** Adds the path of all receivers to Node-RED's HTTP nodes. The signature is computed over the raw body, so nothing may parse it before. */
export function openReceivers(red: Red): Receivers {
  const receivers: Receivers = new Map();
  red.httpNode.post(receiverPath(":node"), (request, response, next) => {
    const receiver = receivers.get(request.params.node ?? "");
    // Not 410: that would pause the subscription of a node that has not started yet.
    if (receiver === undefined) return end(response, 404);
    receive(receiver, request).then((status) => end(response, status), next);
  });
  return receivers;
}

async function receive(receiver: Receiver, request: IncomingMessage): Promise<number> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > MAX_BODY_BYTES) return 413;
    parts.push(part);
  }
  return receiver(Buffer.concat(parts), request.headers);
}

function end(response: ServerResponse, status: number): void {
  response.writeHead(status).end();
}
