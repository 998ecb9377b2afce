import type { FetchedResource } from "#domain/content/fetch.ts";
import type { IngestError } from "#domain/content/job.ts";
import { captchaError, cookieWallError, loginWallError } from "../sources/errors.ts";

/** Interstitials are short and have their marks at the start, so only this much is scanned. */
const SCANNED_CHARACTERS = 60_000;
/** Bytes that have to be decoded to recognise an interstitial; a longer page is none. */
export const MAX_INTERSTITIAL_BYTES = 4 * SCANNED_CHARACTERS;
/** A page with more words is content, even with bot-check scripts: sites add those to ordinary pages too. */
const MAX_INTERSTITIAL_WORDS = 120;

/**
 * Marks of bot-check pages, each specific to its product: Cloudflare, TikTok and ByteDance, Akamai, DataDome, PerimeterX (HUMAN),
 * Imperva, AWS WAF, Amazon, Google.
 */
const CHALLENGE =
  /_cf_chl_opt|id="challenge-(?:form|error-text|running)"|<title>\s*(?:just a moment|attention required! \| cloudflare)|_wafchallengeid|id="captcha_container"|tiktok-verify-page|id="sec-if-cpt-container"|\/_sec\/cp_challenge|[?&]bm-verify=|(?:geo|ct)\.captcha-delivery\.com|id="px-captcha|window\._pxAppId[\s\S]{0,600}captcha|_Incapsula_Resource\?[^"]{0,300}(?:incident_id|SWUDNSAI)|gokuProps|AwsWafIntegration\.(?:checkForceRefresh|saveReferrer)|action="\/errors\/validateCaptcha"|id="captcha-form" action="(?:index|\/sorry)/i;
/** Addresses of Google's human check. */
const CHALLENGE_ADDRESS = /^https:\/\/(?:[\w-]+\.)*google\.[a-z.]{2,6}\/sorry\//i;

/** Addresses where publishers and platforms ask for consent. */
const CONSENT_ADDRESS =
  /^https:\/\/(?:consent\.(?:google|youtube|yahoo)\.[a-z.]{2,6}|guce\.[\w.-]+|[\w.-]+\/v2\/collectConsent|(?:www\.)?myprivacy\.[\w.-]+|[\w-]*privacy-?gate\.[\w.-]+|[\w.-]+\/privacy-?(?:gate|wall)|cmp\.dpgmedia\.[a-z]{2,3})(?:[/?#]|$)/i;
/** Forms that send the decision on consent. */
const CONSENT_FORM =
  /action="(?:https:\/\/consent\.(?:google|youtube)\.|https:\/\/consent\.yahoo\.|https:\/\/guce\.|\/v2\/collectConsent)/i;
/** Other signs that a page may only ask for consent. An article can have them too. */
const CONSENT_TITLE = /<title>\s*before you continue/i;
const CONSENT_HOST = /^https:\/\/consent\./i;

const SCRIPTS = /<(script|style|template)\b[\s\S]*?(?:<\/\1\s*>|$)/gi;

/** Whether the page has so few words that it may be an interstitial. */
function hasFewWords(html: string): boolean {
  const words = html
    .replace(SCRIPTS, " ")
    .replace(/<[^<>]*>/g, " ")
    .match(/[\p{L}\p{N}]{2,}/gu);
  return (words?.length ?? 0) <= MAX_INTERSTITIAL_WORDS;
}

/**
 * Recognises a page that replaces the content: a human check (`captcha`, retryable) or a consent page (`cookie_wall`); null for any
 * other page. `html` is null where the body is not HTML. With an error status or Cloudflare's header a mark suffices; on a page with
 * status 200 it counts only if there is little other text.
 */
export function findInterstitial(service: string, { url, status, headers }: FetchedResource, html: string | null): IngestError | null {
  if (headers["cf-mitigated"] === "challenge" || CHALLENGE_ADDRESS.test(url)) return captchaError(service);
  if (CONSENT_ADDRESS.test(url)) return cookieWallError(service);
  if (html === null) return null;
  const start = html.slice(0, SCANNED_CHARACTERS);
  const [isChallenge, hasConsentForm] = [CHALLENGE.test(start), CONSENT_FORM.test(start)];
  if (!isChallenge && !hasConsentForm && !CONSENT_TITLE.test(start) && !CONSENT_HOST.test(url)) return null;
  if (isChallenge && status >= 400) return captchaError(service);
  if (html.length >= MAX_INTERSTITIAL_BYTES || !(hasConsentForm || hasFewWords(html))) return null;
  return isChallenge ? captchaError(service) : cookieWallError(service);
}

/** Broader marks than `CHALLENGE`, for services and feeds, where an ordinary response has none of them. */
const SERVICE_CHALLENGE =
  /g-recaptcha|h-captcha|hcaptcha\.com|id="captcha|_wafchallengeid|cf_chl_opt|challenge-platform|<title>\s*(?:just a moment|attention required)|px-captcha/i;
const SERVICE_CONSENT = /^https:\/\/consent\.|<title>\s*before you continue|action="https:\/\/consent\./i;
const LOGIN_PATH = /\/(?:login|signin|sign_in|checkpoint|authwall|accounts\/login|uas\/login)(?:[/?.#]|$)/i;

/** Recognises a human check, consent page or login page of a known service; null for any other page. */
export function findServiceInterstitial(service: string, address: string, html: string): IngestError | null {
  const start = html.slice(0, SCANNED_CHARACTERS);
  if (SERVICE_CONSENT.test(address) || SERVICE_CONSENT.test(start)) return cookieWallError(service);
  if (/_wafchallengeid|tiktok-verify-page|id="captcha_container"/.test(start)) return captchaError(service);
  if (SERVICE_CHALLENGE.test(start)) return captchaError(service);
  return LOGIN_PATH.test(new URL(address).pathname) ? loginWallError(service) : null;
}
