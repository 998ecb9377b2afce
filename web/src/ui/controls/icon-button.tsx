import type { ComponentProps } from "react";
import { cn } from "../class-names.ts";
import { tooltipProps } from "./tooltip.tsx";

export type IconButtonProps = Omit<ComponentProps<"button">, "aria-label" | "title"> & {
  /** What it does; read out, and shown on hover and focus. */
  readonly label: string;
  /** A shortcut to show beside the label. */
  readonly keys?: string | undefined;
  readonly size?: "sm" | "md";
  /** False where the label stands beside it already. */
  readonly hasTooltip?: boolean;
};

/** The classes of a square button that holds an icon. */
export const iconButtonClasses = (size: "sm" | "md" = "md"): string =>
  cn(
    "inline-flex shrink-0 items-center justify-center rounded-md text-quiet transition-colors hover:bg-hover hover:text-ink",
    "disabled:opacity-50 aria-expanded:bg-hover aria-expanded:text-ink pointer-coarse:min-h-11 pointer-coarse:min-w-11",
    size === "sm" ? "size-7" : "size-9",
  );

/** A square button with an icon; also a trigger for menus, by `render`. */
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
