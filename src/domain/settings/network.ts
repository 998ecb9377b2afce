import { isIP } from "node:net";

const MAPPED = /^(?:0{0,4}:){1,5}(?:0{1,4}:)?ffff:(?:(\d{1,3}(?:\.\d{1,3}){3})|([\da-f]{1,4}):([\da-f]{1,4}))$/i;

/** Parses an IPv6 address into eight groups. A trailing IPv4 part becomes two zero groups, which are outside the /64. */
function parseGroups(address: string): number[] {
  const [head = "", tail] = address.replace(/\d{1,3}(?:\.\d{1,3}){3}$/, "0:0").split("::", 2);
  const read = (part: string): number[] => (part === "" ? [] : part.split(":").map((group) => Number.parseInt(group, 16)));
  const first = read(head);
  if (tail === undefined) return first;
  const last = read(tail);
  return [...first, ...Array.from({ length: Math.max(0, 8 - first.length - last.length) }, () => 0), ...last];
}

/**
 * Returns the network that log-in attempts are counted for: an IPv4 address, or the /64 of an IPv6 address, since one subscriber has at
 * least a /64. IPv4-mapped IPv6 counts as IPv4. All invalid addresses share one network, so that they can't evade the limit.
 */
export function getNetwork(address: string): string {
  const bare = address.trim().split("%", 1)[0] as string;
  if (isIP(bare) === 4) return bare;
  if (isIP(bare) !== 6) return "unknown";
  const mapped = MAPPED.exec(bare);
  if (mapped !== null) {
    const [, dotted, high = "", low = ""] = mapped;
    if (dotted !== undefined) return dotted;
    const [a, b] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
    return [a >> 8, a & 255, b >> 8, b & 255].join(".");
  }
  return `${parseGroups(bare)
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(":")}::/64`;
}
