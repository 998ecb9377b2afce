export type Answers = readonly string[] | readonly (readonly string[])[];
export type Case = {
  readonly id: string;
  readonly url: string;
  readonly verdict: string;
  readonly dns?: Readonly<Record<string, Answers>>;
  readonly redirect?: { readonly status: number; readonly location?: string; readonly body?: string };
};

const PUBLIC = ["93.184.216.34"];
const LOOPBACK_NOTATIONS = [
  ...["127.1", "0x7f.1", "0x7f000001", "0177.0.0.01", "2130706433", "127.000.000.001", "127.0.0.1.", "127.9.8.7", "127%2e0%2e0%2e1"],
  ...["127。0。0。1", "１２７.0.0.1", "app.localhost", "u:p@127.0.0.1", "public.test@127.0.0.1"],
  ...["[::1]", "[::]", "[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::ffff:0:127.0.0.1]", "[64:ff9b::7f00:1]"],
];
const PRIVATE_HOSTS = [
  ...["0.1.2.3", "10.1.2.3", "172.16.0.1", "192.168.0.1", "100.64.0.1", "169.254.169.254", "0251.0376.0251.0376", "168.63.129.16"],
  ...["192.0.0.192", "192.88.99.1", "198.51.100.1", "224.0.0.1", "255.255.255.255"],
  ...[
    "[::ffff:10.0.0.1]",
    "[64:ff9b::808:808]",
    "[2002:a00:1::1]",
    "[fd00:ec2::254]",
    "[fe80::1]",
    "[3fff::1]",
    "[5f00::1]",
    "[2001:2::1]",
  ],
];

const addressCase = (id: string, url: string, verdict: string, dns?: Case["dns"], redirect?: Case["redirect"]): Case => ({
  id,
  url,
  verdict,
  ...(dns && { dns }),
  ...(redirect && { redirect }),
});

/** What the guard must decide at the connection: DNS answers, redirects, and addresses in every notation. url.test.ts covers parsing. */
export const CASES: readonly Case[] = [
  ...LOOPBACK_NOTATIONS.map((host) => addressCase("a notation of loopback", `http://${host}:{port}/`, "block")),
  ...PRIVATE_HOSTS.map((host) => addressCase("a private address", `http://${host}/`, "block")),
  ...[301, 303, 307, 308].map((status) =>
    addressCase(
      `a redirect by ${status}`,
      "http://p.test/",
      "block",
      { "p.test": PUBLIC },
      { status, location: "http://127.0.0.1:{port}/" },
    ),
  ),
  addressCase(
    "a redirect without a scheme to IPv6 loopback",
    "http://p.test/",
    "block",
    { "p.test": PUBLIC },
    { status: 302, location: "//[::1]:{port}/" },
  ),
  addressCase("a redirect to a file", "http://p.test/", "block", { "p.test": PUBLIC }, { status: 302, location: "file:///etc/hostname" }),
  addressCase("a redirect to itself", "http://p.test/", "block", { "p.test": PUBLIC }, { status: 302, location: "http://p.test/" }),
  addressCase(
    "a page that names an oEmbed address on loopback",
    "http://p.test/",
    "block",
    { "p.test": PUBLIC },
    { status: 200, body: "<link rel=alternate type='application/json+oembed' href='http://127.0.0.1:{port}/'>" },
  ),
  addressCase("a name of the address of cloud metadata", "http://a.test/", "block", { "a.test": ["169.254.169.254"] }),
  addressCase("a public literal as an integer", "http://134744072/", "allow"),
  addressCase("a neighbour of private addresses", "http://172.32.0.1/", "allow"),
  addressCase("a public name that begins like a private address", "http://10.0.0.1.a.test/", "allow", { "10.0.0.1.a.test": PUBLIC }),
  addressCase("a name of loopback", "http://a.test:{port}/", "block", { "a.test": ["127.0.0.1"] }),
  addressCase("a name of IPv6 loopback", "http://a.test:{port}/", "block", { "a.test": ["::1"] }),
  addressCase("a name of 0.0.0.0", "http://a.test:{port}/", "block", { "a.test": ["0.0.0.0"] }),
  addressCase("a name of ::", "http://a.test:{port}/", "block", { "a.test": ["::"] }),
  addressCase("a name of a mapped address", "http://a.test:{port}/", "block", { "a.test": ["::ffff:7f00:1"] }),
  addressCase("a name of Azure's WireServer", "http://a.test/", "block", { "a.test": ["168.63.129.16"] }),
  addressCase("a name of a link-local address with a zone", "http://a.test:{port}/", "block", { "a.test": ["fe80::1%lo"] }),
  addressCase("a mixed answer, inner first", "http://a.test:{port}/", "block", { "a.test": ["127.0.0.1", ...PUBLIC] }),
  addressCase("a mixed answer, inner last", "http://a.test:{port}/", "block", { "a.test": [...PUBLIC, "::1"] }),
  addressCase("an answer that is no address", "http://a.test:{port}/", "block", { "a.test": ["localhost"] }),
  addressCase("a rebinding name", "http://a.test:{port}/", "block", { "a.test": [["127.0.0.1"], PUBLIC] }),
  addressCase(
    "a redirect to a name of loopback",
    "http://p.test/",
    "block",
    { "p.test": PUBLIC, "in.test": ["127.0.0.1"] },
    { status: 302, location: "http://in.test:{port}/" },
  ),
  addressCase(
    "a redirect with a backslash",
    "http://p.test/",
    "block",
    { "p.test": PUBLIC },
    { status: 302, location: "\\\\127.0.0.1:{port}\\" },
  ),
  addressCase(
    "a redirect to credentials",
    "http://p.test/",
    "block",
    { "p.test": PUBLIC },
    { status: 302, location: "http://u:p@p.test/" },
  ),
  addressCase(
    "a redirect to another port of itself",
    "http://p.test/",
    "block",
    { "p.test": PUBLIC },
    { status: 302, location: "//p.test:6379/" },
  ),
  addressCase(
    "a redirect to an integer",
    "http://p.test/",
    "block",
    { "p.test": PUBLIC },
    { status: 307, location: "http://2130706433:{port}/" },
  ),
  addressCase(
    "a redirect to javascript:",
    "http://p.test/",
    "block",
    { "p.test": PUBLIC },
    { status: 302, location: "javascript:alert(1)" },
  ),
  addressCase("a public name", "http://a.test/", "allow", { "a.test": PUBLIC }),
  addressCase("a public name of IPv6 and IPv4", "https://a.test:8443/", "allow", { "a.test": ["2606:2800:220:1::1", ...PUBLIC] }),
  addressCase("a public literal", "https://[2606:4700:4700::1111]/", "allow"),
];
