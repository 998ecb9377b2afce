import { type Family, type Place, fromQuery, unlessReserved } from "./address.ts";

const VIDEO_ID = /^[\w-]{11}$/;
const LIST_ID = /^[\w-]{10,}$/;
const watch = fromQuery("v", VIDEO_ID);
const playlist = fromQuery("list", LIST_ID);

/** The video inside a share link's own `u` parameter. */
function attributed(_found: RegExpExecArray, place: Place): string | undefined {
  const inner = /^\/watch\?(.*)$/.exec(place.query.get("u") ?? "");
  const id = new URLSearchParams(inner?.[1] ?? "").get("v") ?? "";
  return VIDEO_ID.test(id) ? id : undefined;
}

/** `videoseries` and `live_stream` have the length of an id, and are none. */
const videoOf = unlessReserved("videoseries live_stream");

const youtube: Family = {
  type: "YOUTUBE",
  hosts: /^(?:(?:music|gaming)\.)?youtube\.com$|^youtube-nocookie\.com$|^youtu\.be$|^yt\.be$/,
  rules: [
    { host: /be$/, path: /^\/(?:(?:shorts|live|embed)\/)?([\w-]{11})\/?$/, subtype: "VIDEO" },
    { host: /be$/, path: /^\/playlist\/?$/, subtype: "PLAYLIST", id: playlist },
    { path: /^\/feeds\/videos\.xml$/, type: "FEED", subtype: null },
    { path: /^\/(?:watch\/?|watch_popup\/?)?$/, subtype: "VIDEO", id: watch },
    { path: /^\/shorts\/([\w-]{11})\/?$/, subtype: "SHORT" },
    { path: /^\/live\/([\w-]{11})\/?$/, subtype: "LIVE" },
    { path: /^\/(?:embed|v|vi|e|watch)\/([\w-]{11})\/?$/, subtype: "VIDEO", id: videoOf },
    { path: /^\/attribution_link\/?$/, subtype: "VIDEO", id: attributed },
    { path: /^\/(?:playlist|watch|embed\/videoseries)\/?$/, subtype: "PLAYLIST", id: playlist },
    { path: /^\/clip\/([\w-]+)\/?$/, subtype: "CLIP" },
    { path: /^\/post\/([\w-]+)\/?$/, subtype: "POST" },
    { path: /^\/(?:channel\/[\w-]+|@[^/]+)\/community\/?$/, subtype: "POST", id: fromQuery("lb", /^[\w-]+$/) },
    { path: /^\/(?:channel|c|user)\/([^/]+)/, subtype: "CHANNEL" },
    { path: /^\/(@[^/]+)/, subtype: "CHANNEL" },
  ],
};

const tiktok: Family = {
  type: "TIKTOK",
  hosts: /^(?:(?:vm|vt)\.)?tiktok\.com$/,
  rules: [
    { host: /^v[mt]\./, path: /^\/([\w-]+)\/?$/, subtype: "VIDEO" },
    { path: /^\/t\/([\w-]+)\/?$/, subtype: "VIDEO" },
    { path: /^\/@[^/]*\/video\/(\d+)/, subtype: "VIDEO" },
    { path: /^\/@[^/]*\/photo\/(\d+)/, subtype: "PHOTO" },
    { path: /^\/(?:embed(?:\/v\d)?|player\/v1|share\/video|v)\/(\d+)/, subtype: "VIDEO" },
    { path: /^\/@[^/]*\/live\/?$/, subtype: "LIVE", id: (_found, place) => place.path.split("/")[1] },
    { path: /^\/@[^/]*\/playlist\/(?:.*-)?(\d+)\/?$/, subtype: "PLAYLIST" },
    { path: /^\/(@[^/]+)\/?$/, subtype: "PROFILE" },
  ],
};

const vimeo: Family = {
  type: "VIMEO",
  hosts: /^(?:player\.)?vimeo\.com$/,
  rules: [
    { path: /^\/(?:video\/)?(\d+)(?:\/[0-9a-f]+)?\/?$/, subtype: "VIDEO" },
    { path: /^\/(?:showcase|album)\/(\d+)\/video\/\d+/, subtype: "VIDEO" },
    { path: /^\/(?:channels|groups|ondemand|categories)\/[^/]+\/(?:videos?\/)?(\d+)/, subtype: "VIDEO" },
    { path: /^\/(?:event|manage\/videos)\/(\d+)/, subtype: "VIDEO" },
    { path: /^\/(?:showcase|album)\/(\d+)\/?$/, subtype: "SHOWCASE" },
    { path: /^\/(user\d+)\/?$/, subtype: "PROFILE" },
  ],
};

const loom: Family = {
  type: "LOOM",
  hosts: /^loom\.com$/,
  rules: [
    { path: /^\/(?:share|embed|i|v)\/(?:[^/]*-)?([0-9a-f]{32})/i, subtype: "VIDEO" },
    { path: /^\/share\/folder\/([0-9a-f]{32})/i, subtype: "FOLDER" },
  ],
};

const TWITCH_WORDS =
  "directory videos settings downloads jobs p turbo search store subscriptions wallet login signup friends inventory drops prime bits broadcast";

const twitch: Family = {
  type: "TWITCH",
  hosts: /^(?:(?:clips|player|go)\.)?twitch\.tv$/,
  rules: [
    { host: /^clips\./, path: /^\/embed\/?$/, subtype: "CLIP", id: fromQuery("clip", /^[\w-]+$/) },
    { host: /^clips\./, path: /^\/([\w-]+)\/?$/, subtype: "CLIP" },
    {
      host: /^player\./,
      path: /^\/$/,
      subtype: "VIDEO",
      id: (_found, place) => /^v?(\d+)$/.exec(place.query.get("video") ?? "")?.[1],
    },
    { host: /^player\./, path: /^\/$/, subtype: "CHANNEL", id: fromQuery("channel", /^\w+$/) },
    { path: /^\/videos\/v?(\d+)/, subtype: "VIDEO" },
    { path: /^\/\w+\/(?:video|v|b)\/(\d+)/, subtype: "VIDEO" },
    { path: /^\/\w+\/clip\/([\w-]+)/, subtype: "CLIP" },
    { path: /^\/(\w{2,25})(?:\/(?:about|schedule|videos|clips|home))?\/?$/, subtype: "CHANNEL", id: unlessReserved(TWITCH_WORDS) },
  ],
};

const dailymotion: Family = {
  type: "DAILYMOTION",
  hosts: /^(?:(?:geo|touch)\.)?dailymotion\.com$|^dai\.ly$/,
  rules: [
    { host: /^dai\.ly$/, path: /^\/(?:video\/)?([A-Za-z0-9]+)\/?$/, subtype: "VIDEO" },
    { path: /^\/(?:[a-z]{2}(?:-[a-z]{2})?\/)?(?:embed\/|swf\/)?video\/([A-Za-z0-9]+)/i, subtype: "VIDEO" },
    { path: /^\/player(?:\/\w+)?\.html$/, subtype: "VIDEO", id: fromQuery("video", /^[A-Za-z0-9]+$/) },
    { path: /^\/(?:[a-z]{2}(?:-[a-z]{2})?\/)?(?:embed\/)?playlist\/([A-Za-z0-9]+)/i, subtype: "PLAYLIST" },
  ],
};

export const VIDEO_FAMILIES: readonly Family[] = [youtube, tiktok, vimeo, loom, twitch, dailymotion];
