import { idUnlessReserved } from "../../address.ts";
import type { Site } from "../../site.ts";
import { createMetaReaders } from "../../../extract/meta/readers.ts";
import { captionedEmbed } from "./embed.ts";
import { INSTAGRAM } from "../../../extract/meta/service.ts";

const RESERVED = "explore accounts about legal developer direct directory web p reel reels tv stories s share press api graphql";

export const instagram: Site = {
  type: "INSTAGRAM",
  label: "Instagram",
  icon: "social",
  text: "post or caption, where the site shows it without a login",
  hosts: /^(?:(?:[dg]\.)?dd)?instagram\.com$|^instagr\.am$/,
  rules: [
    { path: /^\/(?:[\w.]+\/)?p\/([\w-]+)/, subtype: "POST" },
    { path: /^\/(?:[\w.]+\/|share\/)?reels?\/([\w-]+)/, subtype: "REEL", id: idUnlessReserved("audio") },
    { path: /^\/share\/p\/([\w-]+)/, subtype: "POST" },
    { path: /^\/(?:[\w.]+\/)?tv\/([\w-]+)/, subtype: "VIDEO" },
    { path: /^\/stories\/highlights\/(\d+)/, subtype: "STORY" },
    { path: /^\/stories\/[\w.]+\/(\d+)/, subtype: "STORY" },
    { path: /^\/stories\/([\w.]+)\/?$/, subtype: "STORY" },
    { path: /^\/([\w.]+)(?:\/(?:reels|tagged|channel))?\/?$/, subtype: "PROFILE", id: idUnlessReserved(RESERVED) },
  ],
  readers: createMetaReaders(INSTAGRAM, [captionedEmbed]),
};
