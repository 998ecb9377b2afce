/** Joins class names and skips empty values. */
export const cn = (...names: readonly (string | false | null | undefined)[]): string => names.filter(Boolean).join(" ");
