import { cn } from "../class-names.ts";

/** A spinner. `label` is announced to screen readers; omit it if nearby text says what is loading. */
export function Spinner({ label, className }: { readonly label?: string | undefined; readonly className?: string | undefined }) {
  return (
    <span role={label === undefined ? undefined : "status"} className={cn("inline-flex shrink-0", className)}>
      <svg viewBox="0 0 16 16" className="size-4 animate-spin" aria-hidden="true" fill="none" strokeWidth="2">
        <circle cx="8" cy="8" r="6" stroke="currentColor" opacity="0.25" />
        <path d="M8 2a6 6 0 0 1 6 6" stroke="currentColor" strokeLinecap="round" />
      </svg>
      {label !== undefined && <span className="sr-only">{label}</span>}
    </span>
  );
}
