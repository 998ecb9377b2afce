import { idFromQuery, idUnlessReserved } from "../../address.ts";
import type { Site } from "../../site.ts";
import { createMetaReaders } from "../../../extract/meta/readers.ts";
import { FACEBOOK } from "../../../extract/meta/service.ts";

const RESERVED =
  "login login.php help policies privacy marketplace gaming watch groups events event hashtag search settings business ads sharer sharer.php dialog plugins " +
  "share share.php l.php pages people reel reels stories story.php permalink.php photo photo.php photos video video.php videos posts media profile.php home.php about " +
  "careers legal terms recover r.php reg messages notifications bookmarks friends games live places public";
const NUMBER = /^\d+$/;

export const facebook: Site = {
  type: "FACEBOOK",
  label: "Facebook",
  icon: "social",
  text: "post or caption, where the site shows it without a login",
  hosts: /^(?:(?:web|mbasic|touch|free|[a-z]{2}-[a-z]{2})\.)?facebook\.com$|^fb\.(?:com|watch)$/,
  rules: [
    { host: /^fb\.watch$/, path: /^\/(?:v\/)?([\w-]+)\/?$/, subtype: "VIDEO" },
    { path: /^\/(?:watch(?:\/live)?|video\.php|video\/embed)\/?$/, subtype: "VIDEO", id: idFromQuery("v", NUMBER) },
    { path: /^\/share\/v\/([\w-]+)/, subtype: "VIDEO" },
    { path: /^\/share\/r\/([\w-]+)/, subtype: "REEL" },
    { path: /^\/share\/(?:p\/)?([\w-]{6,})\/?$/, subtype: "POST" },
    { path: /^\/(?:story|permalink)\.php$/, subtype: "POST", id: idFromQuery("story_fbid", /^\w+$/) },
    { path: /^\/groups\/[^/]+\/(?:posts|permalink)\/(\w+)/, subtype: "POST" },
    { path: /^\/groups\/[^/]+\/?$/, subtype: "POST", id: idFromQuery("multi_permalinks", NUMBER) },
    { path: /^\/groups\/([^/]+)/, subtype: "GROUP" },
    { path: /^\/photo(?:\.php)?\/?$/, subtype: "PHOTO", id: idFromQuery("fbid", NUMBER) },
    { path: /^\/[^/]+\/photos\/(?:[^/]+\/)?(\d+)/, subtype: "PHOTO" },
    { path: /^\/reels?\/(\d+)/, subtype: "REEL" },
    { path: /^\/[^/]+\/videos\/(?:[^/]+\/)?(\d+)/, subtype: "VIDEO" },
    { path: /^\/[^/]+\/posts\/(?:[^/]+\/)?(pfbid\w+|\d+)\/?$/, subtype: "POST" },
    { path: /^\/[^/]+\/posts\/([^/]+)\/?$/, subtype: "POST" },
    { path: /^\/events\/(?:[^/]+\/)*(\d+)/, subtype: "EVENT" },
    { path: /^\/stories\/(\d+)/, subtype: "STORY" },
    { path: /^\/profile\.php$/, subtype: "PAGE", id: idFromQuery("id", NUMBER) },
    { path: /^\/(?:pages|people|p)\/(?:[^/]+\/)*?(?:[^/]*-)?(\d+)\/?$/, subtype: "PAGE" },
    { path: /^\/([\w.-]+)(?:\/(?:about|photos|videos|posts|reels))?\/?$/, subtype: "PAGE", id: idUnlessReserved(RESERVED) },
  ],
  readers: createMetaReaders(FACEBOOK),
};
