import { invalid } from "#domain/core/error.ts";
import type { TileOrigin } from "#domain/content/tile.ts";

type ChatBody = {
  readonly content?: string | undefined;
  readonly connected_to_chat?: boolean | null | undefined;
  readonly origin?: TileOrigin | undefined;
};

/** The fields of a creation that say whether the tile feeds chat. Throws 400 for an origin of a link, whose text comes from elsewhere. */
export function readChatFields({ content, connected_to_chat: connectedToChat, origin }: ChatBody) {
  if (origin !== undefined && content === undefined) throw invalid("origin needs content.");
  return {
    ...(connectedToChat === undefined ? {} : { connectedToChat }),
    ...(origin === undefined ? {} : { origin }),
  };
}
