import { useId } from "react";
import { PERMISSION_CHOICES, type PermissionChoice } from "./format.ts";

/** Chooses the permission of a key. */
export function PermissionField({
  value,
  onChange,
}: {
  readonly value: PermissionChoice["id"];
  readonly onChange: (value: PermissionChoice["id"]) => void;
}) {
  const name = useId();
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="mb-1.5 text-sm font-medium">Permission</legend>
      {PERMISSION_CHOICES.map((choice) => (
        <label
          key={choice.id}
          className="flex items-start gap-3 rounded-md border border-line px-3 py-2 has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-accent"
        >
          <input
            type="radio"
            name={name}
            checked={value === choice.id}
            onChange={() => onChange(choice.id)}
            className="mt-1 size-4 shrink-0 accent-(--accent) outline-none"
          />
          <span className="min-w-0">
            <span className="font-medium">{choice.name}</span>
            <span className="block text-sm text-quiet">{choice.meaning}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
