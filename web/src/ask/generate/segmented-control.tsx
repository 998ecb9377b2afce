import type { ReactNode } from "react";

export type SegmentedControlProps<Value extends string> = {
  readonly legend: string;
  /** Name of the group of radio buttons; must be unique on the page. */
  readonly name: string;
  readonly options: readonly (readonly [value: Value, label: string])[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  /** The id of the error message. */
  readonly errorId?: string | undefined;
  /** Shown below the buttons. */
  readonly children?: ReactNode;
};

/** Radio buttons drawn as adjacent segments. */
export function SegmentedControl<Value extends string>({
  legend,
  name,
  options,
  value,
  onChange,
  errorId,
  children,
}: SegmentedControlProps<Value>) {
  return (
    <fieldset aria-describedby={errorId} className="flex min-w-0 flex-col gap-1.5">
      <legend className="text-sm font-medium">{legend}</legend>
      <div className="mt-1.5 flex gap-1 rounded-md border border-line bg-surface p-1">
        {options.map(([option, label]) => (
          <label
            key={option}
            className="flex min-h-8 flex-1 items-center justify-center rounded-sm text-center text-sm font-medium text-quiet has-checked:bg-accent-soft has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-accent pointer-coarse:min-h-11"
          >
            <input type="radio" name={name} className="sr-only" checked={value === option} onChange={() => onChange(option)} />
            {label}
          </label>
        ))}
      </div>
      {children}
    </fieldset>
  );
}
