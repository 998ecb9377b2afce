import type { ReactNode } from "react";
import { buttonClasses } from "../ui/controls/button.tsx";
import { AuthCard } from "./auth-card.tsx";

/** Explains that a one-time link is invalid, and what to do. */
export function InvalidLink({ children }: { readonly children: ReactNode }) {
  return (
    <AuthCard title="This link does not work" lead={children}>
      <a href="/login" className={`${buttonClasses("plain")} mt-5 w-full`}>
        Go to the login page
      </a>
    </AuthCard>
  );
}
