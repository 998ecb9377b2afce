/** Computes embeddings of length 1, which are near each other for texts of similar meaning. */
export interface Embedder {
  /** The name of the model. Vectors of different models can't be compared. */
  readonly model: string;
  /** Whether the model supports the text's language. Other texts are found by lexical search only. */
  accepts(text: string): boolean;
  /** Starts loading the model in advance. Does nothing when it is loaded. */
  prepare(): void;
  /**
   * Returns one vector per text, in order. Urgent texts, for which a caller waits, are processed first. Throws the model's error or the
   * signal's reason.
   */
  embed(texts: readonly string[], options: { readonly isUrgent: boolean; readonly signal: AbortSignal }): Promise<readonly Float32Array[]>;
  close(): Promise<void>;
}

/**
 * The binary embeddings (sign bits of vectors) of a passage and of its sentences, concatenated in the order of `sentencesOf`. A binary
 * embedding has a multiple of four bytes.
 */
export type PassageEmbeddings = { readonly document: number; readonly passage: Uint8Array; readonly sentences: Uint8Array };

/** An indexed tile whose passages have no vectors yet. */
export type UnembeddedTile = {
  readonly businessId: string;
  readonly boardId: string;
  readonly tileId: string;
  readonly version: number;
  readonly text: string;
  readonly chunks: readonly { readonly document: number; readonly start: number; readonly end: number }[];
};

/** The vectors of passages, stored per board. */
export interface VectorStore {
  /**
   * Sets the model that this process computes vectors with; call it once before. Vectors of another model are not read any more, and
   * `discardStep` discards them. Null turns vectors off, and no tile is pending. Changes nothing and returns false while another process that shares
   * the database runs with another model, or with none; this process then gets no tiles.
   */
  useModel(model: string | null): Promise<boolean>;
  /** Returns the model whose vectors are in use; null if vectors are off. */
  modelInUse(): Promise<string | null>;
  /**
   * Discards some vectors of an earlier model, so that their tiles become unembedded. Returns false when none is left, or other processes
   * discard them. Every step is stored, so that an interrupted change of the model is continued.
   */
  discardStep(): Promise<boolean>;
  /**
   * Returns the tiles to embed next, round-robin across boards, limited in number and characters (at least one tile). Returns none while
   * another model is in use, and none of boards that have vectors of an earlier model. Processes that share the store get different tiles for two minutes.
   */
  unembedded(limit: number, maxCharacters: number): Promise<UnembeddedTile[]>;
  /** Stores the embeddings of tiles that have not changed since; changed tiles stay pending. A tile without any counts as embedded. */
  embed(items: readonly { readonly tile: UnembeddedTile; readonly embeddings: readonly PassageEmbeddings[] }[]): Promise<void>;
  /**
   * Returns the passages with the smallest Hamming distance (`distance`, in bits), nearest first, ties by document. With `model`, returns
   * nothing while the stored vectors are of another model.
   */
  nearest(
    businessId: string,
    boardId: string,
    embedding: Uint8Array,
    limit: number,
    model?: string,
  ): Promise<readonly { readonly document: number; readonly distance: number }[]>;
  /** Returns the embeddings of these passages, as far as they are stored; with `model`, only those of that model. */
  embeddings(businessId: string, boardId: string, documents: readonly number[], model?: string): Promise<readonly PassageEmbeddings[]>;
}
