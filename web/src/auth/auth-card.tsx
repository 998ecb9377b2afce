import type { ReactNode } from "react";
import { Logo } from "../ui/icons/logo.tsx";
import { useTitle } from "../ui/hooks/use-title.ts";

export type AuthCardProps = {
  readonly title: string;
  readonly lead?: ReactNode;
  readonly children?: ReactNode;
};

/** The centred card of the login, setup and invitation pages. */
export function AuthCard({ title, lead, children }: AuthCardProps) {
  useTitle(title);
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center bg-canvas px-4 py-10">
      <div className="w-full max-w-sm">
        <div className="mb-5 flex items-center justify-center gap-2.5 text-lg font-semibold">
          <Logo className="size-7" />
          Tessera
        </div>
        <div className="rounded-xl border border-line bg-raised p-6 shadow-card sm:p-7">
          <h1 className="text-xl font-semibold text-balance">{title}</h1>
          {lead !== undefined && <div className="mt-1.5 text-quiet text-pretty">{lead}</div>}
          {children}
        </div>
      </div>
    </main>
  );
}
