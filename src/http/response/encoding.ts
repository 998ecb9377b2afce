/** Returns the quality of each item of a header such as `Accept` (RFC 9110, 12.4.2), by its name in lower case. 0 refuses it. */
export function readQualities(header: string): ReadonlyMap<string, number> {
  return new Map(
    header.split(",").map((part) => {
      const [name = "", ...parameters] = part.split(";").map((word) => word.trim().toLowerCase());
      const quality = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
      return [name, quality === undefined ? 1 : Number(quality) || 0] as const;
    }),
  );
}

/** Returns the first of the available content codings that `Accept-Encoding` allows (RFC 9110, 12.5.3); null if the body must be sent uncompressed. */
export function chooseEncoding<E extends string>(accepted: string | undefined, available: readonly E[]): E | null {
  if (accepted === undefined || accepted === "") return null;
  const qualities = readQualities(accepted);
  return available.find((encoding) => (qualities.get(encoding) ?? qualities.get("*") ?? 0) > 0) ?? null;
}
