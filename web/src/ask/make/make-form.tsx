import { useState } from "react";
import { isAbout, sentenceOf } from "../../api/client.ts";
import { useGenerate, useIdeas } from "../../api/generations.ts";
import { useZones } from "../../api/zones.ts";
import { Fold } from "../../text/fold.tsx";
import { Button } from "../../ui/button.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { CloseIcon, SparkleIcon } from "../../ui/icons.tsx";
import { Select, TextArea, TextField } from "../../ui/text-field.tsx";
import { ASSET_NAMES, type AssetType, EMPTY_WISHES, generateInputOf, ideaInputOf, type Wishes } from "./make-input.ts";
import type { ChosenIdea } from "./make-view.tsx";
import { ProblemNotice } from "../parts/problem-notice.tsx";
import { problemOf } from "../questions/use-conversation.ts";

export type MakeFormProps = {
  readonly boardId: string;
  /** The idea that the next piece carries out. */
  readonly idea: ChosenIdea | null;
  readonly onDropIdea: () => void;
  readonly onBegun: (generationId: string) => void;
  readonly isMaking: boolean;
};

/** What is to be made of the board. Everything but the kind may be left out. */
export function MakeForm({ boardId, idea, onDropIdea, onBegun, isMaking }: MakeFormProps) {
  const [wishes, setWishes] = useState<Wishes>(EMPTY_WISHES);
  const { data: zones = [] } = useZones(boardId);
  const generate = useGenerate();
  const ideas = useIdeas();
  const isIdeas = wishes.wanted === "ideas" && idea === null;
  const making = isIdeas ? ideas : generate;
  const message = making.isError ? sentenceOf(making.error) : "";
  const at = (...names: readonly string[]): string | null => (message !== "" && isAbout(message, ...names) ? message : null);
  const isAtField = isAbout(message, ...FIELDS);
  const set = (next: Partial<Wishes>): void => setWishes((before) => ({ ...before, ...next }));

  function make(): void {
    if (making.isPending || isMaking) return;
    const begun = { onSuccess: ({ id }: { readonly id: string }) => onBegun(id) };
    if (isIdeas) ideas.mutate(ideaInputOf(boardId, wishes), begun);
    else generate.mutate(generateInputOf(boardId, wishes, idea?.id), begun);
  }

  return (
    <form
      aria-label="Make something of this board"
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        make();
      }}
    >
      {idea === null ? (
        <Choice value={wishes.wanted} onChange={(wanted) => set({ wanted })} />
      ) : (
        <p className="flex items-center gap-2 rounded-md bg-accent-soft py-1 pr-1 pl-3 text-sm">
          <span className="min-w-0 flex-1 wrap-anywhere">A piece from the idea “{idea.title}”</span>
          <IconButton label="Drop the idea" size="sm" onClick={onDropIdea}>
            <CloseIcon />
          </IconButton>
        </p>
      )}
      <Select
        label={isIdeas ? "Ideas for" : "Kind of piece"}
        value={wishes.assetType}
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
        placeholder="Without one, it is what the board is about"
        value={wishes.prompt}
        error={at("prompt")}
        inputClassName="field-sizing-content max-h-40"
        onChange={(event) => set({ prompt: event.target.value })}
      />
      {isIdeas ? (
        <Select label="How many" value={wishes.count} onChange={(event) => set({ count: event.target.value })}>
          {[3, 5, 8, 12, 20].map((count) => (
            <option key={count}>{count}</option>
          ))}
        </Select>
      ) : (
        <>
          <Select
            label="Keep it in"
            value={wishes.zoneId}
            error={at("save_to_zone_id")}
            onChange={(event) => set({ zoneId: event.target.value })}
          >
            <option value="">No zone: only listed below</option>
            {zones.map(({ id, name, emoji }) => (
              <option key={id} value={id}>
                {emoji} {name}
              </option>
            ))}
          </Select>
          <Fold title="More wishes">
            <div className="grid gap-3 sm:grid-cols-2">
              <TextField
                label="Tone"
                placeholder="warm"
                value={wishes.tone}
                error={at("tone")}
                onChange={(event) => set({ tone: event.target.value })}
              />
              <TextField
                label="For whom"
                placeholder="newcomers"
                value={wishes.audience}
                error={at("audience")}
                onChange={(event) => set({ audience: event.target.value })}
              />
              <TextField
                label="Language"
                placeholder="English"
                value={wishes.language}
                error={at("language")}
                onChange={(event) => set({ language: event.target.value })}
              />
              <TextField
                label="Length"
                placeholder="short, or 300"
                value={wishes.length}
                error={at("length")}
                onChange={(event) => set({ length: event.target.value })}
              />
            </div>
          </Fold>
        </>
      )}
      {making.isError && !isAtField && <ProblemNotice problem={problemOf(making.error)} />}
      <Button variant="primary" type="submit" className="self-start" isBusy={making.isPending} aria-disabled={isMaking || undefined}>
        <SparkleIcon /> {isIdeas ? "Find ideas" : `Write the ${ASSET_NAMES[wishes.assetType].toLowerCase()}`}
      </Button>
    </form>
  );
}

const FIELDS = ["prompt", "save_to_zone_id", "tone", "audience", "language", "length"];

const CHOICES = [
  ["piece", "A piece"],
  ["ideas", "Ideas"],
] as const;

function Choice({ value, onChange }: { readonly value: Wishes["wanted"]; readonly onChange: (wanted: Wishes["wanted"]) => void }) {
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="text-sm font-medium">Make</legend>
      <div className="mt-1.5 flex gap-1 rounded-md border border-line bg-surface p-1">
        {CHOICES.map(([wanted, name]) => (
          <label
            key={wanted}
            className="flex min-h-8 flex-1 items-center justify-center rounded-sm text-sm font-medium text-quiet has-checked:bg-accent-soft has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-accent pointer-coarse:min-h-11"
          >
            <input type="radio" name="wanted" className="sr-only" checked={value === wanted} onChange={() => onChange(wanted)} />
            {name}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
