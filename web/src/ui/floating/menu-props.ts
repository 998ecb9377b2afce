import type { ReactNode } from "react";

export type AnchoredMenuProps = {
  /** The element that anchors the menu and gets the focus back; null while it is closed. */
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
  /** Shows a check mark; false reserves its space. */
  readonly isChosen?: boolean;
};

export type SubMenuProps = { readonly label: string; readonly icon?: ReactNode; readonly children: ReactNode };
