import { IngestError } from "#domain/content/job.ts";

/** Codes by severity. Users see the most severe error of all sources. */
const PERMANENT_CODES = ["private", "not_found", "region_locked", "not_started", "members_only"] as const;
const ACCESS_CODES = [
  "age_restricted",
  "login_wall",
  "paywall",
  "captcha",
  "cookie_wall",
  "rate_limited",
  "forbidden",
  "source_changed",
  "program_failed",
] as const;
const SEVERITY_ORDER: readonly string[] = [...PERMANENT_CODES, ...ACCESS_CODES];

/** Whether the site says that the content is not available from any source. An HTTP status alone is not enough. */
export const isPermanent = ({ code, stage }: IngestError): boolean =>
  stage === "extract" && (PERMANENT_CODES as readonly string[]).includes(code);

/** Ranks an error by severity; 0 is the most severe. */
export const rankSeverity = ({ code }: IngestError): number => {
  const index = SEVERITY_ORDER.indexOf(code);
  return index < 0 ? SEVERITY_ORDER.length : index;
};

/** Codes that become warnings of an incomplete result. */
export const WARNING_CODES: ReadonlySet<string> = new Set(ACCESS_CODES.filter((code) => code !== "forbidden"));

const PASTE_ADVICE = "Paste the text you need by hand.";

const createError = (
  code: (typeof PERMANENT_CODES)[number] | (typeof ACCESS_CODES)[number],
  message: string,
  more: { retryable?: boolean; retryAfterSeconds?: number } = {},
): IngestError => new IngestError(code, message, { stage: "extract", ...more });

/** The content was deleted or never existed. `what` begins the message, such as "This video". */
export const notFoundError = (what: string): IngestError =>
  createError("not_found", `${what} does not exist or was deleted. Check the link.`);

/** Only some people may see the content. */
export const privateError = (what: string): IngestError =>
  createError("private", `${what} is private. Ask its owner to make it public or unlisted, or paste its text.`);

export const regionLockedError = (what: string): IngestError =>
  createError("region_locked", `${what} may not be shown in the country of this server. ${PASTE_ADVICE}`);

/** A live stream or premiere that has not started. */
export const notStartedError = (what: string): IngestError =>
  createError("not_started", `${what} has not started yet. Retry when it is over.`);

export const membersOnlyError = (what: string): IngestError =>
  createError("members_only", `${what} is for paying members only. ${PASTE_ADVICE}`);

export const ageRestrictedError = (what: string): IngestError =>
  createError("age_restricted", `${what} is shown only to people who log in and are of age. ${PASTE_ADVICE}`);

/** The site shows the content, or all content, only after a login. */
export const loginWallError = (service: string): IngestError =>
  createError("login_wall", `${service} shows this only to people who are logged in. ${PASTE_ADVICE}`);

export const captchaError = (service: string): IngestError =>
  createError(
    "captcha",
    `${service} asked for a human check (a captcha), which a server can't pass. Paste the text by hand, or try again later.`,
    { retryable: true },
  );

export const cookieWallError = (service: string): IngestError =>
  createError(
    "cookie_wall",
    `${service} asks for consent to cookies before it shows anything, which only a person can give. Open the link in a browser and paste the text you need by hand.`,
  );

/** The response has an unknown format. */
export const sourceChangedError = (service: string, cause?: unknown): IngestError =>
  new IngestError("source_changed", `${service} responded in an unknown format. Update Tessera, or paste the text by hand.`, {
    stage: "extract",
    ...(cause === undefined ? {} : { cause }),
  });
