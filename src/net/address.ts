import { BlockList } from "node:net";

/**
 * IPv4 ranges that do not serve public pages: the IANA IPv4 Special-Purpose Address Registry, multicast
 * (RFC 5771), the reserved class E, and Azure's WireServer, a public address that is reachable only from inside a virtual machine.
 */
const CLOSED_V4: readonly (readonly [network: string, prefix: number])[] = [
  ["0.0.0.0", 8], // "this network", RFC 791
  ["10.0.0.0", 8], // private, RFC 1918
  ["100.64.0.0", 10], // carrier-grade NAT, RFC 6598 (Alibaba's metadata too)
  ["127.0.0.0", 8], // loopback, RFC 1122
  ["168.63.129.16", 32], // Azure WireServer
  ["169.254.0.0", 16], // link-local, RFC 3927 (cloud metadata)
  ["172.16.0.0", 12], // private, RFC 1918
  ["192.0.0.0", 24], // IETF protocol assignments, RFC 6890 (Oracle's metadata too)
  ["192.0.2.0", 24], // TEST-NET-1, RFC 5737
  ["192.31.196.0", 24], // AS112, RFC 7535
  ["192.52.193.0", 24], // AMT, RFC 7450
  ["192.88.99.0", 24], // 6to4 relay, RFC 7526
  ["192.168.0.0", 16], // private, RFC 1918
  ["192.175.48.0", 24], // AS112, RFC 7534
  ["198.18.0.0", 15], // benchmarking, RFC 2544
  ["198.51.100.0", 24], // TEST-NET-2, RFC 5737
  ["203.0.113.0", 24], // TEST-NET-3, RFC 5737
  ["224.0.0.0", 4], // multicast, RFC 5771
  ["240.0.0.0", 4], // reserved and broadcast, RFC 1112
];

/** Ranges inside the global unicast block 2000::/3 that are not public. Everything outside that block is refused. */
const CLOSED_V6: readonly (readonly [network: string, prefix: number])[] = [
  ["2001::", 23], // IETF assignments: Teredo, benchmarking, ORCHID, drones; RFC 2928
  ["2001:db8::", 32], // documentation, RFC 3849
  ["2002::", 16], // 6to4 carries an IPv4 address, RFC 3056
  ["2620:4f:8000::", 48], // AS112, RFC 7534
  ["3ffe::", 16], // the 6bone, given back, RFC 3701
  ["3fff::", 20], // documentation, RFC 9637
];

const openV6 = new BlockList();
openV6.addSubnet("2000::", 3, "ipv6");
const closedV4 = new BlockList();
for (const [network, prefix] of CLOSED_V4) closedV4.addSubnet(network, prefix, "ipv4");
const closedV6 = new BlockList();
for (const [network, prefix] of CLOSED_V6) closedV6.addSubnet(network, prefix, "ipv6");

/**
 * Whether an address literal (dotted IPv4, or IPv6 without brackets) is globally routable. Returns false for special-purpose ranges,
 * every form of an IPv4 address inside IPv6 (mapped, compatible, SIIT, NAT64, 6to4, Teredo, ISATAP), zone ids, and invalid addresses.
 * Source: the IANA IPv4 and IPv6 Special-Purpose Address Registries (RFC 6890).
 */
export const isPublicAddress = (ip: string): boolean => {
  const v4 = parseV4(ip);
  if (v4 !== null) return !closedV4.check(v4.join("."), "ipv4");
  const groups = parseV6(ip);
  if (groups === null) return false;
  const canonical = groups.map((group) => group.toString(16)).join(":");
  if (!openV6.check(canonical, "ipv6") || closedV6.check(canonical, "ipv6")) return false;
  // ISATAP (RFC 5214) can have any prefix and is recognised by its interface identifier.
  return !((groups[4] === 0 || groups[4] === 0x200) && groups[5] === 0x5efe);
};

/** Parses four decimal numbers without leading zeros. The URL parser has normalised other notations. */
const parseV4 = (ip: string): number[] | null => {
  const parts = ip.split(".");
  if (parts.length !== 4) return null;
  const bytes: number[] = [];
  for (const part of parts) {
    if (!/^(?:0|[1-9]\d{0,2})$/.test(part) || Number(part) > 255) return null;
    bytes.push(Number(part));
  }
  return bytes;
};

/** Parses IPv6 text (RFC 4291, section 2.2) into eight groups. Returns null for invalid text and for zone ids. */
const parseV6 = (ip: string): number[] | null => {
  if (!/^[0-9a-f:.]{2,45}$/i.test(ip)) return null;
  const halves = ip.split("::");
  if (halves.length > 2) return null;
  const head = readGroups(halves[0] ?? "", halves.length === 1);
  const tail = readGroups(halves[1] ?? "", true);
  if (head === null || tail === null) return null;
  if (halves.length === 1) return head.length === 8 ? head : null;
  const missing = 8 - head.length - tail.length;
  return missing < 1 ? null : [...head, ...Array.from({ length: missing }, () => 0), ...tail];
};

/** Parses the groups on one side of "::". Only the end of an address may be dotted IPv4. */
const readGroups = (text: string, atEnd: boolean): number[] | null => {
  if (text === "") return [];
  const parts = text.split(":");
  const groups: number[] = [];
  for (const [index, part] of parts.entries()) {
    if (/^[0-9a-f]{1,4}$/i.test(part)) {
      groups.push(Number.parseInt(part, 16));
      continue;
    }
    const v4 = atEnd && index === parts.length - 1 ? parseV4(part) : null;
    if (v4 === null) return null;
    const [a = 0, b = 0, c = 0, d = 0] = v4;
    groups.push(a * 256 + b, c * 256 + d);
  }
  return groups;
};
