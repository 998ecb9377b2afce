import { useState } from "react";
import { isFieldError, getErrorMessage } from "../../api/client/client.ts";
import { useGenerate, useIdeas } from "../../api/generations.ts";
import { useTiles } from "../../api/tiles/tiles.ts";
import { useZones } from "../../api/zones.ts";
import { Disclosure } from "../../ui/controls/disclosure.tsx";
import { Button } from "../../ui/controls/button.tsx";
import { IconButton } from "../../ui/controls/icon-button.tsx";
import { CloseIcon, SparkleIcon } from "../../ui/icons/icons.tsx";
import { Select, TextArea, TextField } from "../../ui/controls/text-field.tsx";
import { SegmentedControl } from "./segmented-control.tsx";
import {
  ASSET_NAMES,
  type AssetType,
  type ChosenIdea,
  DEFAULT_OPTIONS,
  toGenerateInput,
  toIdeaInput,
  type GenerateOptions,
} from "./generate-options.ts";
import { ProblemNotice } from "../parts/problem-notice.tsx";
import { toProblem } from "../questions/use-conversation.ts";
import { type Source, removeMissing, validateSource } from "./source.ts";
import { SourceField } from "./source-field.tsx";

export type GenerateFormProps = {
  readonly boardId: string;
  /** The latest selection of tiles on the board; null without one. */
  readonly chosen: readonly string[] | null;
  /** The idea that the next draft is written from. */
  readonly idea: ChosenIdea | null;
  readonly onDropIdea: () => void;
  readonly onStarted: (generationId: string) => void;
  readonly isGenerating: boolean;
};

/** The form for generating a draft or ideas. Only the kind is required. */
export function GenerateForm({ boardId, chosen, idea, onDropIdea, onStarted, isGenerating }: GenerateFormProps) {
  const [options, setOptions] = useState<GenerateOptions>(() => withChosenTiles(DEFAULT_OPTIONS, chosen));
  const [handled, setHandled] = useState(chosen);
  const [isSourceErrorShown, setSourceErrorShown] = useState(false);
  const { data: zones = [] } = useZones(boardId);
  const { data: tiles = [] } = useTiles(boardId);
  const generate = useGenerate();
  const ideas = useIdeas();
  const isIdeas = options.mode === "ideas" && idea === null;
  const mutation = isIdeas ? ideas : generate;
  const message = mutation.isError ? getErrorMessage(mutation.error) : "";
  const at = (...names: readonly string[]): string | null => (message !== "" && isFieldError(message, ...names) ? message : null);
  const isAtField = isFieldError(message, ...FIELDS);
  const set = (next: Partial<GenerateOptions>): void => setOptions((before) => ({ ...before, ...next }));
  const source = removeMissing(options.source, zones, tiles);
  const sourceProblem = validateSource(source, zones, tiles);
  if (chosen !== handled) {
    setHandled(chosen);
    setOptions((before) => withChosenTiles(before, chosen));
    setSourceErrorShown(false);
  }

  function submit(): void {
    if (mutation.isPending || isGenerating) return;
    setSourceErrorShown(sourceProblem !== null);
    if (sourceProblem !== null) return;
    const callbacks = { onSuccess: ({ id }: { readonly id: string }) => onStarted(id) };
    const request = { ...options, source };
    if (isIdeas) ideas.mutate(toIdeaInput(boardId, request), callbacks);
    else generate.mutate(toGenerateInput(boardId, request, idea?.id), callbacks);
  }

  return (
    <form
      aria-label="Generate from this board"
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {idea === null ? (
        <SegmentedControl
          legend="Generate"
          name="wanted"
          options={CHOICES}
          value={options.mode}
          onChange={(wanted) => set({ mode: wanted })}
        />
      ) : (
        <p className="flex items-center gap-2 rounded-md bg-accent-soft py-1 pr-1 pl-3 text-sm">
          <span className="min-w-0 flex-1 wrap-anywhere">
            A draft from the idea “<bdi>{idea.title}</bdi>”
          </span>
          <IconButton label="Remove the idea" size="sm" onClick={onDropIdea}>
            <CloseIcon />
          </IconButton>
        </p>
      )}
      <Select
        label={isIdeas ? "Ideas for" : "Kind of draft"}
        value={options.assetType}
        onChange={(event) => set({ assetType: event.target.value as AssetType })}
      >
        {Object.entries(ASSET_NAMES).map(([type, name]) => (
          <option key={type} value={type}>
            {name}
          </option>
        ))}
      </Select>
      <TextArea
        label="Topic"
        rows={2}
        placeholder="If empty, the topic of the board"
        value={options.prompt}
        error={at("prompt")}
        inputClassName="field-sizing-content max-h-40"
        onChange={(event) => set({ prompt: event.target.value })}
      />
      <SourceField
        source={source}
        onChange={(next) => set({ source: { ...source, ...next } })}
        zones={zones}
        tiles={tiles}
        error={(isSourceErrorShown ? sourceProblem : null) ?? at("zone_ids", "tile_ids")}
      />
      {isIdeas ? (
        <Select label="Number of ideas" value={options.count} onChange={(event) => set({ count: event.target.value })}>
          {[3, 5, 8, 12, 20].map((count) => (
            <option key={count}>{count}</option>
          ))}
        </Select>
      ) : (
        <>
          <Select
            label="Save to"
            value={options.zoneId}
            error={at("save_to_zone_id")}
            onChange={(event) => set({ zoneId: event.target.value })}
          >
            <option value="">Do not save</option>
            {zones.map(({ id, name, emoji }) => (
              <option key={id} value={id}>
                {emoji} {name}
              </option>
            ))}
          </Select>
          <Disclosure title="More options">
            <div className="grid gap-3 sm:grid-cols-2">
              <TextField
                label="Tone"
                placeholder="warm"
                value={options.tone}
                error={at("tone")}
                onChange={(event) => set({ tone: event.target.value })}
              />
              <TextField
                label="Audience"
                placeholder="newcomers"
                value={options.audience}
                error={at("audience")}
                onChange={(event) => set({ audience: event.target.value })}
              />
              <TextField
                label="Language"
                placeholder="English"
                value={options.language}
                error={at("language")}
                onChange={(event) => set({ language: event.target.value })}
              />
              <TextField
                label="Length"
                placeholder="short, or 300"
                value={options.length}
                error={at("length")}
                onChange={(event) => set({ length: event.target.value })}
              />
            </div>
          </Disclosure>
        </>
      )}
      {mutation.isError && !isAtField && <ProblemNotice problem={toProblem(mutation.error)} />}
      <Button variant="primary" type="submit" className="self-start" isBusy={mutation.isPending} aria-disabled={isGenerating || undefined}>
        <SparkleIcon /> {isIdeas ? "Find ideas" : `Write the ${ASSET_NAMES[options.assetType].toLowerCase()}`}
      </Button>
    </form>
  );
}

const FIELDS = ["prompt", "zone_ids", "tile_ids", "save_to_zone_id", "tone", "audience", "language", "length"];

const CHOICES = [
  ["draft", "Draft"],
  ["ideas", "Ideas"],
] as const;

/** The options with the tiles selected on the board, if any. */
function withChosenTiles(options: GenerateOptions, chosen: readonly string[] | null): GenerateOptions {
  if (chosen === null) return options;
  const source: Source = { ...options.source, from: "tiles", tileIds: chosen };
  return { ...options, source };
}
