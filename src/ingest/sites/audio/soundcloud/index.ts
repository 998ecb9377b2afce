import { idUnlessReserved } from "../../address.ts";
import type { Site } from "../../site.ts";
import { readers } from "./sources.ts";

const RESERVED =
  "discover stream you search upload charts pages settings messages notifications tags people stations login logout signin signup terms-of-use popular go pro mobile jobs imprint download";

export const soundcloud: Site = {
  type: "SOUNDCLOUD",
  label: "SoundCloud",
  icon: "audio",
  text: "description; a set lists its tracks",
  hosts: /^(?:on\.)?soundcloud\.com$|^snd\.sc$/,
  rules: [
    { host: /^on\.|^snd/, path: /^\/([\w-]+)\/?$/, subtype: null },
    {
      path: /^\/([\w-]+)\/sets\/([\w-]+)/,
      subtype: "SET",
      id: (match) => idUnlessReserved(RESERVED)(match) && `${match[1]}/sets/${match[2]}`,
    },
    {
      path: /^\/([\w-]+)\/(?:tracks|albums|sets|reposts|likes|followers|following|popular-tracks|comments)?\/?$/,
      subtype: "PROFILE",
      id: idUnlessReserved(RESERVED),
    },
    {
      path: /^\/([\w-]+)\/([\w-]+)(?:\/s-\w+)?\/?$/,
      subtype: "TRACK",
      id: (match) => idUnlessReserved(RESERVED)(match) && `${match[1]}/${match[2]}`,
    },
    { path: /^\/([\w-]+)$/, subtype: "PROFILE", id: idUnlessReserved(RESERVED) },
  ],
  readers,
};
