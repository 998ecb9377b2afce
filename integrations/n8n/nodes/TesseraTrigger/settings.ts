import type { IDataObject, IHookFunctions, IWebhookFunctions } from "n8n-workflow";
import { toList, toText } from "../Tessera/shared/parameters.ts";

/** What the trigger's fields say. */
export type Settings = {
  readonly events: readonly string[];
  readonly boardId: string | undefined;
  readonly zoneIds: readonly string[] | undefined;
  readonly types: readonly string[] | undefined;
  readonly tags: readonly string[] | undefined;
  readonly includesTile: boolean;
  readonly skipsMissed: boolean;
  /** What owners see in the list of subscriptions. */
  readonly description: string;
};

const MAX_DESCRIPTION_LENGTH = 100;

export function readSettings(context: IHookFunctions | IWebhookFunctions): Settings {
  const filters = context.getNodeParameter("filters", {}) as IDataObject;
  const options = context.getNodeParameter("options", {}) as IDataObject;
  return {
    events: context.getNodeParameter("events") as string[],
    boardId: toText(context.getNodeParameter("board", "", { extractValue: true })),
    zoneIds: toList(filters["zones"]),
    types: toList(filters["types"]),
    tags: toList(filters["tags"]),
    includesTile: options["includeTile"] === true,
    skipsMissed: options["skipMissed"] === true,
    description: `n8n: ${context.getWorkflow().name ?? ""}`.slice(0, MAX_DESCRIPTION_LENGTH),
  };
}

/** The body of a subscription with these settings. */
export const toSubscriptionBody = ({ events, boardId, zoneIds, types, tags, description }: Settings, url: string): IDataObject => ({
  url,
  events: [...events],
  board_id: boardId,
  zone_ids: zoneIds && [...zoneIds],
  types: types && [...types],
  tags: tags && [...tags],
  description,
});
