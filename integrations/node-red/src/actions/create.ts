import type { InboundItem } from "@tessera-board/sdk";
import type { ActionContext } from "./action.ts";
import { readFields, waitWhileProcessing } from "./fields.ts";

const isAddress = (text: string): boolean => /^https?:\/\/\S+$/i.test(text.trim());

/** Creates a tile from a link or a text, and returns it; null if `skip_deleted` left it out. */
export async function createTile(context: ActionContext): Promise<unknown> {
  const { client, config, signal } = context;
  const fields = readFields(context, (text) => (isAddress(text) ? "url" : "content"));
  // The server checks the fields, and names those that are wrong.
  const created = await client.inbound.create(fields as unknown as InboundItem, { signal });
  if (created === null || config.wait !== true) return created;
  const tile = await waitWhileProcessing((wait) => client.tiles.get(created.id, { wait, signal }));
  return { ...tile, created: created.created };
}
