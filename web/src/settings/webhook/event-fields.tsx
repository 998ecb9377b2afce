import { CheckboxField } from "../../ui/controls/checkbox-field.tsx";
import { EVENTS } from "./events.ts";

/** Checkboxes for the events to send. */
export function EventFields({
  chosen,
  onChange,
  error,
}: {
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
  readonly error?: string | undefined;
}) {
  const toggle = (id: string, isOn: boolean) =>
    onChange(EVENTS.map((event) => event.id).filter((other) => (other === id ? isOn : chosen.includes(other))));
  return (
    <fieldset className="flex flex-col">
      <legend className="mb-1 text-sm font-medium">Events</legend>
      {EVENTS.map(({ id, name, meaning }) => (
        <CheckboxField
          key={id}
          label={
            <>
              {name} <code className="text-sm text-quiet">{id}</code>
            </>
          }
          hint={meaning}
          isChecked={chosen.includes(id)}
          onChange={(isOn) => toggle(id, isOn)}
        />
      ))}
      {chosen.length === 0 && <p className="text-sm text-quiet">No events selected. Only test events are sent.</p>}
      {error !== undefined && (
        <p role="alert" className="text-sm text-danger">
          {error}
        </p>
      )}
    </fieldset>
  );
}

/** Whether failed deliveries are sent again. */
export const RetriesField = ({ isChecked, onChange }: { readonly isChecked: boolean; readonly onChange: (isChecked: boolean) => void }) => (
  <CheckboxField
    label="Retry failed deliveries"
    hint="After 5 seconds, 1 minute, 10 minutes, 1 hour, 6 hours and 24 hours. The receiver recognises a repeated event by webhook-id."
    isChecked={isChecked}
    onChange={onChange}
  />
);
