import type { ReactNode } from "react";

export type AnchoredMenuProps = {
  /** What it opens beside and gives the focus back to; closed where there is none. */
  readonly anchor: HTMLElement | null;
  readonly label?: string | undefined;
  readonly onClose: () => void;
  readonly children: ReactNode;
  readonly side?: "top" | "bottom" | "left" | "right";
  readonly align?: "start" | "center" | "end";
};

export type MenuItemProps = {
  readonly children: ReactNode;
  readonly onSelect: () => void;
  readonly icon?: ReactNode;
  readonly keys?: string | undefined;
  readonly isDanger?: boolean;
  readonly isDisabled?: boolean;
  /** Draws a tick, and keeps room for one when it is false. */
  readonly isChosen?: boolean;
};

export type SubMenuProps = { readonly label: string; readonly icon?: ReactNode; readonly children: ReactNode };
