/** Returns the first of the available content codings that `Accept-Encoding` allows (RFC 9110, 12.5.3); null if the body must be sent uncompressed. */
export function chooseEncoding<E extends string>(accepted: string | undefined, available: readonly E[]): E | null {
  if (accepted === undefined || accepted === "") return null;
  const allowed = new Map(
    accepted.split(",").map((part) => {
      const [name = "", ...parameters] = part.split(";").map((word) => word.trim().toLowerCase());
      return [name, !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter))] as const;
    }),
  );
  return available.find((encoding) => allowed.get(encoding) ?? allowed.get("*") ?? false) ?? null;
}
