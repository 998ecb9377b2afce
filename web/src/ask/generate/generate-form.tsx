import { Button } from "../../ui/controls/button.tsx";
import { IconButton } from "../../ui/controls/icon-button.tsx";
import { Select, TextArea } from "../../ui/controls/text-field.tsx";
import { CloseIcon, SparkleIcon } from "../../ui/icons/icons.ts";
import { ProblemNotice } from "../parts/problem-notice.tsx";
import { toProblem } from "../questions/use-conversation.ts";
import { DraftFields } from "./draft-fields.tsx";
import { ASSET_NAMES, type AssetType, type ChosenIdea } from "./generate-options.ts";
import { SegmentedControl } from "./segmented-control.tsx";
import { SourceField } from "./source-field.tsx";
import { type GenerateFormInput, useGenerateForm } from "./use-generate-form.ts";

export type GenerateFormProps = GenerateFormInput & { readonly onDropIdea: () => void };

/** The form for generating a draft or ideas. Only the format is required. */
export function GenerateForm({ onDropIdea, ...input }: GenerateFormProps) {
  const { idea, isGenerating } = input;
  const form = useGenerateForm(input);
  const { options, set, isIdeas, source } = form;
  return (
    <form
      aria-label="Generate from this board"
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        form.submit();
      }}
    >
      {idea === null ? (
        <SegmentedControl legend="Generate" name="mode" options={MODES} value={options.mode} onChange={(mode) => set({ mode })} />
      ) : (
        <IdeaChip idea={idea} onDrop={onDropIdea} />
      )}
      <Select label="Format" value={options.assetType} onChange={(event) => set({ assetType: event.target.value as AssetType })}>
        {Object.entries(ASSET_NAMES).map(([type, name]) => (
          <option key={type} value={type}>
            {name}
          </option>
        ))}
      </Select>
      <TextArea
        label="Topic"
        rows={2}
        placeholder="Leave empty for the main topics of the board"
        value={options.prompt}
        error={form.getError("prompt")}
        inputClassName="field-sizing-content max-h-40"
        onChange={(event) => set({ prompt: event.target.value })}
      />
      <SourceField
        source={source}
        onChange={(next) => set({ source: { ...source, ...next } })}
        zones={form.zones}
        tiles={form.tiles}
        error={form.sourceError}
      />
      {isIdeas ? <CountField count={options.count} onChange={(count) => set({ count })} /> : <DraftFields form={form} />}
      {form.error !== null && <ProblemNotice problem={toProblem(form.error)} />}
      <Button variant="primary" type="submit" className="self-start" isBusy={form.isPending} aria-disabled={isGenerating || undefined}>
        <SparkleIcon /> {isIdeas ? "Generate ideas" : `Generate ${ASSET_NAMES[options.assetType].toLowerCase()}`}
      </Button>
    </form>
  );
}

const MODES = [
  ["draft", "Draft"],
  ["ideas", "Ideas"],
] as const;

/** The idea that the draft is written from, with a button to remove it. */
function IdeaChip({ idea, onDrop }: { readonly idea: ChosenIdea; readonly onDrop: () => void }) {
  return (
    <p className="flex items-center gap-2 rounded-md bg-accent-soft py-1 pr-1 pl-3 text-sm">
      <span className="min-w-0 flex-1 wrap-anywhere">
        From the idea “<bdi>{idea.title}</bdi>”
      </span>
      <IconButton label="Remove the idea" size="sm" onClick={onDrop}>
        <CloseIcon />
      </IconButton>
    </p>
  );
}

function CountField({ count, onChange }: { readonly count: string; readonly onChange: (count: string) => void }) {
  return (
    <Select label="Number of ideas" value={count} onChange={(event) => onChange(event.target.value)}>
      {[3, 5, 8, 12, 20].map((one) => (
        <option key={one}>{one}</option>
      ))}
    </Select>
  );
}
