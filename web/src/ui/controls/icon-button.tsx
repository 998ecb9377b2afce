import type { ComponentProps } from "react";
import { cn } from "../class-names.ts";
import { tooltipProps } from "./tooltip.tsx";

export type IconButtonProps = Omit<ComponentProps<"button">, "aria-label" | "title"> & {
  /** The accessible name, also shown as the tooltip. */
  readonly label: string;
  /** A shortcut shown in the tooltip. */
  readonly keys?: string | undefined;
  readonly size?: "sm" | "md";
  /** False if the label is visible anyway. */
  readonly hasTooltip?: boolean;
};

/** The classes of a square icon button. */
export const iconButtonClasses = (size: "sm" | "md" = "md"): string =>
  cn(
    "inline-flex shrink-0 items-center justify-center rounded-md text-quiet transition-colors hover:bg-hover hover:text-ink",
    "disabled:opacity-50 aria-expanded:bg-hover aria-expanded:text-ink pointer-coarse:min-h-11 pointer-coarse:min-w-11",
    size === "sm" ? "size-7" : "size-9",
  );

/** A square button with an icon. */
export function IconButton({ label, keys, size = "md", hasTooltip = true, className, children, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      {...(hasTooltip && tooltipProps(label, keys))}
      {...rest}
      className={cn(iconButtonClasses(size), className)}
    >
      {children}
    </button>
  );
}
