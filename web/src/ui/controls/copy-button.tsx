import { useEffect, useState } from "react";
import { Button } from "./button.tsx";
import { CheckIcon, CopyIcon } from "../icons/icons.ts";
import { showToast } from "../toasts.ts";

/** Copies `text` and confirms it in the label. */
export function CopyButton({ text, label = "Copy" }: { readonly text: string; readonly label?: string }) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => setCopied(false), 2_000);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = () =>
    copyText(text).then(
      () => setCopied(true),
      () => showToast({ text: "The browser blocked copying. Select the text and copy it.", kind: "problem" }),
    );
  return (
    <Button size="sm" onClick={() => void copy()}>
      {isCopied ? <CheckIcon /> : <CopyIcon />}
      <span aria-live="polite">{isCopied ? "Copied" : label}</span>
    </Button>
  );
}

/** Copies to the clipboard. On plain http, where the Clipboard API is missing, copies a selection. Rejects if neither is allowed. */
export async function copyText(text: string): Promise<void> {
  if (window.isSecureContext) return navigator.clipboard.writeText(text);
  const box = document.createElement("textarea");
  box.value = text;
  box.className = "sr-only";
  // Inside an open dialog, because it traps the focus.
  (document.querySelector("[role=dialog]") ?? document.body).append(box);
  box.select();
  const isDone = document.execCommand("copy");
  box.remove();
  if (!isDone) throw new Error("Copying was blocked.");
}
