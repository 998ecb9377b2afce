/** Parameters that say where a visitor came from, not which page is meant. */
const TRACKING_PARAMETER = /^(?:utm_.*|fbclid|gclid|dclid|gbraid|wbraid|msclkid|yclid|igshid|mc_cid|mc_eid)$/i;

const getName = (parameter: string): string => parameter.split("=", 1)[0] ?? "";

/**
 * Returns the form by which two addresses of the same page are equal: without fragment, tracking parameters and trailing slash, and with
 * sorted parameters. It identifies a page; it is not meant to be fetched. Throws `TypeError` if `address` is not an absolute URL.
 */
export function normaliseAddress(address: string): string {
  const { protocol, host, pathname, search } = new URL(address);
  const parameters = search
    .slice(1)
    .split("&")
    .filter((parameter) => parameter !== "" && !TRACKING_PARAMETER.test(getName(parameter)));
  // Parameters of the same name keep their order, since it can have a meaning.
  const sorted = parameters.toSorted((a, b) => (getName(a) < getName(b) ? -1 : Number(getName(a) > getName(b))));
  return `${protocol}//${host}${pathname.replace(/\/$/, "")}${sorted.length === 0 ? "" : `?${sorted.join("&")}`}`;
}
