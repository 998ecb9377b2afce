import type { ComponentProps } from "react";
import { cn } from "../class-names.ts";
import { Spinner } from "../icons/spinner.tsx";

export type ButtonVariant = "primary" | "plain" | "quiet" | "danger";

export type ButtonProps = ComponentProps<"button"> & {
  /** `primary` is the main action, `plain` has a border, `quiet` has none, `danger` is destructive. */
  readonly variant?: ButtonVariant;
  readonly size?: "sm" | "md";
  /** Shows a spinner and ignores clicks. */
  readonly isBusy?: boolean;
};

const VARIANT_CLASSES: Readonly<Record<ButtonVariant, string>> = {
  primary: "border border-transparent bg-accent text-accent-ink hover:bg-accent-strong",
  plain: "border border-edge bg-raised text-ink hover:bg-hover",
  quiet: "border border-transparent bg-transparent text-ink hover:bg-hover",
  danger: "border border-danger bg-raised text-danger hover:bg-danger-soft",
};

const SIZES = { sm: "min-h-8 px-2.5 text-sm pointer-coarse:min-w-11", md: "min-h-9 px-3.5 text-base" } as const;

/** Button classes for a link. */
export const buttonClasses = (variant: ButtonVariant = "plain", size: "sm" | "md" = "md"): string =>
  cn(
    "inline-flex items-center justify-center gap-2 rounded-md font-medium whitespace-nowrap transition-colors select-none",
    "disabled:opacity-55 aria-disabled:opacity-55 pointer-coarse:min-h-11",
    VARIANT_CLASSES[variant],
    SIZES[size],
  );

/** A button; its type is `button` by default. */
export function Button({ variant = "plain", size = "md", isBusy = false, className, children, onClick, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-busy={isBusy || undefined}
      // Not `disabled`, which would remove the focus.
      aria-disabled={isBusy || rest["aria-disabled"] || undefined}
      onClick={(event) => (isBusy ? event.preventDefault() : onClick?.(event))}
      className={cn(buttonClasses(variant, size), className)}
    >
      {isBusy && <Spinner />}
      {children}
    </button>
  );
}
