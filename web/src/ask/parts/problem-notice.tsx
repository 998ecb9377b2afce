import type { ReactNode } from "react";
import { Notice } from "../../ui/states/notice.tsx";
import type { Problem } from "../questions/use-conversation.ts";

/** An error message with advice and actions. */
export function ProblemNotice({ problem, children }: { readonly problem: Problem; readonly children?: ReactNode }) {
  return (
    <Notice kind="problem" className="flex flex-col gap-2">
      <p className="wrap-anywhere">
        {problem.message} {problem.advice}
      </p>
      {children}
    </Notice>
  );
}
