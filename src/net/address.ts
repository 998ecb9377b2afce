import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/**
 * Closed ranges that ipaddr.js calls unicast: Azure's WireServer, a public address that is reachable only from inside a virtual machine, and
 * the 6bone, which was given back (RFC 3701).
 */
const CLOSED = [ipaddr.parseCIDR("168.63.129.16/32"), ipaddr.parseCIDR("3ffe::/16")];
/** The only block of IPv6 from which global unicast addresses are assigned (RFC 4291, section 2.4). */
const GLOBAL_UNICAST = ipaddr.parseCIDR("2000::/3");

/**
 * Whether an address literal (dotted IPv4, or IPv6 without brackets) is globally routable. Returns false for special-purpose ranges,
 * every form of an IPv4 address inside IPv6 (mapped, compatible, SIIT, NAT64, 6to4, Teredo, ISATAP), zone ids, and invalid addresses.
 * Source: the IANA IPv4 and IPv6 Special-Purpose Address Registries (RFC 6890).
 */
export function isPublicAddress(ip: string): boolean {
  // ipaddr.js also reads octal and hexadecimal numbers, short forms, and surplus colons.
  if (isIP(ip) === 0 || ip.includes("%")) return false;
  const address = ipaddr.parse(ip);
  if (address.range() !== "unicast" || ipaddr.subnetMatch(address, { closed: CLOSED }) === "closed") return false;
  return address instanceof ipaddr.IPv4 || (address.match(GLOBAL_UNICAST) && !isIsatap(address.parts));
}

/** ISATAP (RFC 5214) can have any prefix and is recognised by its interface identifier. */
const isIsatap = ([, , , , flags, organisation]: readonly number[]): boolean => (flags === 0 || flags === 0x200) && organisation === 0x5efe;
