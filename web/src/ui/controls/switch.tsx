import type { ReactNode } from "react";
import { cn } from "../class-names.ts";

export type SwitchProps = {
  /** The label; visible unless `hideLabel`. */
  readonly label: ReactNode;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
  readonly hideLabel?: boolean;
  readonly isDisabled?: boolean;
  readonly className?: string | undefined;
};

/** A switch whose change applies immediately. */
export function Switch({ label, isOn, onChange, hideLabel = false, isDisabled = false, className }: SwitchProps) {
  return (
    <label className={cn("inline-flex cursor-pointer items-center gap-2 text-sm select-none pointer-coarse:min-h-11", className)}>
      <span className="relative inline-flex shrink-0">
        <input
          type="checkbox"
          role="switch"
          checked={isOn}
          disabled={isDisabled}
          onChange={(event) => onChange(event.target.checked)}
          className="peer h-5 w-9 cursor-pointer appearance-none rounded-full border border-edge bg-hover transition-colors checked:border-accent checked:bg-accent disabled:opacity-50"
        />
        <span
          aria-hidden="true"
          className="pointer-events-none absolute top-[3px] left-[3px] size-3.5 rounded-full bg-edge transition-transform peer-checked:translate-x-4 peer-checked:bg-accent-ink"
        />
      </span>
      <span className={cn(hideLabel && "sr-only")}>{label}</span>
    </label>
  );
}
