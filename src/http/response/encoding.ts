/** The first of the available content codings that `Accept-Encoding` allows (RFC 9110, 12.5.3); null when the body is to be sent as it is. */
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
