import { Menu as Base } from "@base-ui/react/menu";
import type { ReactNode } from "react";

type SharedMenuProps = {
  readonly label: string;
  /** The button that anchors the menu and gets the focus back. */
  readonly button: HTMLElement;
  readonly onClose: () => void;
  readonly children: ReactNode;
};

/** A menu anchored to a button it does not own: thousands of cards share one, because one each would be slow. */
export function SharedMenu({ label, button, onClose, children }: SharedMenuProps) {
  return (
    <Base.Root open onOpenChange={(isOpen) => !isOpen && onClose()} modal={false}>
      <Base.Portal container={button.closest<HTMLElement>("main")}>
        <Base.Positioner anchor={button} positionMethod="fixed" side="bottom" align="end" sideOffset={4} className="z-50">
          <Base.Popup
            finalFocus={() => button.isConnected && button}
            aria-label={label}
            className="popup-box max-h-(--available-height) min-w-52 overflow-y-auto p-1 outline-none"
          >
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
