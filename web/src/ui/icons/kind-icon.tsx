import type { Open, TileType } from "@tessera-board/sdk";
import type { LucideIcon } from "lucide-react";
import { AudioIcon, CodeIcon, FeedIcon, FileIcon, GlobeIcon, ImageIcon, PostIcon, TextIcon, VideoIcon } from "./icons.ts";
import { getTileIcon, type TileIcon } from "../../text/kind-name.ts";

const ICONS: Readonly<Record<TileIcon, LucideIcon>> = {
  text: TextIcon,
  page: GlobeIcon,
  code: CodeIcon,
  feed: FeedIcon,
  video: VideoIcon,
  audio: AudioIcon,
  social: PostIcon,
  document: FileIcon,
  image: ImageIcon,
};

/** The icon of a tile's type, decorative: the type's name is always next to it as text. */
export function KindIcon({ type, className }: { readonly type: Open<TileType>; readonly className?: string }) {
  const Icon = ICONS[getTileIcon(type)];
  return <Icon className={className} />;
}
