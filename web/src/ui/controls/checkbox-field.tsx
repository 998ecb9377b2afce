import type { ReactNode } from "react";

type Props = {
  readonly label: ReactNode;
  readonly hint: string;
  readonly isChecked: boolean;
  readonly onChange: (isChecked: boolean) => void;
};

/** A checkbox with its label and an explanation. */
export function CheckboxField({ label, hint, isChecked, onChange }: Props) {
  return (
    <label className="flex items-start gap-3 rounded-md py-1.5 pointer-coarse:min-h-11">
      <input
        type="checkbox"
        checked={isChecked}
        onChange={(event) => onChange(event.target.checked)}
        className="mt-1 size-4 shrink-0 accent-(--accent)"
      />
      <span className="min-w-0">
        {label}
        <span className="block text-sm text-quiet">{hint}</span>
      </span>
    </label>
  );
}
