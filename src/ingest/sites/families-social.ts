import { type Family, fromQuery, unlessReserved } from "./address.ts";

const INSTAGRAM_WORDS = "explore accounts about legal developer direct directory web p reel reels tv stories s share press api graphql";

const instagram: Family = {
  type: "INSTAGRAM",
  hosts: /^(?:(?:[dg]\.)?dd)?instagram\.com$|^instagr\.am$/,
  rules: [
    { path: /^\/(?:[\w.]+\/)?p\/([\w-]+)/, subtype: "POST" },
    { path: /^\/(?:[\w.]+\/|share\/)?reels?\/([\w-]+)/, subtype: "REEL", id: unlessReserved("audio") },
    { path: /^\/share\/p\/([\w-]+)/, subtype: "POST" },
    { path: /^\/(?:[\w.]+\/)?tv\/([\w-]+)/, subtype: "VIDEO" },
    { path: /^\/stories\/highlights\/(\d+)/, subtype: "STORY" },
    { path: /^\/stories\/[\w.]+\/(\d+)/, subtype: "STORY" },
    { path: /^\/stories\/([\w.]+)\/?$/, subtype: "STORY" },
    { path: /^\/([\w.]+)(?:\/(?:reels|tagged|channel))?\/?$/, subtype: "PROFILE", id: unlessReserved(INSTAGRAM_WORDS) },
  ],
};

const FACEBOOK_WORDS =
  "login login.php help policies privacy marketplace gaming watch groups events event hashtag search settings business ads sharer sharer.php dialog plugins " +
  "share share.php l.php pages people reel reels stories story.php permalink.php photo photo.php photos video video.php videos posts media profile.php home.php about " +
  "careers legal terms recover r.php reg messages notifications bookmarks friends games live places public";
const NUMBER = /^\d+$/;

const facebook: Family = {
  type: "FACEBOOK",
  hosts: /^(?:(?:web|mbasic|touch|free|[a-z]{2}-[a-z]{2})\.)?facebook\.com$|^fb\.(?:com|watch)$/,
  rules: [
    { host: /^fb\.watch$/, path: /^\/(?:v\/)?([\w-]+)\/?$/, subtype: "VIDEO" },
    { path: /^\/(?:watch(?:\/live)?|video\.php|video\/embed)\/?$/, subtype: "VIDEO", id: fromQuery("v", NUMBER) },
    { path: /^\/share\/v\/([\w-]+)/, subtype: "VIDEO" },
    { path: /^\/share\/r\/([\w-]+)/, subtype: "REEL" },
    { path: /^\/share\/(?:p\/)?([\w-]{6,})\/?$/, subtype: "POST" },
    { path: /^\/(?:story|permalink)\.php$/, subtype: "POST", id: fromQuery("story_fbid", /^\w+$/) },
    { path: /^\/groups\/[^/]+\/(?:posts|permalink)\/(\w+)/, subtype: "POST" },
    { path: /^\/groups\/[^/]+\/?$/, subtype: "POST", id: fromQuery("multi_permalinks", NUMBER) },
    { path: /^\/groups\/([^/]+)/, subtype: "GROUP" },
    { path: /^\/photo(?:\.php)?\/?$/, subtype: "PHOTO", id: fromQuery("fbid", NUMBER) },
    { path: /^\/[^/]+\/photos\/(?:[^/]+\/)?(\d+)/, subtype: "PHOTO" },
    { path: /^\/reels?\/(\d+)/, subtype: "REEL" },
    { path: /^\/[^/]+\/videos\/(?:[^/]+\/)?(\d+)/, subtype: "VIDEO" },
    { path: /^\/[^/]+\/posts\/(?:[^/]+\/)?(pfbid\w+|\d+)\/?$/, subtype: "POST" },
    { path: /^\/[^/]+\/posts\/([^/]+)\/?$/, subtype: "POST" },
    { path: /^\/events\/(?:[^/]+\/)*(\d+)/, subtype: "EVENT" },
    { path: /^\/stories\/(\d+)/, subtype: "STORY" },
    { path: /^\/profile\.php$/, subtype: "PAGE", id: fromQuery("id", NUMBER) },
    { path: /^\/(?:pages|people|p)\/(?:[^/]+\/)*?(?:[^/]*-)?(\d+)\/?$/, subtype: "PAGE" },
    { path: /^\/([\w.-]+)(?:\/(?:about|photos|videos|posts|reels))?\/?$/, subtype: "PAGE", id: unlessReserved(FACEBOOK_WORDS) },
  ],
};

const X_WORDS =
  "search home explore notifications i settings login logout signup hashtag messages compose tos privacy about intent share jobs download account who_to_follow bookmarks lists";

const x: Family = {
  type: "X",
  hosts: /^(?:x|twitter|fxtwitter|vxtwitter|fixupx|fixvx|twittpr)\.com$/,
  rules: [
    { path: /^\/(?:\w+|i\/web)\/status(?:es)?\/(\d+)/, subtype: "POST" },
    { path: /^\/\w+\/article\/(\d+)/, subtype: "ARTICLE" },
    { path: /^\/i\/spaces\/(\w+)/, subtype: "SPACE" },
    { path: /^\/i\/broadcasts\/(\w+)/, subtype: "BROADCAST" },
    { path: /^\/i\/(?:lists|communities)\/(\d+)/, subtype: "LIST" },
    {
      path: /^\/(\w{1,15})(?:\/(?:with_replies|media|likes|highlights|articles))?\/?$/,
      subtype: "PROFILE",
      id: unlessReserved(X_WORDS),
    },
  ],
};

const URN = /^\/(?:embed\/)?feed\/update\/urn:li:(?:activity|share|ugcpost|groupPost):(?:\d+-)?(\d+)/i;

const linkedin: Family = {
  type: "LINKEDIN",
  hosts: /^(?:[a-z]{2,3}\.)?linkedin\.com$/,
  rules: [
    { path: /^\/posts\/.*?(?:activity|share|ugcpost)[-:](\d+)/i, subtype: "POST" },
    { path: URN, subtype: "POST" },
    { path: /^\/pulse\/([^/]+)/, subtype: "ARTICLE" },
    { path: /^\/in\/([^/]+)/, subtype: "PROFILE" },
    { path: /^\/pub\/([^/]+)/, subtype: "PROFILE" },
    { path: /^\/(?:company|school|showcase)\/([^/]+)/, subtype: "COMPANY" },
    { path: /^\/jobs\/view\/(?:[^/]*-)?(\d+)/, subtype: "JOB" },
    { path: /^\/newsletters\/([^/]+)/, subtype: "NEWSLETTER" },
    { path: /^\/learning\/([^/]+)/, subtype: "COURSE" },
    { path: /^\/events\/(?:[^/]*[^/\d])?(\d+)\/?$/, subtype: "EVENT" },
    { path: /^\/groups\/(\d+)/, subtype: "GROUP" },
  ],
};

const threads: Family = {
  type: "THREADS",
  hosts: /^threads\.(?:net|com)$/,
  rules: [
    { path: /^\/@[^/]+\/post\/([\w-]+)/, subtype: "POST" },
    { path: /^\/t\/([\w-]+)/, subtype: "POST" },
    { path: /^\/(@[^/]+)(?:\/(?:replies|media|reposts))?\/?$/, subtype: "PROFILE" },
  ],
};

const bluesky: Family = {
  type: "BLUESKY",
  hosts: /^(?:bsky|fxbsky|bskyx|vxbsky|bsyy)\.app$|^staging\.bsky\.app$/,
  rules: [
    { path: /^\/profile\/([^/]+)\/post\/([\w.~-]+)/, subtype: "POST", id: (found) => `${found[1]}/${found[2]}` },
    { path: /^\/profile\/([^/]+)\/lists\/([\w.~-]+)/, subtype: "LIST", id: (found) => `${found[1]}/${found[2]}` },
    { path: /^\/profile\/([^/]+)\/feed\/([\w.~-]+)/, subtype: "FEED", id: (found) => `${found[1]}/${found[2]}` },
    { path: /^\/profile\/([^/]+)\/?$/, subtype: "PROFILE" },
  ],
};

const reddit: Family = {
  type: "REDDIT",
  hosts: /^(?:(?:old|np|new|sh|amp|i|pay|[a-z]{2})\.)?reddit\.com$|^redd\.it$/,
  rules: [
    { path: /\.rss$/, type: "FEED", subtype: null },
    { host: /^redd\.it$/, path: /^\/(\w+)\/?$/, subtype: "POST" },
    { path: /^\/(?:(?:r|u|user)\/[\w-]+\/)?comments\/(\w+)\/[^/]*\/\w+\/?$/, subtype: "COMMENT" },
    { path: /^\/(?:(?:r|u|user)\/[\w-]+\/)?comments\/(\w+)/, subtype: "POST" },
    { path: /^\/(?:gallery|tb)\/(\w+)/, subtype: "POST" },
    { path: /^\/(?:r|u|user)\/[\w-]+\/s\/(\w+)/, subtype: "POST" },
    { path: /^\/r\/(\w+)(?:\/(?:hot|new|top|rising|best|controversial|about|wiki))?\/?$/, subtype: "SUBREDDIT" },
    { path: /^\/(?:u|user)\/([\w-]+)(?:\/\w+)?\/?$/, subtype: "USER" },
  ],
};

const hackernews: Family = {
  type: "HACKERNEWS",
  hosts: /^news\.ycombinator\.com$/,
  rules: [
    { path: /^\/rss\/?$/, type: "FEED", subtype: null },
    { path: /^\/item\/?$/, subtype: "ITEM", id: fromQuery("id", NUMBER) },
    { path: /^\/(?:user|submitted|threads)\/?$/, subtype: "USER", id: fromQuery("id", /^[\w-]+$/) },
  ],
};

export const SOCIAL_FAMILIES: readonly Family[] = [instagram, facebook, x, linkedin, threads, bluesky, reddit, hackernews];

/** Any host may be a Mastodon server, so only the path's shape can tell; looked at when no other family has the host. */
export const MASTODON: Family = {
  type: "MASTODON",
  hosts: /./,
  rules: [
    { path: /^\/(?:web\/|deck\/)?@[\w.-]+(?:@[\w.-]+)?\/(\d{6,20})(?:\/embed)?\/?$/, subtype: "POST" },
    { path: /^\/(?:web|deck)\/statuses\/(\d{6,20})\/?$/, subtype: "POST" },
    { path: /^\/(?:ap\/)?users\/[\w.-]+\/statuses\/(\d{6,20})(?:\/activity)?\/?$/, subtype: "POST" },
  ],
};
