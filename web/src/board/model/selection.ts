/** The selected tiles; `anchor` is where a range selection begins. */
export type Selection = { readonly ids: ReadonlySet<string>; readonly anchor: string | null };

export const NO_SELECTION: Selection = { ids: new Set(), anchor: null };

export function toggleTile(selection: Selection, id: string): Selection {
  const ids = new Set(selection.ids);
  if (!ids.delete(id)) ids.add(id);
  return { ids, anchor: id };
}

/** Adds the range from the anchor to `id` in the order of `column`; only `id` if the anchor is in another column. */
export function extendSelection(selection: Selection, id: string, column: readonly string[]): Selection {
  const from = selection.anchor === null ? -1 : column.indexOf(selection.anchor);
  const to = column.indexOf(id);
  if (from < 0 || to < 0) return { ids: new Set([...selection.ids, id]), anchor: id };
  const range = column.slice(Math.min(from, to), Math.max(from, to) + 1);
  return { ids: new Set([...selection.ids, ...range]), anchor: selection.anchor };
}

export const selectAll = (selection: Selection, column: readonly string[]): Selection => ({
  ids: new Set([...selection.ids, ...column]),
  anchor: column[0] ?? selection.anchor,
});

/** Removes tiles that no longer exist; returns the same object if nothing changed. */
export function retainExisting(selection: Selection, exists: (id: string) => boolean): Selection {
  const ids = [...selection.ids].filter(exists);
  return ids.length === selection.ids.size ? selection : { ids: new Set(ids), anchor: selection.anchor };
}
