/** Returns the name without spaces around it. Throws when it is blank. */
export function requireName(name: string | undefined): string {
  const trimmed = name?.trim() ?? "";
  if (trimmed === "") throw new Error("The name must not be blank.");
  return trimmed;
}
