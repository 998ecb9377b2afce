import type { ReactNode } from "react";
import type { OpenTile, Quote } from "../text/quote.ts";

/** Renders the panels beside the board. They are passed in because the board does not import other feature folders. */
export type BoardSlots = {
  readonly renderReader: (slot: { readonly tileId: string; readonly quote?: Quote; readonly onClose: () => void }) => ReactNode;
  readonly renderAsk: (slot: {
    readonly boardId: string;
    /** Tiles to make something of; null where the panel was opened by itself. */
    readonly chosen: readonly string[] | null;
    readonly onOpenTile: OpenTile;
    readonly onClose: () => void;
  }) => ReactNode;
  readonly renderPalette: (slot: {
    readonly boardId: string;
    /** The list of shortcuts in place of the search. */
    readonly isHelp: boolean;
    /** What was typed while the search was loading; for its field to begin with, once it has the focus. */
    readonly takeTyped: () => string;
    readonly onOpenTile: OpenTile;
    readonly onClose: () => void;
  }) => ReactNode;
};
