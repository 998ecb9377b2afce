import type { ReactNode } from "react";
import { cn } from "../../ui/class-names.ts";

const VARIANT_CLASSES = {
  plain: "bg-hover text-ink",
  accent: "bg-accent-soft text-ink",
  good: "bg-good-soft text-good",
  warn: "bg-warn-soft text-warn",
  danger: "bg-danger-soft text-danger",
} as const;

export type BadgeTone = keyof typeof VARIANT_CLASSES;

/** A short label of a list item. */
export function Badge({ tone = "plain", children }: { readonly tone?: BadgeTone; readonly children: ReactNode }) {
  return (
    <span className={cn("inline-flex items-center rounded-sm px-1.5 py-0.5 text-xs font-medium whitespace-nowrap", VARIANT_CLASSES[tone])}>
      {children}
    </span>
  );
}
