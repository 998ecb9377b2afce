import type { ReactNode } from "react";
import { cn } from "../ui/class-names.ts";
import { getSafeUrl } from "./links.ts";

export type ExternalLinkProps = {
  /** An address from outside; where it is not one of the web, the words are shown without a link. */
  readonly href: string | null | undefined;
  readonly children: ReactNode;
  readonly className?: string;
};

/** A link out of the page, which opens beside it and learns nothing of it. */
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
