import { Dialog as Base } from "@base-ui/react/dialog";
import type { ReactNode, RefObject } from "react";
import { cn } from "../class-names.ts";
import { useFinalFocus } from "../hooks/use-final-focus.ts";
import { iconButtonClasses } from "../controls/icon-button.tsx";
import { CloseIcon } from "../icons/icons.ts";
import "./print.css";

export type DialogProps = {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly description?: ReactNode;
  readonly children?: ReactNode;
  /** Buttons in the footer. */
  readonly actions?: ReactNode;
  /** `sheet` is at the side of wide screens, and full screen on phones. */
  readonly shape?: "card" | "wide" | "sheet";
  readonly hideTitle?: boolean;
  /** False if a click outside must not close it. */
  readonly closesOutside?: boolean;
  readonly initialFocus?: RefObject<HTMLElement | null>;
};

const SHAPE_CLASSES = {
  card: "popup-box w-full max-w-md",
  wide: "popup-box w-full max-w-3xl",
  sheet: "ml-auto h-full w-full max-w-2xl border-l border-line bg-raised shadow-float",
} as const;

/** A modal dialog: traps the focus, closes on Escape, and returns the focus. */
export function Dialog({
  isOpen,
  onClose,
  title,
  description,
  children,
  actions,
  shape = "card",
  hideTitle = false,
  closesOutside = true,
  initialFocus,
}: DialogProps) {
  const isSheet = shape === "sheet";
  const finalFocus = useFinalFocus(isOpen);
  return (
    <Base.Root open={isOpen} onOpenChange={(next) => !next && onClose()} disablePointerDismissal={!closesOutside}>
      <Base.Portal>
        <Base.Backdrop
          forceRender
          className="fixed inset-0 z-40 bg-black/40 transition-opacity duration-150 data-[ending-style]:opacity-0 data-[starting-style]:opacity-0"
        />
        <Base.Viewport
          className={cn("fixed inset-0 z-40 flex", isSheet ? "" : "items-center justify-center p-4 max-sm:items-end max-sm:p-2")}
        >
          <Base.Popup
            finalFocus={finalFocus}
            {...(initialFocus && { initialFocus })}
            {...(isSheet && { "data-printed": "" })}
            className={cn(
              "flex max-h-full flex-col overflow-hidden text-ink transition duration-150 data-[ending-style]:opacity-0 data-[starting-style]:opacity-0",
              isSheet ? "data-[starting-style]:translate-x-4" : "data-[starting-style]:translate-y-2",
              SHAPE_CLASSES[shape],
            )}
          >
            <div className={cn("flex items-start gap-2 px-5 pt-4", hideTitle && "sr-only")}>
              <div className="min-w-0 flex-1 py-1">
                <Base.Title dir="auto" className="text-lg font-semibold">
                  {title}
                </Base.Title>
                {description !== undefined && <Base.Description className="mt-1 text-sm text-quiet">{description}</Base.Description>}
              </div>
              <Base.Close aria-label="Close" className={cn(iconButtonClasses(), "-mr-2 pointer-coarse:-my-1 print:hidden")}>
                <CloseIcon />
              </Base.Close>
            </div>
            <div className="min-h-0 flex-1 overflow-y-auto px-5 pt-3 pb-5">{children}</div>
            {actions !== undefined && <div className="flex flex-wrap justify-end gap-2 border-t border-line px-5 py-3">{actions}</div>}
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  );
}
