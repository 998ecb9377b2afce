import type { AssetType, GenerateInput, Idea, IdeaInput } from "@tessera-board/sdk";
import { type Source, WHOLE_BOARD, toIdFilter } from "./source.ts";

export type { AssetType } from "@tessera-board/sdk";

export const ASSET_NAMES: Readonly<Record<AssetType, string>> = {
  post: "Post",
  thread: "Thread",
  article: "Article",
  newsletter: "Newsletter",
  carousel: "Carousel",
  video: "Video script",
  short_video: "Short video script",
  podcast: "Podcast script",
};

/** The idea that a draft is written from. */
export type ChosenIdea = Pick<Idea, "id" | "title">;

/** The state of the form; empty strings for options that are not set. */
export type GenerateOptions = {
  readonly mode: "draft" | "ideas";
  readonly assetType: AssetType;
  readonly prompt: string;
  readonly count: string;
  readonly tone: string;
  readonly audience: string;
  readonly language: string;
  readonly length: string;
  /** The zone where the draft is saved as a tile. */
  readonly zoneId: string;
  readonly source: Source;
};

export const DEFAULT_OPTIONS: GenerateOptions = {
  mode: "draft",
  assetType: "post",
  prompt: "",
  count: "5",
  tone: "",
  audience: "",
  language: "",
  length: "",
  zoneId: "",
  source: WHOLE_BOARD,
};

export function toGenerateInput(boardId: string, options: GenerateOptions, ideaId?: string): GenerateInput {
  const { assetType, prompt, tone, audience, language, length, zoneId } = options;
  return {
    boardId,
    assetType,
    ...toIdFilter(options.source),
    ...trimFields({ prompt, tone, audience, language, saveToZoneId: zoneId, ideaId: ideaId ?? "" }),
    ...(length.trim() === "" ? {} : { length: /^\d+$/.test(length.trim()) ? Number(length) : length.trim() }),
  };
}

export const toIdeaInput = (boardId: string, { assetType, prompt, count, source }: GenerateOptions): IdeaInput => ({
  boardId,
  assetType,
  ...toIdFilter(source),
  count: Number(count),
  ...trimFields({ prompt }),
});

/** The trimmed fields that are not empty. */
function trimFields<Name extends string>(fields: Readonly<Record<Name, string>>): Partial<Record<Name, string>> {
  const filled = Object.entries<string>(fields).filter(([, value]) => value.trim() !== "");
  return Object.fromEntries(filled.map(([name, value]) => [name, value.trim()])) as Partial<Record<Name, string>>;
}
