import { type Address, idFromQuery, idUnlessReserved } from "../../address.ts";
import type { Site } from "../../site.ts";
import { channelReader, postReader } from "./channel.ts";
import { playlistReader } from "./playlist.ts";
import { videoReader } from "./video.ts";

const VIDEO_ID = /^[\w-]{11}$/;
const LIST_ID = /^[\w-]{10,}$/;

const watchId = idFromQuery("v", VIDEO_ID);
const listId = idFromQuery("list", LIST_ID);

/** Reads the id from a share link, whose `u` parameter is the path of the video. */
function parseShareLinkId(_match: RegExpExecArray, address: Address): string | undefined {
  const watchQuery = /^\/watch\?(.*)$/.exec(address.query.get("u") ?? "");
  const id = new URLSearchParams(watchQuery?.[1] ?? "").get("v") ?? "";
  return VIDEO_ID.test(id) ? id : undefined;
}

/** `videoseries` and `live_stream` are as long as an id but are pages of YouTube. */
const videoId = idUnlessReserved("videoseries live_stream");

export const youtube: Site = {
  type: "YOUTUBE",
  label: "YouTube",
  icon: "video",
  text: "description and captions with their times, those written by people first; a playlist lists its videos, a channel its latest",
  hosts: /^(?:(?:music|gaming)\.)?youtube\.com$|^youtube-nocookie\.com$|^youtu\.be$|^yt\.be$/,
  rules: [
    { host: /be$/, path: /^\/(?:(?:shorts|live|embed)\/)?([\w-]{11})\/?$/, subtype: "VIDEO" },
    { host: /be$/, path: /^\/playlist\/?$/, subtype: "PLAYLIST", id: listId },
    { path: /^\/feeds\/videos\.xml$/, type: "FEED", subtype: null },
    { path: /^\/(?:watch\/?|watch_popup\/?)?$/, subtype: "VIDEO", id: watchId },
    { path: /^\/shorts\/([\w-]{11})\/?$/, subtype: "SHORT" },
    { path: /^\/live\/([\w-]{11})\/?$/, subtype: "LIVE" },
    { path: /^\/(?:embed|v|vi|e|watch)\/([\w-]{11})\/?$/, subtype: "VIDEO", id: videoId },
    { path: /^\/attribution_link\/?$/, subtype: "VIDEO", id: parseShareLinkId },
    { path: /^\/(?:playlist|watch|embed\/videoseries)\/?$/, subtype: "PLAYLIST", id: listId },
    { path: /^\/clip\/([\w-]+)\/?$/, subtype: "CLIP" },
    { path: /^\/post\/([\w-]+)\/?$/, subtype: "POST" },
    { path: /^\/(?:channel\/[\w-]+|@[^/]+)\/community\/?$/, subtype: "POST", id: idFromQuery("lb", /^[\w-]+$/) },
    { path: /^\/(?:channel|c|user)\/([^/]+)/, subtype: "CHANNEL" },
    { path: /^\/(@[^/]+)/, subtype: "CHANNEL" },
  ],
  readers: [videoReader, playlistReader, channelReader, postReader],
};
