/** Joins class names; what is not there is left out. */
export const cn = (...names: readonly (string | false | null | undefined)[]): string => names.filter(Boolean).join(" ");
