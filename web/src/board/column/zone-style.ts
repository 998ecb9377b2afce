import type { ZoneColor, ZoneSize, ZoneSummary } from "@tessera-board/sdk";

export const COLORS: readonly ZoneColor[] = ["gray", "red", "orange", "yellow", "green", "teal", "blue", "purple", "pink"];
export const SIZES: Readonly<Record<ZoneSize, string>> = { sm: "Narrow", md: "Normal", lg: "Wide", xl: "Extra wide" };

const COLOR_CLASSES: Readonly<Record<string, string>> = {
  gray: "bg-zone-gray",
  red: "bg-zone-red",
  orange: "bg-zone-orange",
  yellow: "bg-zone-yellow",
  green: "bg-zone-green",
  teal: "bg-zone-teal",
  blue: "bg-zone-blue",
  purple: "bg-zone-purple",
  pink: "bg-zone-pink",
};

const WIDTHS: Readonly<Record<string, string>> = { sm: "sm:w-60", md: "sm:w-76", lg: "sm:w-96", xl: "sm:w-128" };

/** The class of a zone's colour; transparent if unknown. */
export const getColorClass = (color: string | null): string =>
  color === null ? "bg-transparent" : (COLOR_CLASSES[color] ?? "bg-transparent");

/** The size of a zone; medium if unknown. */
export const getZoneSize = (zone: ZoneSummary | null): ZoneSize => (zone !== null && zone.size in SIZES ? (zone.size as ZoneSize) : "md");

/** The class of a column's width: nearly the full screen on phones, otherwise by the zone's size. */
export const getWidthClass = (zone: ZoneSummary | null): string => `w-[calc(100vw-2.5rem)] ${WIDTHS[getZoneSize(zone)] ?? ""}`;
