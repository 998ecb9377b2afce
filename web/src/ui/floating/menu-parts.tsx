import { Menu as Base } from "@base-ui/react/menu";
import { useEffect } from "react";
import { cn } from "../class-names.ts";
import { CheckIcon, ChevronRightIcon } from "../icons/icons.ts";
import { Kbd } from "../icons/kbd.tsx";
import type { AnchoredMenuProps, MenuItemProps, SubMenuProps } from "./menu-props.ts";

const ITEM =
  "flex w-full cursor-default items-center gap-2.5 rounded-md px-2.5 py-1.5 text-left text-base outline-none select-none data-[disabled]:opacity-50 data-[highlighted]:bg-hover pointer-coarse:min-h-11";
/** Id of the container for menus, which no ancestor clips. */
const MENUS = "menus";
const POPUP = "popup-box max-h-(--available-height) min-w-48 max-w-80 overflow-y-auto p-1 outline-none";

export function Popup({ anchor, label, onClose, children, side = "bottom", align = "end" }: AnchoredMenuProps) {
  return (
    <Base.Root
      open={anchor !== null}
      modal={false}
      onOpenChange={(isOpen, { event }) => {
        // The button closes the menu itself.
        const isOnButton = event.target instanceof Node && anchor?.contains(event.target) === true;
        if (!isOpen && !(isOnButton && event.type.startsWith("pointer"))) onClose();
      }}
    >
      <Base.Portal container={document.getElementById(MENUS)}>
        <Base.Positioner anchor={anchor} side={side} align={align} sideOffset={4} className="z-50">
          <Base.Popup finalFocus={() => anchor} aria-label={label} className={cn(POPUP, "animate-rise")}>
            {children}
            <FocusGuardFix />
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

/** Base UI's focus guards are focusable and must not be `aria-hidden` as well, which violates an ARIA rule that axe checks. */
function FocusGuardFix() {
  useEffect(() => {
    const frame = requestAnimationFrame(() => {
      for (const guard of document.querySelectorAll("[data-base-ui-focus-guard][aria-hidden]")) guard.removeAttribute("aria-hidden");
    });
    return () => cancelAnimationFrame(frame);
  });
  return null;
}

export function Item({ children, onSelect, icon, keys, isDanger = false, isDisabled = false, isChosen }: MenuItemProps) {
  return (
    <Base.Item
      onClick={onSelect}
      disabled={isDisabled}
      className={cn(ITEM, isDanger && "text-danger")}
      aria-current={isChosen || undefined}
    >
      {icon}
      <span dir="auto" className="min-w-0 flex-1 truncate text-start">
        {children}
      </span>
      {keys !== undefined && (
        <span className="pointer-coarse:hidden">
          <Kbd keys={keys} />
        </span>
      )}
      {isChosen !== undefined && <CheckIcon className={cn(!isChosen && "invisible")} />}
    </Base.Item>
  );
}

export function Submenu({ label, icon, children }: SubMenuProps) {
  return (
    <Base.SubmenuRoot>
      <Base.SubmenuTrigger className={cn(ITEM, "data-[popup-open]:bg-hover")}>
        {icon}
        <span className="min-w-0 flex-1 truncate">{label}</span>
        <ChevronRightIcon />
      </Base.SubmenuTrigger>
      <Base.Portal container={document.getElementById(MENUS)}>
        <Base.Positioner sideOffset={2} className="z-50">
          <Base.Popup className={POPUP}>{children}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.SubmenuRoot>
  );
}

export const Separator = () => <Base.Separator className="mx-1 my-1 h-px bg-line" />;
