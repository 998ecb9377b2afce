/** Turns texts into vectors of length 1 that lie near each other where they mean alike. */
export interface Embedder {
  /** Names the space of its vectors: those of two models can't be compared. */
  readonly model: string;
  /** Whether it was made for texts like this one; others are found by their words alone. */
  accepts(text: string): boolean;
  /** Begins to load what the first text will need, where that takes its time; nothing where it is there already. */
  prepare(): void;
  /**
   * One vector a text, in their order. Urgent texts (somebody waits for them) go before the others. Throws what the model throws,
   * or the signal's reason.
   */
  embed(texts: readonly string[], options: { readonly isUrgent: boolean; readonly signal: AbortSignal }): Promise<readonly Float32Array[]>;
  close(): Promise<void>;
}

/**
 * A passage as a vector's sign bits, and each of its sentences, one signature after the other in the order of `sentencesOf`. A signature
 * has a multiple of four bytes.
 */
export type PassageSignatures = { readonly document: number; readonly passage: Uint8Array; readonly sentences: Uint8Array };

/** An indexed tile whose passages have no vectors yet. */
export type UnembeddedTile = {
  readonly businessId: string;
  readonly boardId: string;
  readonly tileId: string;
  readonly version: number;
  readonly text: string;
  readonly chunks: readonly { readonly document: number; readonly start: number; readonly end: number }[];
};

/** Vectors of passages, kept per board as its postings are. */
export interface VectorStore {
  /**
   * Told once by a process that makes vectors, before it does. Forgets the vectors of every other model, so that all tiles wait for
   * this one's; null: vectors are off, and none wait.
   */
  useModel(model: string | null): Promise<void>;
  /**
   * Indexed tiles to be embedded next, boards and their tiles in turns, bounded in number and in characters (one tile at least). None
   * while another model is in use. Several processes that share the store are given different tiles for two minutes.
   */
  unembedded(limit: number, maxCharacters: number): Promise<UnembeddedTile[]>;
  /** Stores signatures of tiles that are still as they were read; the others wait on. A tile without signatures counts as embedded. */
  embed(items: readonly { readonly tile: UnembeddedTile; readonly signatures: readonly PassageSignatures[] }[]): Promise<void>;
  /**
   * The live passages of the board whose signatures differ least from this one, nearest first, ties by document; `distance` in bits.
   * With `model`, nothing is near while the stored vectors are another one's.
   */
  nearest(
    businessId: string,
    boardId: string,
    signature: Uint8Array,
    limit: number,
    model?: string,
  ): Promise<readonly { readonly document: number; readonly distance: number }[]>;
  /** Signatures of these passages, where they have some; with `model`, where they are that one's. */
  signatures(businessId: string, boardId: string, documents: readonly number[], model?: string): Promise<readonly PassageSignatures[]>;
}
