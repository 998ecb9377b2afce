import { expect, it } from "vitest";
import { findInterstitial } from "#ingest/extract/fetch/interstitials.ts";
import { type Answer, openWire, sample } from "./support/wire.ts";
import { SITE, page, open } from "./interstitial-site.ts";

const CHALLENGES: readonly (readonly [string, Answer])[] = [
  [
    "Cloudflare",
    {
      status: 403,
      headers: { "cf-mitigated": "challenge", "content-type": "text/html; charset=UTF-8" },
      body: page(
        "<title>Just a moment...</title>",
        `<noscript><span id="challenge-error-text">Enable JavaScript and cookies to continue</span></noscript><script>(function(){window._cf_chl_opt={cvId:'3',cType:'managed'};}());</script>`,
      ),
    },
  ],
  [
    "an older Cloudflare",
    {
      status: 503,
      body: page(
        "<title>Just a moment...</title>",
        `<h1>Checking your browser before accessing harbour.example.</h1><form id="challenge-form" action="/?__cf_chl_f_tk=x" method="POST"></form>`,
      ),
    },
  ],
  [
    "Akamai",
    page(
      "<title>&nbsp;</title>",
      `<div id="sec-if-cpt-container" role="main"><div id="sec-cpt-if" data-duration=5 provider="crypto"></div></div><script src="/_sec/cp_challenge/sec-4-1.js"></script>`,
    ),
  ],
  [
    "DataDome",
    {
      status: 403,
      body: page(
        "<title>harbour.example</title>",
        `<p id="cmsg">Please enable JS and disable any ad blocker</p><script>var dd={'rt':'c','cid':'AHrl','host':'geo.captcha-delivery.com'}</script><script src="https://ct.captcha-delivery.com/c.js"></script>`,
      ),
    },
  ],
  [
    "PerimeterX",
    {
      status: 403,
      body: page(
        "<title>Access to this page has been denied</title>",
        `<div id="px-captcha"></div><script>window._pxAppId = 'PXabc';</script><p>Press &amp; Hold to confirm you are a human.</p>`,
      ),
    },
  ],
  [
    "Amazon",
    page(
      "<title>Amazon.com</title>",
      `<h4>Enter the characters you see below</h4><p>Sorry, we just need to make sure you're not a robot.</p><form method="get" action="/errors/validateCaptcha"><input name="field-keywords"></form>`,
    ),
  ],
  [
    "AWS WAF",
    {
      status: 202,
      body: page(
        "<title></title>",
        `<div id="challenge-container"></div><script>window.gokuProps = {"key":"x"};AwsWafIntegration.checkForceRefresh()</script>`,
      ),
    },
  ],
  [
    "Imperva",
    page(
      `<meta name="ROBOTS" content="NOINDEX, NOFOLLOW">`,
      `<iframe id="main-iframe" src="/_Incapsula_Resource?SWUDNSAI=31&xinfo=1&incident_id=7-1"></iframe>`,
    ),
  ],
  ["TikTok's kind", page("", `Please wait...<p id="cs" class="eyJ2Ijp7fX0"></p><p id="wci" class="_wafchallengeid"></p>`)],
];

it.each(CHALLENGES)("a page of %s that asks for a human check is a retryable error of its own", async (_name, answer) => {
  const wire = await open(answer);
  await expect(wire.ingest(SITE)).rejects.toMatchObject({
    code: "captcha",
    retryable: true,
    message: "The site asked for a human check (a captcha), which a server can't pass. Paste the text by hand, or try again later.",
  });
});

it("a human check as plain text has a warning with advice", async () => {
  const wire = await open(
    page("<title>Security check</title>", "<h1>One more step</h1><p>Please verify that you are human to continue.</p>"),
  );
  const { warnings } = await wire.ingest(SITE);
  expect(warnings.map(({ code }) => code)).toContain("captcha");
  expect(warnings.find(({ code }) => code === "captcha")?.message).toMatch(/Paste the text by hand, or try again later\.$/);
});

it.each([
  ["page", () => sample("video/tiktok.challenge.html")],
  ["captcha page", () => page("<title>TikTok</title>", `<div id="captcha_container" class="tiktok-verify-page"></div>`)],
])("a human check of TikTok, as a %s, does not make the post count as missing", async (_name, challenge) => {
  const link = "https://www.tiktok.com/@harbour.lab/video/7301234567890123456";
  const refused = { status: 400, body: '{"code":400,"message":"Something went wrong"}' };
  const wire = await openWire({ "www.tiktok.com": ({ path }) => (path === "/oembed" ? refused : challenge()) });
  await expect(wire.ingest(link)).rejects.toMatchObject({
    code: "captcha",
    retryable: true,
    message: expect.stringMatching(/^TikTok asked for a human check/),
  });
});

const paragraph = (text: string): string => `<p>${text}</p>`;
const ARTICLES: readonly (readonly [string, string])[] = [
  [
    "captchas",
    Array.from({ length: 12 }, (_, n) =>
      paragraph(
        `${n}. A captcha asks visitors to verify that you are human: “Just a moment”, says Cloudflare, “checking your browser”. DataDome, PerimeterX and Akamai have checks of their own, and Amazon wants you to enter the characters you see in a picture.`,
      ),
    ).join(""),
  ],
  [
    "cookies",
    Array.from({ length: 12 }, (_, n) =>
      paragraph(
        `${n}. “Before you continue to Google”, the page says, “we use cookies and data”. Regulators found that many sites make it hard to refuse, while visitors accept all cookies without reading what the partners do with them.`,
      ),
    ).join(""),
  ],
];

it.each(ARTICLES)("an article about %s is read despite bot detection scripts of its site", async (_name, text) => {
  const scripts = `<script src="/cdn-cgi/challenge-platform/scripts/jsd/main.js"></script><script>window._cf_chl_opt={};window.awsWafCookieDomainList=[];AwsWafIntegration.saveReferrer()</script><script src="https://ct.captcha-delivery.com/tags.js"></script>`;
  const wire = await open(
    page(
      `<title>What they are for</title>${scripts}`,
      `<article><h1>What they are for</h1>${text}</article><form class="g-recaptcha"></form>`,
    ),
  );
  const { text: read, warnings } = await wire.ingest(SITE);
  expect(read).toContain("11. ");
  expect(warnings).toEqual([]);
});

it.each([
  ["whose title begins like a consent page", SITE, "Before you continue a legacy framework"],
  ["of a site on consent", "https://consent.harbour.example/guide", "What consent means"],
])("an article %s is read", async (_name, address, title) => {
  const text = Array.from({ length: 12 }, (_, n) =>
    paragraph(`${n}. The harbour keeps a list of every boat that asked for a berth this year.`),
  );
  const wire = await openWire({
    [new URL(address).host]: () => page(`<title>${title}</title>`, `<article><h1>${title}</h1>${text.join("")}</article>`),
  });
  expect((await wire.ingest(address)).text).toContain("11. The harbour keeps");
});

it("an article that does not exist, on a site with such scripts, counts as missing", async () => {
  const wire = await open({
    status: 404,
    body: page(`<title>Not found</title><script src="/cdn-cgi/challenge-platform/scripts/jsd/main.js"></script>`, "<p>Not here.</p>"),
  });
  await expect(wire.ingest(SITE)).rejects.toMatchObject({ code: "not_found" });
});

it("the detection of interstitials takes time proportional to the page, whatever it contains", () => {
  const resource = { url: SITE, status: 200, headers: {}, body: new Uint8Array(), truncated: false } as never;
  for (const piece of ["<", "<title> ", "</script ", "<script", "_Incapsula_Resource?", "window._pxAppId", "\u00e9"]) {
    const html = `<title>Just a moment</title>${piece.repeat(Math.floor(200_000 / piece.length))}`;
    const begun = performance.now();
    findInterstitial("The site", resource, html);
    // Quadratic time would take minutes.
    expect(performance.now() - begun, piece).toBeLessThan(5_000);
  }
});
