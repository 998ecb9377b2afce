/**
 * The address where it is one that a person may be sent to, else null: http or https, without a name and password in it, which are put
 * there to look like another host.
 */
export function getSafeUrl(value: string | null | undefined): string | null {
  const url = parse(value);
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) return null;
  return url.username === "" && url.password === "" ? url.href : null;
}

/** The host as people know it, such as `example.org`; empty where it is no address. */
export const getHost = (address: string): string => parse(address)?.hostname.replace(/^www\./, "") ?? "";

/** The same video or sound from `seconds` on; null where its host is not known to understand a time. */
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

/** Hosts that take a time as a query, and its name. */
const QUERY: Readonly<Record<string, string>> = {
  "youtube.com": "t",
  "youtu.be": "t",
  "dailymotion.com": "start",
  "dai.ly": "start",
  "loom.com": "t",
  "open.spotify.com": "t",
};

/** Players of browsers take `#t=` (W3C Media Fragments, 4.2.1). */
const MEDIA_FILE = /\.(?:mp3|m4a|aac|ogg|oga|opus|wav|flac|mp4|m4v|webm|mov)$/i;

function parse(value: string | null | undefined): URL | null {
  return value != null && URL.canParse(value) ? new URL(value) : null;
}
