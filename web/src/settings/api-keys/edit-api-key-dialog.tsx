import type { ApiKey } from "@tessera-board/sdk";
import { useRef, useState } from "react";
import { TextField } from "../../ui/controls/text-field.tsx";
import { useUpdateApiKey } from "../../api/settings.ts";
import { useForm } from "../parts/form.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { validateFields } from "../parts/form-errors.ts";
import { INVALID_BUDGET_MESSAGE, parseBudget } from "./format.ts";

/** Changes the name and budget of a key. */
export function EditApiKeyDialog({ apiKey, onClose }: { readonly apiKey: ApiKey; readonly onClose: () => void }) {
  const first = useRef<HTMLInputElement>(null);
  const [name, setName] = useState(apiKey.name);
  const [budget, setBudget] = useState(apiKey.budget === null ? "" : String(apiKey.budget));
  const updateKey = useUpdateApiKey();
  const form = useForm({ name: "The name", budget: "The budget" }, async () => {
    const tokens = parseBudget(budget);
    validateFields({
      name: name.trim() === "" && "Enter a name, such as the tool that uses the key.",
      budget: Number.isNaN(tokens) && INVALID_BUDGET_MESSAGE,
    });
    await updateKey.mutateAsync({ keyId: apiKey.id, name: name.trim(), budget: tokens });
    onClose();
  });
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      first={first}
      title="Edit API key"
      description="The boards, permission and expiry of a key cannot be changed. Create another key instead."
      action="Save"
    >
      <TextField
        ref={first}
        label="Name"
        value={name}
        onChange={(event) => setName(event.target.value)}
        error={form.errors.fields["name"]}
        maxLength={200}
        autoComplete="off"
      />
      <TextField
        label="Monthly token budget"
        inputMode="numeric"
        value={budget}
        onChange={(event) => setBudget(event.target.value)}
        error={form.errors.fields["budget"]}
        hint="Input and output tokens together. Leave empty for no limit."
        autoComplete="off"
      />
    </FormDialog>
  );
}
