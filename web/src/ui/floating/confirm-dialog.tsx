import type { ReactNode } from "react";
import { Button } from "../controls/button.tsx";
import { Dialog } from "./dialog.tsx";

export type ConfirmDialogProps = {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** The question, such as "Revoke this key?". */
  readonly title: string;
  /** The consequences, and whether they can be undone. */
  readonly children: ReactNode;
  /** The verb on the button, such as "Revoke". */
  readonly action: string;
  readonly onConfirm: () => void;
  readonly isBusy?: boolean;
};

/** Asks for confirmation. */
export function ConfirmDialog({ isOpen, onClose, title, children, action, onConfirm, isBusy = false }: ConfirmDialogProps) {
  const actions = (
    <>
      <Button onClick={onClose}>Cancel</Button>
      <Button variant="danger" onClick={onConfirm} isBusy={isBusy}>
        {action}
      </Button>
    </>
  );
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={title} actions={actions}>
      <div className="text-base text-quiet">{children}</div>
    </Dialog>
  );
}
