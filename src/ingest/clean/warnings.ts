import type { TileWarning } from "#domain/content/tile.ts";
import type { Measure } from "./measure/measure.ts";
import { countWords } from "./text.ts";

/** A text of fewer words is not worth reading, and may be what stands in place of the content. */
export const THIN_WORDS = 60;
const SHORT_WORDS = 250;
/** With fewer words, even a whole page has hardly any content, and a request to log in anywhere on it is taken as the reason. */
const MIN_WHOLE_WORDS = 15;

const CAUSES: readonly { readonly code: string; readonly message: string; readonly pattern: RegExp }[] = [
  {
    code: "soft_404",
    message: "The site responded with a page that says that the content does not exist. Check the link.",
    pattern:
      /\b(?:page|content|article|post|video) (?:(?:was|is|has been|could|can|you(?:'|’)re looking for|you requested|you are looking for)\b.{0,40})?(?:not|no longer|n(?:'|’)t|removed|deleted)\b.{0,20}(?:found|exist|available|deleted|removed)?|\b(?:error )?404\b(?!\.\d)|seite nicht gefunden|page introuvable|página no encontrada/i,
  },
  {
    code: "javascript_required",
    message: "The page shows its content only to browsers that run scripts. Paste the text by hand to have all of it.",
    pattern:
      /\b(?:enable|turn on|activate|requires?|need)\b.{0,30}\bjava ?script\b|\bjava ?script\b.{0,30}\b(?:disabled|required|enabled|turned off)\b/i,
  },
  {
    code: "login_wall",
    message: "The page asks readers to log in, so only what is public was read. Paste the text by hand to have it all.",
    pattern:
      /\b(?:log|sign) ?in (?:to|or (?:sign|register|create))\b|\b(?:you must|please|need to) (?:be logged|log ?in|sign ?in|register)\b|\bcreate an account to\b|\bjoin now to\b/i,
  },
  {
    code: "paywall",
    message: "The page is for subscribers, so only its free beginning was read. Paste the text by hand to have it all.",
    pattern:
      /\bsubscri(?:be|ption|bers?)\b.{0,40}\b(?:to (?:continue|read|keep|unlock|access)|only|required)\b|\balready a subscriber\b|\b(?:continue|keep) reading (?:with|for)\b|\bfree articles?\b.{0,30}\b(?:left|remaining|limit|month)\b|\bunlock this (?:article|story|post)\b/i,
  },
  {
    code: "captcha",
    message: "The site asked for a human check (a captcha) in place of its content. Paste the text by hand, or try again later.",
    pattern:
      /\b(?:verify|confirm|prove)(?:ing)? (?:that )?you(?:'|’)?(?: are|re) (?:a )?(?:human|not a (?:ro)?bot)\b|\bchecking (?:if the site connection is secure|your browser)\b|\bcomplete the security check\b|\bunusual traffic from your (?:computer )?network\b|\bpress (?:and|&) hold to confirm\b|\benter the characters you see\b/i,
  },
  {
    code: "cookie_wall",
    message:
      "The page shows a question about cookies in place of its content. Open the link in a browser and paste the text by hand to have it.",
    pattern:
      /\b(?:we|and our partners)\b.{0,60}\buse cookies\b|\bour (?:\d+ )?partners\b.{0,60}\b(?:store|access|process)\b|\baccept (?:all )?cookies\b|\bcookie (?:settings|preferences|consent)\b|\bconsent to (?:the use of )?cookies\b|\bbefore you continue\b|\bwe value your privacy\b|\bavant (?:de continuer|d(?:'|’)accéder à)\b.{0,60}\b(?:google|youtube)|\bbevor (?:du|sie)\b.{0,40}\b(?:weitergeh|fortf)|\bvoordat je verdergaat\b|\bgebruik(?:t|en) cookies\b|\bverwenden (?:wir )?cookies\b|\butilisons des cookies\b|\butilizamos cookies\b|\butilizziamo (?:i )?cookie\b/i,
  },
];

/** With fewer words, nothing was read that the question about cookies could stand beside. */
const MIN_READ_WORDS = 5;
const ABOUT_CONSENT =
  /\b(?:cookies?|consent(?:imiento|imento|ement|ire|o)?|privacy|partners?|partnern|partenaires|socios|parceiros|personali[sz]ed (?:ads|advertising|content)|personal data|(?:accept|reject) all|geolocation|device|einwillig\w*|zustimm\w*|stimmen|akzeptier\w*|datenschutz\w*|personenbezogen\w*|données personnelles|accepte[rz]|toesta\w*|toestemming|persoonsgegevens|datos personales|dados pessoais|dati personali|acept\w+|accett\w+|aceit\w+)\b/iu;

/** Whether most words are in sentences about cookies and consent: the text is the question itself, not what it stands beside. */
function isMostlyAboutConsent(text: string): boolean {
  let [about, all] = [0, 0];
  for (const sentence of text.split(/\n+|(?<=[.!?])\s+/)) {
    const words = countWords(sentence);
    all += words;
    if (ABOUT_CONSENT.test(sentence)) about += words;
  }
  return about * 2 >= all;
}

type Evidence = {
  readonly text: string;
  readonly words: number;
  readonly title: string | null;
  readonly free: boolean;
  readonly measure: Measure;
};

/** Warnings that explain why a page has little text and what to do. Empty for pages with enough text. */
export function warnAboutThinPage(evidence: Evidence): TileWarning[] {
  const { text, words, title, free, measure } = evidence;
  const paywall = CAUSES.find((cause) => cause.code === "paywall");
  if (words > SHORT_WORDS) return free || words > 2 * SHORT_WORDS || !paywall ? [] : [{ code: paywall.code, message: paywall.message }];
  const start = text.slice(0, 20_000);
  // The whole page, with its menus, is searched only if little was read.
  const pageText = `${title ?? ""}\n${start}\n${measure.linear.slice(0, 4_000)}`;
  const found = CAUSES.filter((cause) => {
    if (cause.code === "soft_404") return words < 120 && cause.pattern.test(`${title ?? ""}\n${measure.heading ?? ""}`);
    if (cause.code === "paywall" && !free) return true;
    if (cause.code === "cookie_wall" && words >= MIN_READ_WORDS) return cause.pattern.test(start) && isMostlyAboutConsent(start);
    // Articles may mention captchas and scripts; a page that asks for them has little other text.
    if ((cause.code === "captcha" || cause.code === "javascript_required") && words >= THIN_WORDS) return false;
    if (cause.code === "login_wall" && measure.passwordFields > 0 && words < THIN_WORDS) return true;
    // Comment boxes of short pages and threads ask readers to log in too.
    if (cause.code === "login_wall" && words >= MIN_WHOLE_WORDS) return cause.pattern.test(`${title ?? ""}\n${start}`);
    return cause.pattern.test(words < THIN_WORDS ? pageText : `${title ?? ""}\n${start}`);
  }).map(({ code, message }) => ({ code, message }));
  if (found.length > 0 || words >= THIN_WORDS) return found;
  if (measure.scripts >= 2 && words < 15) {
    const script = CAUSES.find((cause) => cause.code === "javascript_required");
    if (script) return [{ code: script.code, message: script.message }];
  }
  // A page without words fails, and its error says what to do. A short page of which most was read is not incomplete.
  if (words === 0 || (words >= MIN_WHOLE_WORDS && words * 2 >= countWords(measure.linear))) return [];
  return [
    { code: "thin_content", message: "Only a few words were found on the page. Open the link to see whether it shows more in a browser." },
  ];
}
