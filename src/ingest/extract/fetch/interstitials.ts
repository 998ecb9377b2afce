import type { FetchedResource } from "#domain/content/fetch.ts";
import type { IngestError } from "#domain/content/job.ts";
import { captcha, cookieWall } from "../sources/errors.ts";

/** Characters of a page that are looked at: bars are short pages, and say what they are in their head. */
const SCANNED_CHARACTERS = 60_000;
/** A page that is longer is no bar; of the others, so much has to be decoded. */
export const MAX_INTERSTITIAL_BYTES = 4 * SCANNED_CHARACTERS;
/** A page with more words than this is content, whatever scripts it carries: sites put their bot checks on ordinary pages too. */
const MAX_INTERSTITIAL_WORDS = 120;

/**
 * Marks of pages that ask for a human check, each of the product's own and only on such pages: Cloudflare, TikTok and ByteDance, Akamai,
 * DataDome, PerimeterX (HUMAN), Imperva, AWS WAF, Amazon, Google.
 */
const CHALLENGE =
  /_cf_chl_opt|id="challenge-(?:form|error-text|running)"|<title>\s*(?:just a moment|attention required! \| cloudflare)|_wafchallengeid|id="captcha_container"|tiktok-verify-page|id="sec-if-cpt-container"|\/_sec\/cp_challenge|[?&]bm-verify=|(?:geo|ct)\.captcha-delivery\.com|id="px-captcha|window\._pxAppId[\s\S]{0,600}captcha|_Incapsula_Resource\?[^"]{0,300}(?:incident_id|SWUDNSAI)|gokuProps|AwsWafIntegration\.(?:checkForceRefresh|saveReferrer)|action="\/errors\/validateCaptcha"|id="captcha-form" action="(?:index|\/sorry)/i;
/** Where Google asks for a human check. */
const CHALLENGE_ADDRESS = /^https:\/\/(?:[\w-]+\.)*google\.[a-z.]{2,6}\/sorry\//i;

/** Addresses at which publishers and platforms ask for consent before their content. */
const CONSENT_ADDRESS =
  /^https:\/\/(?:consent\.(?:google|youtube|yahoo)\.[a-z.]{2,6}|guce\.[\w.-]+|[\w.-]+\/v2\/collectConsent|(?:www\.)?myprivacy\.[\w.-]+|[\w-]*privacy-?gate\.[\w.-]+|[\w.-]+\/privacy-?(?:gate|wall)|cmp\.dpgmedia\.[a-z]{2,3}|consent\.[\w.-]+)(?:[/?#]|$)/i;
/** Forms that send a decision on consent there. */
const CONSENT_FORM =
  /action="(?:https:\/\/consent\.(?:google|youtube)\.|https:\/\/consent\.yahoo\.|https:\/\/guce\.|\/v2\/collectConsent)|<title>\s*before you continue/i;

const SCRIPTS = /<(script|style|noscript|template)\b[\s\S]*?(?:<\/\1\s*>|$)/gi;

/** Whether so little stands on the page that it may be a bar. */
function hasFewWords(html: string): boolean {
  const words = html
    .replace(SCRIPTS, " ")
    .replace(/<[^<>]*>/g, " ")
    .match(/[\p{L}\p{N}]{2,}/gu);
  return (words?.length ?? 0) <= MAX_INTERSTITIAL_WORDS;
}

/**
 * The bar that stands in place of a page: a human check (`captcha`, tried again later) or a question of consent (`cookie_wall`); null for
 * a page. `html` is null where the body is no page. A refusing status or the header of Cloudflare makes the marks alone enough; on a page
 * that was served as such they count only where nothing else is said.
 */
export function findInterstitial(service: string, { url, status, headers }: FetchedResource, html: string | null): IngestError | null {
  if (headers["cf-mitigated"] === "challenge" || CHALLENGE_ADDRESS.test(url)) return captcha(service);
  if (CONSENT_ADDRESS.test(url)) return cookieWall(service);
  if (html === null) return null;
  const start = html.slice(0, SCANNED_CHARACTERS);
  const [isChallenge, asksConsent] = [CHALLENGE.test(start), CONSENT_FORM.test(start)];
  if (!isChallenge && !asksConsent) return null;
  if (isChallenge && status >= 400) return captcha(service);
  if (html.length >= MAX_INTERSTITIAL_BYTES || !(asksConsent || hasFewWords(html))) return null;
  return isChallenge ? captcha(service) : cookieWall(service);
}
