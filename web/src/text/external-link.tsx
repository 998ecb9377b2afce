import type { ReactNode } from "react";
import { cn } from "../ui/class-names.ts";
import { getSafeUrl } from "./links.ts";

export type ExternalLinkProps = {
  /** An untrusted address; without a safe web address, only the text is shown. */
  readonly href: string | null | undefined;
  readonly children: ReactNode;
  readonly className?: string;
};

/** A link that opens in a new tab and sends no referrer. */
export function ExternalLink({ href, children, className }: ExternalLinkProps) {
  const address = getSafeUrl(href);
  if (address === null) return children;
  return (
    <a
      href={address}
      target="_blank"
      rel="noopener noreferrer nofollow"
      className={cn("text-accent underline decoration-accent/40 underline-offset-2 hover:decoration-current", className)}
    >
      {children}
    </a>
  );
}
