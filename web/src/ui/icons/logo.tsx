import { cn } from "../class-names.ts";

/** The Tessera logo. */
export function Logo({ className }: { readonly className?: string }) {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true" className={cn("size-6 shrink-0 text-accent", className)} fill="currentColor">
      <rect x="3" y="3" width="12" height="12" rx="2.5" />
      <rect x="17" y="17" width="12" height="12" rx="2.5" />
      <rect x="3" y="17" width="12" height="12" rx="2.5" opacity="0.45" />
      <circle cx="23" cy="9" r="6" />
    </svg>
  );
}
