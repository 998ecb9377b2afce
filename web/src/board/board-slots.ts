import type { ReactNode } from "react";
import type { TileHistory } from "../api/tiles/tile-history.ts";
import type { OpenTile, Quote } from "../text/quote.ts";

/** Renders what other features show on the board and beside it. Passed in because the board does not import other feature folders. */
export type BoardSlots = {
  readonly renderReader: (slot: {
    readonly tileId: string;
    readonly quote?: Quote;
    readonly history: TileHistory;
    /** Shows only the tiles with a tag on the board. */
    readonly onTag: (tag: string) => void;
    readonly onClose: () => void;
  }) => ReactNode;
  readonly renderAsk: (slot: {
    readonly boardId: string;
    /** Tiles to generate from; null if the panel was opened without a selection. */
    readonly chosen: readonly string[] | null;
    readonly onOpenTile: OpenTile;
    readonly onClose: () => void;
  }) => ReactNode;
  /** Below the first steps of an empty board. `onDecline` moves the focus back to them. */
  readonly renderOffer: (slot: { readonly onDecline: () => void }) => ReactNode;
  /** Above the columns. */
  readonly renderBanner: (slot: { readonly isEmpty: boolean; readonly isAskOpen: boolean }) => ReactNode;
  readonly renderPalette: (slot: {
    readonly boardId: string;
    /** Shows the keyboard shortcuts instead of the search. */
    readonly isHelp: boolean;
    /** Returns what was typed while the search was loading; its field calls this when it gets the focus. */
    readonly takeTyped: () => string;
    readonly onOpenTile: OpenTile;
    readonly onClose: () => void;
  }) => ReactNode;
};
