import type { ZoneSummary } from "@tessera-board/sdk";
import type { BoardColumn, BoardTile } from "../model/tile.ts";

/** The popup that is open over the board; at most one. */
export type OpenPopup =
  | { readonly kind: "card-menu"; readonly tile: BoardTile; readonly button: HTMLElement }
  | {
      readonly kind: "zone-menu";
      readonly column: BoardColumn;
      readonly zone: ZoneSummary;
      readonly button: HTMLElement;
      readonly isFirst: boolean;
      readonly isLast: boolean;
      readonly onRename: () => void;
    }
  | { readonly kind: "emoji"; readonly zone: ZoneSummary }
  | { readonly kind: "move"; readonly ids: readonly string[] }
  | { readonly kind: "tags"; readonly ids: readonly string[] }
  | { readonly kind: "paste-text"; readonly tile: BoardTile };
