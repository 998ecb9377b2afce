import { CopyButton } from "../../ui/controls/copy-button.tsx";

/** Code to copy. */
export function CodeBlock({ label, text, wraps = false }: { readonly label: string; readonly text: string; readonly wraps?: boolean }) {
  return (
    <figure className="overflow-hidden rounded-md border border-line bg-surface">
      <figcaption className="flex items-center justify-between gap-3 border-b border-line py-1 pr-1 pl-3 text-sm text-quiet">
        <span className="min-w-0 truncate">{label}</span>
        <CopyButton text={text} />
      </figcaption>
      <pre
        // Focusable, so that long lines can be scrolled with the keyboard.
        tabIndex={0}
        role="group"
        aria-label={label}
        className={`max-h-80 overflow-auto px-3 py-2 font-mono text-sm ${wraps ? "wrap-anywhere whitespace-pre-wrap" : ""}`}
      >
        {text}
      </pre>
    </figure>
  );
}
