import { useRef, useState } from "react";
import { Button } from "../../ui/controls/button.tsx";
import { Dialog } from "../../ui/floating/dialog.tsx";
import { Notice } from "../../ui/states/notice.tsx";
import { CodeBlock } from "./code-block.tsx";

export type Secret = {
  readonly title: string;
  /** Label above the secret. */
  readonly label: string;
  readonly text: string;
  /** What the secret is for. */
  readonly note: string;
  /** A shell command that uses the secret. */
  readonly example?: { readonly label: string; readonly text: string };
  /** Label of the closing button; "I have saved it" by default. */
  readonly done?: string;
};

/** Shows a secret once. Escape and the close button ask before closing. */
export function SecretDialog({ secret, onDone }: { readonly secret: Secret | null; readonly onDone: () => void }) {
  const content = useRef<HTMLDivElement>(null);
  const [isLeaving, setLeaving] = useState(false);
  const done = () => {
    setLeaving(false);
    onDone();
  };
  return (
    <Dialog
      isOpen={secret !== null}
      onClose={() => (isLeaving ? done() : setLeaving(true))}
      closesOutside={false}
      // Neither the closing nor the copy button has the focus, so that pressing Enter too early does nothing.
      initialFocus={content}
      shape="wide"
      title={secret?.title ?? ""}
      description={secret?.note}
      actions={
        <Button variant="primary" onClick={done}>
          {secret?.done ?? "I have saved it"}
        </Button>
      }
    >
      {secret !== null && (
        <div ref={content} tabIndex={-1} className="flex flex-col gap-4 outline-none">
          <CodeBlock label={secret.label} text={secret.text} wraps />
          {secret.example !== undefined && <CodeBlock label={secret.example.label} text={secret.example.text} wraps />}
          {isLeaving && (
            <Notice kind="problem">This cannot be shown again. Copy it first, or close the dialog again to continue without it.</Notice>
          )}
        </div>
      )}
    </Dialog>
  );
}
