import type { ReactNode } from "react";
import { cn } from "../class-names.ts";

const VARIANT_CLASSES = {
  note: "border-line bg-surface text-ink",
  good: "border-good/40 bg-good-soft text-good",
  warn: "border-warn/40 bg-warn-soft text-warn",
  problem: "border-danger/40 bg-danger-soft text-danger",
} as const;

/** An inline message; a problem is announced to screen readers. */
export function Notice({
  kind = "note",
  children,
  className,
}: {
  readonly kind?: keyof typeof VARIANT_CLASSES;
  readonly children: ReactNode;
  readonly className?: string | undefined;
}) {
  return (
    <div
      role={kind === "problem" ? "alert" : undefined}
      className={cn("rounded-md border px-3 py-2 text-sm", VARIANT_CLASSES[kind], className)}
    >
      {children}
    </div>
  );
}
