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
        <label key={id} className="flex items-start gap-3 rounded-md py-1.5 pointer-coarse:min-h-11">
          <input
            type="checkbox"
            checked={chosen.includes(id)}
            onChange={(event) => toggle(id, event.target.checked)}
            className="mt-1 size-4 shrink-0 accent-(--accent)"
          />
          <span className="min-w-0">
            {name} <code className="text-sm text-quiet">{id}</code>
            <span className="block text-sm text-quiet">{meaning}</span>
          </span>
        </label>
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
