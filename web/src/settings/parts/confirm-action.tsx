import { useState } from "react";
import { getErrorMessage } from "../../api/client/client.ts";
import { ConfirmDialog } from "../../ui/floating/confirm-dialog.tsx";
import { Notice } from "../../ui/states/notice.tsx";
import { showToast } from "../../ui/toasts.ts";
import { restoreFocus } from "./restore-focus.ts";

/** An action that needs confirmation. */
export type Confirmation = {
  readonly title: string;
  readonly text: string;
  /** The verb on the button. */
  readonly action: string;
  readonly run: () => Promise<unknown>;
  /** The notification after success. */
  readonly done?: string;
};

/** Asks for confirmation and runs the action; stays open with the error if it fails. */
export function ConfirmAction({ confirmation, onClose }: { readonly confirmation: Confirmation | null; readonly onClose: () => void }) {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const close = () => {
    setProblem(null);
    onClose();
  };
  const confirm = async () => {
    if (confirmation === null) return;
    setBusy(true);
    setProblem(null);
    try {
      await confirmation.run();
      close();
      restoreFocus();
      if (confirmation.done !== undefined) showToast({ text: confirmation.done, kind: "good" });
    } catch (error) {
      setProblem(getErrorMessage(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <ConfirmDialog
      isOpen={confirmation !== null}
      onClose={close}
      title={confirmation?.title ?? ""}
      action={confirmation?.action ?? ""}
      onConfirm={() => void confirm()}
      isBusy={isBusy}
    >
      {confirmation?.text}
      {problem !== null && (
        <Notice kind="problem" className="mt-3">
          {problem}
        </Notice>
      )}
    </ConfirmDialog>
  );
}
