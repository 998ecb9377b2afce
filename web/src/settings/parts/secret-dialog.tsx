import { useRef, useState } from "react";
import { Button } from "../../ui/controls/button.tsx";
import { Dialog } from "../../ui/floating/dialog.tsx";
import { Notice } from "../../ui/states/notice.tsx";
import { CodeBlock } from "./code-block.tsx";

export type Secret = {
  readonly title: string;
  /** What it is, above it. */
  readonly label: string;
  readonly text: string;
  /** What to know, such as what it opens. */
  readonly note: string;
  /** A line that uses it, to paste into a terminal. */
  readonly example?: { readonly label: string; readonly text: string };
  /** The button that closes; "I have stored it" unless told. */
  readonly done?: string;
};

/** Shows what is shown once. It does not close by accident: Escape and the cross ask first. */
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
      // Neither what closes it nor what copies: a hasty Enter does nothing.
      initialFocus={content}
      shape="wide"
      title={secret?.title ?? ""}
      description={secret?.note}
      actions={
        <Button variant="primary" onClick={done}>
          {secret?.done ?? "I have stored it"}
        </Button>
      }
    >
      {secret !== null && (
        <div ref={content} tabIndex={-1} className="flex flex-col gap-4 outline-none">
          <CodeBlock label={secret.label} text={secret.text} wraps />
          {secret.example !== undefined && <CodeBlock label={secret.example.label} text={secret.example.text} wraps />}
          {isLeaving && <Notice kind="problem">It can’t be shown again. Copy it first; to leave without it, close once more.</Notice>}
        </div>
      )}
    </Dialog>
  );
}
