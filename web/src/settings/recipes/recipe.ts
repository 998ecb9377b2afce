/** The values filled into a recipe. */
export type RecipeContext = {
  /** The address of the server, without a trailing slash. */
  readonly base: string;
  readonly boardId: string;
};

/** One step, with code to paste if there is some. */
export type RecipeStep = { readonly text: string; readonly code?: string };

export type Recipe = {
  readonly id: string;
  readonly name: string;
  /** How to create a tile from the tool. */
  readonly send: readonly RecipeStep[];
  /** How to verify the signature of an event. */
  readonly verify: readonly RecipeStep[];
};

export const getInboundUrl = ({ base }: RecipeContext): string => `${base}/api/inbound/tiles`;

/** The JSON body of the inbound request that all recipes send. */
export const buildInboundBody = ({ boardId }: RecipeContext): string =>
  JSON.stringify({ board_id: boardId, url: "https://example.com/article" });
