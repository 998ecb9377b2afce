/** What a recipe is filled in with. */
export type RecipeContext = {
  /** The install's own address, without a slash at its end. */
  readonly base: string;
  readonly boardId: string;
};

/** One thing to do, with the text to paste where there is one. */
export type Step = { readonly text: string; readonly code?: string };

export type Recipe = {
  readonly id: string;
  readonly name: string;
  /** How to make a tile from there. */
  readonly send: readonly Step[];
  /** How to be sure that an event came from here. */
  readonly verify: readonly Step[];
};

export const getInboundUrl = ({ base }: RecipeContext): string => `${base}/api/inbound/tiles`;

/** The body every recipe sends, as JSON. */
export const buildInboundBody = ({ boardId }: RecipeContext): string =>
  JSON.stringify({ board_id: boardId, url: "https://example.com/article" });
