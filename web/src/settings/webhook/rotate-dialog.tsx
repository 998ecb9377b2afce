import { useId, useState } from "react";
import { Button } from "../../ui/controls/button.tsx";
import { Dialog } from "../../ui/floating/dialog.tsx";
import { Select } from "../../ui/controls/text-field.tsx";
import { useRotateWebhook } from "../../api/settings.ts";
import { Form, useForm } from "../parts/form.tsx";
import { OVERLAPS } from "./events.ts";

/** Asks how long the previous secret still signs, and rotates the secret. */
export function RotateDialog({ onClose, onRotated }: { readonly onClose: () => void; readonly onRotated: (secret: string) => void }) {
  const id = useId();
  const [hours, setHours] = useState("24");
  const rotate = useRotateWebhook();
  const form = useForm({ overlap_hours: "The overlap" }, async () => {
    const { secret } = await rotate.mutateAsync(Number(hours));
    onRotated(secret);
  });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Rotate the secret?"
      description="X-Service-Signature uses the new secret immediately. For the chosen time, webhook-signature contains the signatures of both secrets, so that you can update the receiver without losing events."
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" form={id} isBusy={form.isBusy}>
            Rotate
          </Button>
        </>
      }
    >
      <Form form={form} id={id}>
        <Select
          label="Keep signing with the previous secret"
          value={hours}
          onChange={(event) => setHours(event.target.value)}
          error={form.errors.fields["overlap_hours"]}
        >
          {OVERLAPS.map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
      </Form>
    </Dialog>
  );
}
