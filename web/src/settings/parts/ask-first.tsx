import { useState } from "react";
import { sentenceOf } from "../../api/client/client.ts";
import { ConfirmDialog } from "../../ui/floating/confirm-dialog.tsx";
import { Notice } from "../../ui/states/notice.tsx";
import { showToast } from "../../ui/toasts.ts";
import { keepFocus } from "./keep-focus.ts";

/** Something that is asked before it is done. */
export type Question = {
  readonly title: string;
  readonly text: string;
  /** The verb on the button. */
  readonly action: string;
  readonly run: () => Promise<unknown>;
  /** The note that says it is done. */
  readonly done?: string;
};

/** Asks, does it, and stays open with the reason where it can't be done. */
export function AskFirst({ question, onClose }: { readonly question: Question | null; readonly onClose: () => void }) {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const close = () => {
    setProblem(null);
    onClose();
  };
  const confirm = async () => {
    if (question === null) return;
    setBusy(true);
    setProblem(null);
    try {
      await question.run();
      close();
      keepFocus();
      if (question.done !== undefined) showToast({ text: question.done, kind: "good" });
    } catch (error) {
      setProblem(sentenceOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <ConfirmDialog
      isOpen={question !== null}
      onClose={close}
      title={question?.title ?? ""}
      action={question?.action ?? ""}
      onConfirm={() => void confirm()}
      isBusy={isBusy}
    >
      {question?.text}
      {problem !== null && (
        <Notice kind="problem" className="mt-3">
          {problem}
        </Notice>
      )}
    </ConfirmDialog>
  );
}
