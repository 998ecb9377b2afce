import { useState } from "react";
import { isAbout, sentenceOf } from "../../api/client/client.ts";
import { useGenerate, useIdeas } from "../../api/generations.ts";
import { useTiles } from "../../api/tiles/tiles.ts";
import { useZones } from "../../api/zones.ts";
import { Disclosure } from "../../text/disclosure.tsx";
import { Button } from "../../ui/controls/button.tsx";
import { IconButton } from "../../ui/controls/icon-button.tsx";
import { CloseIcon, SparkleIcon } from "../../ui/marks/icons.tsx";
import { Select, TextArea, TextField } from "../../ui/controls/text-field.tsx";
import { Choice } from "./choice.tsx";
import { ASSET_NAMES, type AssetType, type ChosenIdea, EMPTY_WISHES, generateInputOf, ideaInputOf, type Wishes } from "./make-input.ts";
import { ProblemNotice } from "../parts/problem-notice.tsx";
import { problemOf } from "../questions/use-conversation.ts";
import { type Source, presentIn, problemIn } from "./source.ts";
import { SourceField } from "./source-field.tsx";

export type MakeFormProps = {
  readonly boardId: string;
  /** Tiles chosen on the board to make something of, the latest choice; null without one. */
  readonly chosen: readonly string[] | null;
  /** The idea that the next piece carries out. */
  readonly idea: ChosenIdea | null;
  readonly onDropIdea: () => void;
  readonly onBegun: (generationId: string) => void;
  readonly isMaking: boolean;
};

/** What is to be made of the board. Everything but the kind may be left out. */
export function MakeForm({ boardId, chosen, idea, onDropIdea, onBegun, isMaking }: MakeFormProps) {
  const [wishes, setWishes] = useState<Wishes>(() => withChosen(EMPTY_WISHES, chosen));
  const [taken, setTaken] = useState(chosen);
  const [isSourceTold, setSourceTold] = useState(false);
  const { data: zones = [] } = useZones(boardId);
  const { data: tiles = [] } = useTiles(boardId);
  const generate = useGenerate();
  const ideas = useIdeas();
  const isIdeas = wishes.wanted === "ideas" && idea === null;
  const making = isIdeas ? ideas : generate;
  const message = making.isError ? sentenceOf(making.error) : "";
  const at = (...names: readonly string[]): string | null => (message !== "" && isAbout(message, ...names) ? message : null);
  const isAtField = isAbout(message, ...FIELDS);
  const set = (next: Partial<Wishes>): void => setWishes((before) => ({ ...before, ...next }));
  const source = presentIn(wishes.source, zones, tiles);
  const sourceProblem = problemIn(source, zones, tiles);
  if (chosen !== taken) {
    setTaken(chosen);
    setWishes((before) => withChosen(before, chosen));
    setSourceTold(false);
  }

  function make(): void {
    if (making.isPending || isMaking) return;
    setSourceTold(sourceProblem !== null);
    if (sourceProblem !== null) return;
    const begun = { onSuccess: ({ id }: { readonly id: string }) => onBegun(id) };
    const asked = { ...wishes, source };
    if (isIdeas) ideas.mutate(ideaInputOf(boardId, asked), begun);
    else generate.mutate(generateInputOf(boardId, asked, idea?.id), begun);
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
        <Choice legend="Make" name="wanted" options={CHOICES} value={wishes.wanted} onChange={(wanted) => set({ wanted })} />
      ) : (
        <p className="flex items-center gap-2 rounded-md bg-accent-soft py-1 pr-1 pl-3 text-sm">
          <span className="min-w-0 flex-1 wrap-anywhere">
            A piece from the idea “<bdi>{idea.title}</bdi>”
          </span>
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
      <SourceField
        source={source}
        onChange={(next) => set({ source: { ...source, ...next } })}
        zones={zones}
        tiles={tiles}
        error={(isSourceTold ? sourceProblem : null) ?? at("zone_ids", "tile_ids")}
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
          <Disclosure title="More wishes">
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
          </Disclosure>
        </>
      )}
      {making.isError && !isAtField && <ProblemNotice problem={problemOf(making.error)} />}
      <Button variant="primary" type="submit" className="self-start" isBusy={making.isPending} aria-disabled={isMaking || undefined}>
        <SparkleIcon /> {isIdeas ? "Find ideas" : `Write the ${ASSET_NAMES[wishes.assetType].toLowerCase()}`}
      </Button>
    </form>
  );
}

const FIELDS = ["prompt", "zone_ids", "tile_ids", "save_to_zone_id", "tone", "audience", "language", "length"];

const CHOICES = [
  ["piece", "A piece"],
  ["ideas", "Ideas"],
] as const;

/** With the tiles that were chosen on the board, where some were. */
function withChosen(wishes: Wishes, chosen: readonly string[] | null): Wishes {
  if (chosen === null) return wishes;
  const source: Source = { ...wishes.source, from: "tiles", tileIds: chosen };
  return { ...wishes, source };
}
