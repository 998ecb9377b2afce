import { cloneElement, type KeyboardEvent, type MouseEvent, type ReactElement, type ReactNode, Suspense, use, useState } from "react";
import type * as menuParts from "./menu-parts.tsx";

type Parts = typeof menuParts;

/** What menus are made of is loaded when the first one is about to be opened, since a page is shown before that. */
let parts: Promise<Parts> | undefined;
let loaded: Parts | undefined;

export function loadMenus(): Promise<Parts> {
  parts ??= import("./menu-parts.tsx").then(
    (found) => (loaded = found),
    (error: unknown) => {
      parts = undefined;
      throw error;
    },
  );
  return parts;
}

const useParts = (): Parts => loaded ?? use(loadMenus());

export type AnchoredMenuProps = {
  /** What it opens beside and gives the focus back to; closed where there is none. */
  readonly anchor: HTMLElement | null;
  readonly label?: string | undefined;
  readonly onClose: () => void;
  readonly children: ReactNode;
  readonly side?: "top" | "bottom" | "left" | "right";
  readonly align?: "start" | "center" | "end";
};

/** A list of things to do beside an element: one for many buttons. */
export function AnchoredMenu(props: AnchoredMenuProps) {
  return <Suspense>{props.anchor !== null && <LoadedMenu {...props} />}</Suspense>;
}

function LoadedMenu(props: AnchoredMenuProps) {
  const { Popup } = useParts();
  return <Popup {...props} />;
}

export type MenuProps = Pick<AnchoredMenuProps, "children" | "side" | "align"> & {
  /** The button that opens it. */
  readonly trigger: ReactElement<Record<string, unknown>>;
};

/** A button that opens a list of things to do. */
export function Menu({ trigger, children, ...place }: MenuProps) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const close = (): void => setAnchor(null);
  const own: unknown = trigger.props["aria-label"];
  const button = cloneElement(trigger, {
    "aria-haspopup": "menu",
    "aria-expanded": anchor !== null,
    onPointerEnter: () => void loadMenus().catch(() => undefined),
    onFocus: () => void loadMenus().catch(() => undefined),
    onClick: ({ currentTarget }: MouseEvent<HTMLElement>) => setAnchor(anchor === null ? currentTarget : null),
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
      if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
      event.preventDefault();
      setAnchor(event.currentTarget);
    },
  });
  return (
    <>
      {button}
      <AnchoredMenu anchor={anchor} label={typeof own === "string" ? own : undefined} onClose={close} {...place}>
        {children}
      </AnchoredMenu>
    </>
  );
}

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

export function MenuItem(props: MenuItemProps) {
  const { Item } = useParts();
  return <Item {...props} />;
}

export type SubMenuProps = { readonly label: string; readonly icon?: ReactNode; readonly children: ReactNode };

/** A list of things to do inside another. */
export function SubMenu(props: SubMenuProps) {
  const { Submenu } = useParts();
  return <Submenu {...props} />;
}

export function MenuLabel({ children }: { readonly children: ReactNode }) {
  return <div className="px-2.5 pt-1.5 pb-1 text-xs font-medium text-quiet">{children}</div>;
}

export function MenuLine() {
  const { Line } = useParts();
  return <Line />;
}
