import { type FormEvent, useEffect, useRef, useState } from "react";
import { getErrorMessage } from "../../api/client/client.ts";
import { Button } from "../../ui/controls/button.tsx";
import { PlusIcon } from "../../ui/icons/icons.ts";
import { TextField } from "../../ui/controls/text-field.tsx";
import { useZoneContext } from "../zone-context.ts";

type AddZoneProps = { readonly isOpen: boolean; readonly onOpen: (isOpen: boolean) => void };

/** The field for a new zone behind the last column; on phones, where the toolbar is closed, also the button that opens it. */
export function AddZone({ isOpen, onOpen }: AddZoneProps) {
  if (!isOpen)
    return (
      <div className="shrink-0 snap-center pr-1 sm:hidden">
        <Button variant="quiet" className="border-dashed! border-edge! text-quiet" onClick={() => onOpen(true)}>
          <PlusIcon />
          Add a zone
        </Button>
      </div>
    );
  return <NewZone onClose={() => onOpen(false)} />;
}

function NewZone({ onClose }: { readonly onClose: () => void }) {
  const { actions } = useZoneContext();
  const [name, setName] = useState("");
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);

  useEffect(() => {
    const field = form.current?.querySelector("input");
    field?.scrollIntoView({ inline: "nearest", block: "nearest" });
    field?.focus();
  }, []);

  return (
    <form
      ref={form}
      onSubmit={(event) => void submit(event)}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || event.nativeEvent.isComposing) return;
        event.stopPropagation();
        onClose();
      }}
      className="flex w-[calc(100vw-2.5rem)] shrink-0 snap-center flex-col gap-3 self-start rounded-xl border border-line bg-surface p-3 sm:w-76"
    >
      <TextField
        label="Name of the new zone"
        value={name}
        error={error}
        maxLength={200}
        autoComplete="off"
        placeholder="For example, Research"
        onChange={(event) => {
          setName(event.target.value);
          setError(null);
        }}
      />
      <div className="flex justify-end gap-2">
        <Button variant="quiet" onClick={onClose}>
          Cancel
        </Button>
        <Button variant="primary" type="submit" isBusy={isBusy}>
          Add zone
        </Button>
      </div>
    </form>
  );

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (isBusy) return;
    if (name.trim() === "") return setError("Enter a name for the zone.");
    setBusy(true);
    try {
      const zoneId = await actions.create(name.trim());
      onClose();
      // Focus the input field of the new zone.
      setTimeout(() => document.querySelector<HTMLElement>(`[data-column="${CSS.escape(zoneId)}"] [data-composer]`)?.focus(), 50);
    } catch (failure) {
      setError(getErrorMessage(failure));
      setBusy(false);
    }
  }
}
