/** A tile, or the heading of a zone. */
export type Place = { readonly tileId: string } | { readonly columnId: string };

export type BoardFocus = {
  /** Focuses a place as soon as it is shown, unless the user is typing or moves the focus first. */
  readonly move: (place: Place) => void;
  /** Says where the focus goes if nothing has it. */
  readonly expect: (place: Place) => void;
  /** Focuses the card of a column where Tab stops, or the heading if there is none. */
  readonly enter: (columnId: string) => void;
};
