import type { GenerateInput, IdeaInput } from "@tessera-board/sdk";
import { readText } from "../server.ts";
import type { ActionContext } from "./action.ts";
import { readFields, waitWhileProcessing } from "./fields.ts";

/** The choice of the dialog that is no type of text. */
const IDEAS = "ideas";

/** Writes a text or suggests ideas, and returns the generation when it has ended. */
export async function generate(context: ActionContext): Promise<unknown> {
  const { client, config, signal } = context;
  const { zoneId, ...fields } = readFields(context, () => "prompt");
  const kind = readText(config, "kind");
  // The zone of the dialog narrows what is read.
  const input = { ...(zoneId !== undefined && { zoneIds: [zoneId] }), ...fields };
  const started =
    kind === IDEAS
      ? await client.idea(input as unknown as IdeaInput, { signal })
      : await client.generate({ ...(kind !== "" && { assetType: kind }), ...input } as unknown as GenerateInput, { signal });
  if (started.status !== "processing") return started;
  return waitWhileProcessing((wait) => client.generations.get(started.id, { wait, signal }));
}
