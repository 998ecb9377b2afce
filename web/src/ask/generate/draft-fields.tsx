import { Disclosure } from "../../ui/controls/disclosure.tsx";
import { Select, TextField } from "../../ui/controls/text-field.tsx";
import type { GenerateOptions } from "./generate-options.ts";
import type { GenerateFormState } from "./use-generate-form.ts";

type TextOption = keyof Pick<GenerateOptions, "tone" | "audience" | "language" | "length">;

const TEXT_OPTIONS: readonly { readonly name: TextOption; readonly label: string; readonly placeholder: string }[] = [
  { name: "tone", label: "Tone", placeholder: "For example, warm" },
  { name: "audience", label: "Audience", placeholder: "For example, beginners" },
  { name: "language", label: "Language", placeholder: "For example, English" },
  { name: "length", label: "Length", placeholder: "“short”, or a number of words" },
];

/** The fields that only drafts have: where to save the draft, and its style. */
export function DraftFields({ form }: { readonly form: GenerateFormState }) {
  const { options, set, zones, getError } = form;
  return (
    <>
      <Select
        label="Save to"
        value={options.zoneId}
        error={getError("save_to_zone_id")}
        onChange={(event) => set({ zoneId: event.target.value })}
      >
        <option value="">Don’t save</option>
        {zones.map(({ id, name, emoji }) => (
          <option key={id} value={id}>
            {emoji} {name}
          </option>
        ))}
      </Select>
      <Disclosure title="More options">
        <div className="grid gap-3 sm:grid-cols-2">
          {TEXT_OPTIONS.map(({ name, label, placeholder }) => (
            <TextField
              key={name}
              label={label}
              placeholder={placeholder}
              value={options[name]}
              error={getError(name)}
              onChange={(event) => set({ [name]: event.target.value })}
            />
          ))}
        </div>
      </Disclosure>
    </>
  );
}
