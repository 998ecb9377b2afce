import { useState } from "react";
import { getErrorMessage, isFieldError } from "../../api/client/client.ts";
import { useGenerate, useIdeas } from "../../api/generations.ts";
import { useTiles } from "../../api/tiles/tiles.ts";
import { useZones } from "../../api/zones.ts";
import { type ChosenIdea, DEFAULT_OPTIONS, type GenerateOptions, toGenerateInput, toIdeaInput } from "./generate-options.ts";
import { removeMissing, type Source, validateSource } from "./source.ts";

export type GenerateFormInput = {
  readonly boardId: string;
  /** The latest selection of tiles on the board; null without one. */
  readonly chosen: readonly string[] | null;
  /** The idea that the next draft is written from. */
  readonly idea: ChosenIdea | null;
  readonly onStarted: (generationId: string) => void;
  readonly isGenerating: boolean;
};

export type GenerateFormState = ReturnType<typeof useGenerateForm>;

/** The state of the generation form: options, the selected content, and errors by field. */
export function useGenerateForm({ boardId, chosen, idea, onStarted, isGenerating }: GenerateFormInput) {
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
  const source = removeMissing(options.source, zones, tiles);
  const sourceProblem = validateSource(source, zones, tiles);
  if (chosen !== handled) {
    setHandled(chosen);
    setOptions((before) => withChosenTiles(before, chosen));
    setSourceErrorShown(false);
  }
  const getError = (...names: readonly string[]): string | null => (message !== "" && isFieldError(message, ...names) ? message : null);

  return {
    options,
    set: (next: Partial<GenerateOptions>): void => setOptions((before) => ({ ...before, ...next })),
    source,
    zones,
    tiles,
    isIdeas,
    isPending: mutation.isPending,
    /** The error that belongs to no field. */
    error: mutation.isError && !isFieldError(message, ...FIELDS) ? mutation.error : null,
    /** The error message of the fields with these API names, or null. */
    getError,
    sourceError: (isSourceErrorShown ? sourceProblem : null) ?? getError("zone_ids", "tile_ids"),
    submit(): void {
      if (mutation.isPending || isGenerating) return;
      setSourceErrorShown(sourceProblem !== null);
      if (sourceProblem !== null) return;
      const callbacks = { onSuccess: ({ id }: { readonly id: string }) => onStarted(id) };
      const request = { ...options, source };
      if (isIdeas) ideas.mutate(toIdeaInput(boardId, request), callbacks);
      else generate.mutate(toGenerateInput(boardId, request, idea?.id), callbacks);
    },
  };
}

const FIELDS = ["prompt", "zone_ids", "tile_ids", "save_to_zone_id", "tone", "audience", "language", "length"];

/** The options with the tiles selected on the board, if any. */
function withChosenTiles(options: GenerateOptions, chosen: readonly string[] | null): GenerateOptions {
  if (chosen === null) return options;
  const source: Source = { ...options.source, from: "tiles", tileIds: chosen };
  return { ...options, source };
}
