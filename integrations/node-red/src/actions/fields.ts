import { readText } from "../server.ts";
import type { ActionContext } from "./action.ts";

/** What a call takes, before the server checks it. */
export type Fields = Readonly<Record<string, unknown>>;

/**
 * Returns the fields of a call: those of an object in `msg.payload`, or the payload's text under the name `textField`. A board or zone that
 * is chosen in the dialog goes before `msg.boardId` and `msg.zoneId`, and these before the fields `board_id` and `zone_id` of the payload.
 * Throws an error with a sentence for the user if no board is chosen.
 */
export function readFields(
  { red, message, config }: ActionContext,
  textField: (text: string) => string,
): Fields & { readonly boardId: string } {
  const { board_id: boardAlias, zone_id: zoneAlias, ...given } = readPayload(message.payload, textField);
  const boardId = readText(config, "board") || message.boardId || given.boardId || boardAlias;
  const zoneId = readText(config, "zone") || message.zoneId || given.zoneId || zoneAlias;
  if (typeof boardId !== "string" || boardId === "") throw new Error(red._("errors.no-board"));
  return { ...given, boardId, ...(zoneId !== undefined && { zoneId }) };
}

function readPayload(payload: unknown, textField: (text: string) => string): Fields {
  if (typeof payload === "object" && payload !== null && !Array.isArray(payload) && !Buffer.isBuffer(payload)) return payload as Fields;
  const text = typeof payload === "string" || typeof payload === "number" || Buffer.isBuffer(payload) ? String(payload) : "";
  return text === "" ? {} : { [textField(text)]: text };
}

/** The field as a text; empty if it is something else. */
export const getText = (fields: Fields, name: string): string => {
  const value = fields[name];
  return typeof value === "string" ? value : "";
};

/** Seconds that one call waits: shorter than the time after which most proxies end a call. */
const WAIT_SECONDS = 25;

/** Reads until the resource is no longer processing. Processing always ends: the server has a limit of its own. */
export async function waitWhileProcessing<T extends { readonly status: string }>(read: (waitSeconds: number) => Promise<T>): Promise<T> {
  for (;;) {
    const resource = await read(WAIT_SECONDS);
    if (resource.status !== "processing") return resource;
  }
}
