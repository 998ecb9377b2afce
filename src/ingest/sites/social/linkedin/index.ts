import type { Site } from "../../site.ts";
import { articleReader, pageReader } from "./page.ts";
import { postReader } from "./post.ts";

const URN = /^\/(?:embed\/)?feed\/update\/urn:li:(?:activity|share|ugcpost|groupPost):(?:\d+-)?(\d+)/i;

export const linkedin: Site = {
  type: "LINKEDIN",
  label: "LinkedIn",
  icon: "social",
  text: "post or caption, where the site shows it without a login",
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
  readers: [postReader, articleReader, pageReader],
};
