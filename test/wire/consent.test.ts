import { expect, it } from "vitest";
import { openWire } from "./support/wire.ts";
import { SITE, page, open } from "./interstitial-site.ts";

const CONSENTS: readonly (readonly [string, string, string])[] = [
  [
    "Google",
    "https://consent.google.com/m?continue=https://maps.google.com/",
    page(
      "<title>Before you continue to Google</title>",
      `<h1>Before you continue to Google</h1><p>We use cookies and data to deliver and maintain services.</p><form action="https://consent.google.com/save" method="POST"><button>Accept all</button></form>`,
    ),
  ],
  [
    "Google in German",
    "https://consent.youtube.com/m?continue=x&hl=de",
    page("<title>YouTube</title>", `<h1>Bevor Sie zu YouTube weitergehen</h1><form action="https://consent.youtube.com/save"></form>`),
  ],
  [
    "Yahoo",
    "https://consent.yahoo.com/v2/collectConsent?sessionId=3_cc",
    page(
      "<title>Yahoo is part of the Yahoo family of brands</title>",
      `<p>${"We and our partners store and access information on a device. ".repeat(30)}</p><form action="/v2/collectConsent" method="post"></form>`,
    ),
  ],
  ["Yahoo's gate", "https://guce.yahoo.com/consent?brandType=eu", page("<title>Yahoo</title>", "<p>Loading</p>")],
  [
    "DPG Media",
    "https://myprivacy.dpgmedia.nl/consent?siteKey=x&callbackUrl=y",
    page(
      "<title>DPG Media Privacy Gate</title>",
      `<h1>Jouw privacy</h1><p>${"DPG Media gebruikt cookies en vergelijkbare technieken. ".repeat(30)}</p>`,
    ),
  ],
];

it.each(CONSENTS)("a page of %s that asks for consent is an error of its own, not thin content", async (_name, address, body) => {
  const { host } = new URL(address);
  const wire = await openWire({ "www.harbour.example": () => ({ status: 302, headers: { location: address } }), [host]: () => body });
  await expect(wire.ingest(SITE)).rejects.toMatchObject({
    code: "cookie_wall",
    retryable: false,
    message: expect.stringMatching(/consent to cookies.*Open the link in a browser and paste the text you need by hand\.$/),
  });
});

it("a page that asks for consent as plain text has a warning of its own", async () => {
  const wire = await open(
    page("<title>De Haven</title>", "<h1>De Haven</h1><p>De Haven gebruikt cookies. Kies wat je toestaat voordat je verdergaat.</p>"),
  );
  const { warnings } = await wire.ingest(SITE);
  expect(warnings.map(({ code }) => code)).toEqual(["cookie_wall"]);
});
