import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/**
 * Returns the network that log-in attempts are counted for: an IPv4 address, or the /64 of an IPv6 address, since one subscriber has at
 * least a /64. IPv4-mapped IPv6 counts as IPv4. All invalid addresses share one network, so that they can't evade the limit.
 */
export function getNetwork(address: string): string {
  const bare = address.trim().split("%", 1)[0] as string;
  if (isIP(bare) === 0) return "unknown";
  const ip = ipaddr.process(bare);
  if (ip instanceof ipaddr.IPv4) return ip.toString();
  const groups = ip.parts.slice(0, 4).map((group) => group.toString(16));
  return `${groups.join(":")}::/64`;
}
