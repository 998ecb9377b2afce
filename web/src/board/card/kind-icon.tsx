import type { TileType } from "@tessera/sdk";
import type { LucideIcon } from "lucide-react";
import { AudioIcon, CodeIcon, FeedIcon, FileIcon, GlobeIcon, ImageIcon, PostIcon, TextIcon, VideoIcon } from "../../ui/icons/icons.ts";
import { type KindGroup, getKind } from "../model/kinds.ts";

const ICONS: Readonly<Record<KindGroup, LucideIcon>> = {
  text: TextIcon,
  page: GlobeIcon,
  video: VideoIcon,
  audio: AudioIcon,
  social: PostIcon,
  document: FileIcon,
  image: ImageIcon,
};

/** The icon of a tile's kind. It is decorative: the kind is also shown as text. */
export function KindIcon({ type, className }: { readonly type: TileType; readonly className?: string }) {
  const Icon = type === "GITHUB" ? CodeIcon : type === "FEED" ? FeedIcon : ICONS[getKind(type).group];
  return <Icon className={className} />;
}
