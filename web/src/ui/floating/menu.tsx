import { cloneElement, type KeyboardEvent, type MouseEvent, type ReactElement, type ReactNode, useState } from "react";
import { type LazyModule, defineLazyModule, useLazyModule } from "../lazy/lazy-module.ts";
import { LoadError } from "../lazy/load-error.tsx";
import type * as menuParts from "./menu-parts.tsx";
import type { AnchoredMenuProps, MenuItemProps, SubMenuProps } from "./menu-props.ts";

type Parts = typeof menuParts;

/** Base UI's menu is loaded lazily: the first render does not need it. */
const MENUS: LazyModule<Parts> = defineLazyModule("src/ui/floating/menu-parts.tsx", () => import("./menu-parts.tsx"));

/** Loads the menu components, for code that renders menu items in its own popup. Rejects if loading fails. */
export async function loadMenus(): Promise<void> {
  await MENUS.load();
  if (MENUS.state().status !== "ready") throw new Error("The menus could not be loaded.");
}

/** For components inside an open menu, where the module is loaded. */
function getLoadedParts(): Parts {
  const state = MENUS.state();
  if (state.status !== "ready") throw new Error("Menu items must be rendered inside a menu.");
  return state.value;
}

/** A menu anchored to an element, shared by many buttons. */
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
  /** The button that opens the menu. */
  readonly trigger: ReactElement<Record<string, unknown>>;
};

/** A button with a menu. */
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

/** A submenu. */
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
