/** The normalised URL if it is safe to link to, otherwise null: http or https without credentials, which can disguise the host. */
export function getSafeUrl(value: string | null | undefined): string | null {
  const url = parse(value);
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) return null;
  return url.username === "" && url.password === "" ? url.href : null;
}

/** The host without `www.`; empty for an invalid URL. */
export const getHost = (address: string): string => parse(address)?.hostname.replace(/^www\./, "") ?? "";

/** The URL of the same video or audio starting at `seconds`; null if the host does not support it. */
export function getUrlAtTime(address: string | null, seconds: number): string | null {
  const url = parse(getSafeUrl(address));
  if (url === null || !Number.isFinite(seconds) || seconds < 0) return null;
  const whole = Math.floor(seconds);
  const host = url.hostname.replace(/^(?:www|m|music)\./, "");
  const query = QUERY[host];
  if (query !== undefined) {
    url.searchParams.set(query, host === "youtube.com" || host === "youtu.be" ? `${whole}s` : String(whole));
    return url.href;
  }
  if (host === "vimeo.com") url.hash = `t=${whole}s`;
  else if (host === "soundcloud.com") url.hash = `t=${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
  else if (host === "twitch.tv") url.searchParams.set("t", `${whole}s`);
  else if (MEDIA_FILE.test(url.pathname)) url.hash = `t=${whole}`;
  else return null;
  return url.href;
}

/** Hosts that take the start time as a query parameter, and its name. */
const QUERY: Readonly<Record<string, string>> = {
  "youtube.com": "t",
  "youtu.be": "t",
  "dailymotion.com": "start",
  "dai.ly": "start",
  "loom.com": "t",
  "open.spotify.com": "t",
};

/** Browsers' media players support `#t=` (W3C Media Fragments, 4.2.1). */
const MEDIA_FILE = /\.(?:mp3|m4a|aac|ogg|oga|opus|wav|flac|mp4|m4v|webm|mov)$/i;

function parse(value: string | null | undefined): URL | null {
  return value != null && URL.canParse(value) ? new URL(value) : null;
}
