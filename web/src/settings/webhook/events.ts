export type EventChoice = { readonly id: string; readonly name: string; readonly meaning: string };

export const EVENTS: readonly EventChoice[] = [
  { id: "tile.ready", name: "Tile ready", meaning: "The text of a link or file is ready. Sent once per tile." },
  { id: "generation.complete", name: "Generation complete", meaning: "A generation finished successfully." },
  { id: "tile.failed", name: "Tile failed", meaning: "A link or file could not be read after all attempts." },
  { id: "tile.updated", name: "Tile updated", meaning: "A tile’s text or title was changed." },
  { id: "generation.failed", name: "Generation failed", meaning: "A generation failed." },
];

/** The events selected for a new webhook. */
export const DEFAULT_EVENTS: readonly string[] = ["tile.ready", "generation.complete"];

/** How long the previous secret still signs, in hours. */
export const OVERLAPS = [
  ["24", "For 24 hours"],
  ["72", "For 3 days"],
  ["1", "For 1 hour"],
  ["0", "Not at all (the secret leaked)"],
] as const;
