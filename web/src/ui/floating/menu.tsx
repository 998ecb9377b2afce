import { cloneElement, type KeyboardEvent, type MouseEvent, type ReactElement, type ReactNode, useState } from "react";
import { type LazyModule, defineLazyModule, useLazyModule } from "../../lazy/lazy-module.ts";
import { LoadError } from "../../lazy/load-error.tsx";
import type * as menuParts from "./menu-parts.tsx";
import type { AnchoredMenuProps, MenuItemProps, SubMenuProps } from "./menu-props.ts";

type Parts = typeof menuParts;

/** What menus are made of is not needed for the first picture of a page. */
const MENUS: LazyModule<Parts> = defineLazyModule("src/ui/floating/menu-parts.tsx", () => import("./menu-parts.tsx"));

/** Loads what menus are made of, for what draws items of a menu in a popup of its own. Throws when it can't be loaded. */
export async function loadMenus(): Promise<void> {
  await MENUS.load();
  if (MENUS.state().status !== "ready") throw new Error("The menus could not be loaded.");
}

/** For what is drawn inside an open menu alone, so they are loaded. */
function getLoadedParts(): Parts {
  const state = MENUS.state();
  if (state.status !== "ready") throw new Error("An item of a menu stands outside of one.");
  return state.value;
}

/** A list of things to do beside an element: one for many buttons. */
export function AnchoredMenu(props: AnchoredMenuProps) {
  return props.anchor !== null && <OpenMenu {...props} />;
}

function OpenMenu(props: AnchoredMenuProps) {
  const state = useLazyModule(MENUS);
  if (state.status === "ready") return <state.value.Popup {...props} />;
  if (state.status !== "failed") return null;
  const { problem, isRetrying } = state;
  const retry = (): void => void MENUS.load();
  return <LoadError name="The menu" placement="card" {...{ problem, isRetrying }} onRetry={retry} onClose={props.onClose} />;
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
    onPointerEnter: () => void MENUS.load(),
    onFocus: () => void MENUS.load(),
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

export function MenuItem(props: MenuItemProps) {
  const { Item } = getLoadedParts();
  return <Item {...props} />;
}

/** A list of things to do inside another. */
export function SubMenu(props: SubMenuProps) {
  const { Submenu } = getLoadedParts();
  return <Submenu {...props} />;
}

export function MenuLabel({ children }: { readonly children: ReactNode }) {
  return <div className="px-2.5 pt-1.5 pb-1 text-xs font-medium text-quiet">{children}</div>;
}

export function MenuSeparator() {
  const { Separator } = getLoadedParts();
  return <Separator />;
}
