import { expect, it } from "vitest";
import { cleanPage } from "#ingest/clean/page.ts";

const warns = (html: string): boolean =>
  cleanPage({ html, url: "https://harbour.example/page" }).warnings.some(({ code }) => code === "cookie_wall");

const page = (title: string, body: string): string => `<html><head><title>${title}</title></head><body>${body}</body></html>`;
const banner = (text: string, attributes = 'class="cookie-banner"'): string =>
  `<div ${attributes}><p>${text}</p><button>Accept all cookies</button><button>Cookie settings</button></div>`;
const ENGLISH = "We and our partners use cookies to personalise content and ads. We value your privacy.";
const menu = '<nav><a href="/">Home</a> <a href="/about">About</a> <a href="/contact">Contact</a></nav>';

/** Short pages whose text was read, with an ordinary banner beside it. */
const READ: readonly (readonly [string, string])[] = [
  [
    "opening hours, with a banner below",
    page(
      "Harbour office",
      `<main><h1>Harbour office</h1><p>The harbour office is open from Monday to Friday, nine to five. Call the keeper at other times.</p></main>${banner(ENGLISH)}`,
    ),
  ],
  [
    "opening hours, with a banner above that has no class",
    page(
      "Harbour office",
      `${banner(ENGLISH, "")}<h1>Harbour office</h1><p>The harbour office is open from Monday to Friday, nine to five. Call the keeper at other times. Boats longer than twelve metres need a place booked ahead, and pay at the office before they leave.</p>`,
    ),
  ],
  [
    "a recipe card",
    page(
      "Fish soup",
      `${menu}<article><h1>Fish soup</h1><ul><li>500 g of cod</li><li>two onions</li><li>one lemon</li></ul><p>Cook it for twenty minutes, and serve it with bread.</p></article>${banner("This site uses cookies. Accept cookies to continue.")}`,
    ),
  ],
  [
    "a product page",
    page(
      "Lantern",
      `${menu}<div id="product"><h1>Brass lantern</h1><p>A lantern of solid brass with a glass of borosilicate. 34 cm high, 2.1 kg.</p><p>Price: 129 euros. Ships in three days.</p></div>${banner("We use cookies to improve your experience.", 'id="onetrust-banner-sdk"')}`,
    ),
  ],
  [
    "an event",
    page(
      "Concert",
      `<main><h1>Concert at the pier</h1><p>Saturday, 14 June, at eight in the evening. Tickets cost twelve euros at the door.</p></main><div role="dialog" aria-label="cookies">${banner(ENGLISH, "")}</div>`,
    ),
  ],
  [
    "a German contact page",
    page(
      "Kontakt",
      `<main><h1>Kontakt</h1><p>Hafenamt Nordstrand, Am Kai 3, 25845 Nordstrand. Sie erreichen uns werktags von 9 bis 16 Uhr.</p></main><div class="cc"><p>Auf dieser Seite verwenden wir Cookies, um Inhalte zu personalisieren.</p><button>Alle akzeptieren</button></div>`,
    ),
  ],
  [
    "a French page",
    page(
      "Marée",
      `<main><h1>Horaires des marées</h1><p>La marée haute arrive à sept heures douze, et la marée basse à treize heures trente.</p></main><div><p>Nous utilisons des cookies pour mesurer l'audience.</p><button>Tout accepter</button></div>`,
    ),
  ],
  [
    "a Dutch page",
    page(
      "Veerboot",
      `<main><h1>Veerboot</h1><p>De veerboot vaart elk uur, en op zondag elke twee uur. Honden varen gratis mee.</p></main><aside><p>Deze site gebruikt cookies om beter te werken.</p></aside>`,
    ),
  ],
  [
    "a Spanish page",
    page(
      "Faro",
      `<main><h1>El faro</h1><p>El faro mide cuarenta y un metros y se puede visitar los sábados por la mañana.</p></main><section><p>Utilizamos cookies propias y de terceros.</p><a href="#">Aceptar</a></section>`,
    ),
  ],
  [
    "a note on a recipe for biscuits",
    page(
      "Cookies",
      "<main><h1>Oat cookies</h1><p>Mix oats, butter and sugar, and bake the cookies for twelve minutes. They keep for a week in a tin.</p></main>",
    ),
  ],
  [
    "an article about a consent law",
    page(
      "Consent law",
      `<main><h1>New rules for consent banners</h1><p>From May on, the authority fines sites which make refusing harder than accepting. Consent to cookies must be as easy to withdraw as to give, the court in Luxembourg decided. Publishers have a year to change their banners, and small shops two years.</p></main>`,
    ),
  ],
  [
    "a footer link to the settings",
    page(
      "Tide tables",
      `<main><h1>Tide tables</h1><p>High water at the northern pier is at six in the morning and at half past six in the evening.</p></main><footer><a href="/privacy">Privacy</a> <a href="/cookies">Cookie settings</a></footer>`,
    ),
  ],
];

/** Pages whose content is the question. */
const WALLS: readonly (readonly [string, string])[] = [
  ["a sentence with buttons", page("Site", "<p>We and our partners use cookies. Accept all cookies or leave.</p>")],
  ["a banner alone", page("The Harbour Times", banner(ENGLISH))],
  [
    "a long dialog of purposes",
    page(
      "The Harbour Times",
      `<div role="dialog"><h1>We value your privacy</h1><p>We and our 842 partners store and/or access information on a device, such as cookies, and process personal data for personalised advertising and content, advertising and content measurement, audience research and services development.</p><p>With your permission we and our partners may use precise geolocation data and identification through device scanning.</p><p>You may click to consent to our processing as described above.</p><button>Accept all</button><button>More options</button></div>`,
    ),
  ],
  [
    "a menu and the question",
    page(
      "The Harbour Times",
      `${menu}<main><h1>Your choice</h1><p>To read on, accept all cookies and advertising, or take a subscription without tracking for 3 euros a month.</p><p>We use cookies and process personal data with our partners. Details are in our privacy policy.</p></main>`,
    ),
  ],
  [
    "a German question",
    page(
      "Hafenblatt",
      "<main><h1>Hafenblatt mit Werbung lesen</h1><p>Wir und unsere Partner verwenden Cookies. Um fortzufahren, stimmen Sie der Nutzung von Cookies und der Verarbeitung personenbezogener Daten zu.</p><button>Zustimmen</button></main>",
    ),
  ],
  ["a Dutch question", page("De Haven", "<h1>De Haven</h1><p>De Haven gebruikt cookies. Kies wat je toestaat voordat je verdergaat.</p>")],
  [
    "a French question",
    page(
      "Le Port",
      "<main><p>Nous utilisons des cookies et traitons vos données personnelles avec nos partenaires. Acceptez ou abonnez-vous pour continuer.</p></main>",
    ),
  ],
  [
    "a Spanish question",
    page(
      "El Puerto",
      "<main><p>Utilizamos cookies propias y de terceros para mostrarte publicidad personalizada. Acepta las cookies o suscríbete para continuar.</p></main>",
    ),
  ],
  [
    "an Italian question",
    page(
      "Il Porto",
      "<main><p>Noi e i nostri partner utilizziamo i cookie per trattare dati personali. Accetta i cookie o abbonati per continuare.</p></main>",
    ),
  ],
  [
    "a question before the site",
    page(
      "Before you continue",
      "<main><h1>Before you continue</h1><p>We use cookies and data to deliver and maintain services. If you choose to accept all, we will also use cookies and data to show personalised ads.</p><button>Reject all</button><button>Accept all</button></main>",
    ),
  ],
];

it.each(READ)("%s has no warning", (_name, html) => {
  expect(warns(html)).toBe(false);
});

it.each(WALLS)("%s is a cookie wall", (_name, html) => {
  expect(warns(html)).toBe(true);
});
