import type { Open, TileType } from "@tessera-board/sdk";
import { getKindName, getTileIcon, type TileIcon } from "../../text/kind-name.ts";

export type KindGroup = "text" | "page" | "video" | "audio" | "social" | "document" | "image";

export const GROUP_NAMES: Readonly<Record<KindGroup, string>> = {
  text: "Text",
  page: "Web pages",
  video: "Videos",
  audio: "Audio",
  social: "Social posts",
  document: "Documents",
  image: "Images",
};

const GROUPS: Readonly<Record<TileIcon, KindGroup>> = {
  text: "text",
  page: "page",
  code: "page",
  feed: "page",
  video: "video",
  audio: "audio",
  social: "social",
  document: "document",
  image: "image",
};

/** A type that this version does not know is shown as a page. */
export function getKind(type: Open<TileType>): { readonly name: string; readonly group: KindGroup } {
  return { name: getKindName(type), group: GROUPS[getTileIcon(type)] };
}
