import { type Family, fromQuery, unlessReserved, wholePath } from "./address.ts";

const SPOTIFY_PATH = "^\\/(?:intl-[a-z-]+\\/)?(?:embed(?:-podcast)?\\/)?(?:user\\/[^/]+\\/)?";
const spotifyRule = (word: string) => ({ path: new RegExp(`${SPOTIFY_PATH}${word}\\/([A-Za-z0-9]+)`, "i"), subtype: word.toUpperCase() });

const spotify: Family = {
  type: "SPOTIFY",
  hosts: /^(?:open|play|embed)\.spotify\.com$/,
  rules: ["track", "episode", "show", "album", "playlist", "artist", "audiobook"].map(spotifyRule),
};

const SHOW = /^\/(?:[a-z]{2}\/)?podcast\/(?:[^/]+\/)?id(\d+)/i;

const podcast: Family = {
  type: "PODCAST",
  hosts: /^(?:embed\.)?podcasts\.apple\.com$|^itunes\.apple\.com$/,
  rules: [
    { path: SHOW, subtype: "EPISODE", id: fromQuery("i", /^\d+$/) },
    { path: SHOW, subtype: "SHOW" },
  ],
};

const SOUNDCLOUD_WORDS =
  "discover stream you search upload charts pages settings messages notifications tags people stations login logout signin signup terms-of-use popular go pro mobile jobs imprint download";

const soundcloud: Family = {
  type: "SOUNDCLOUD",
  hosts: /^(?:on\.)?soundcloud\.com$|^snd\.sc$/,
  rules: [
    { host: /^on\.|^snd/, path: /^\/([\w-]+)\/?$/, subtype: null },
    {
      path: /^\/([\w-]+)\/sets\/([\w-]+)/,
      subtype: "SET",
      id: (found) => unlessReserved(SOUNDCLOUD_WORDS)(found) && `${found[1]}/sets/${found[2]}`,
    },
    {
      path: /^\/([\w-]+)\/(?:tracks|albums|sets|reposts|likes|followers|following|popular-tracks|comments)?\/?$/,
      subtype: "PROFILE",
      id: unlessReserved(SOUNDCLOUD_WORDS),
    },
    {
      path: /^\/([\w-]+)\/([\w-]+)(?:\/s-\w+)?\/?$/,
      subtype: "TRACK",
      id: (found) => unlessReserved(SOUNDCLOUD_WORDS)(found) && `${found[1]}/${found[2]}`,
    },
    { path: /^\/([\w-]+)$/, subtype: "PROFILE", id: unlessReserved(SOUNDCLOUD_WORDS) },
  ],
};

const GITHUB_WORDS =
  "features topics explore trending marketplace settings sponsors about pricing login join orgs collections search notifications issues pulls enterprise security " +
  "customer-stories readme new codespaces apps contact site team solutions resources events organizations users stars dashboard signup logout discussions copilot " +
  "mobile premium-support partners newsroom articles why-github edu education open-source account watching";
const ownRepository = (found: RegExpExecArray): string | undefined =>
  unlessReserved(GITHUB_WORDS)(found) && `${found[1]}/${(found[2] ?? "").replace(/\.git$/, "")}`;
const inRepository = (rest: string): RegExp => new RegExp(`^\\/[^/]+\\/[^/]+\\/${rest}`);
const throughPart =
  (parts: number) =>
  (_found: RegExpExecArray, place: { readonly path: string }): string =>
    place.path
      .split("/")
      .slice(1, 1 + parts)
      .join("/");

const github: Family = {
  type: "GITHUB",
  hosts: /^(?:gist\.)?github\.com$|^(?:raw|gist)\.githubusercontent\.com$/,
  rules: [
    { host: /^gist\./, path: /^\/(?:[\w-]+\/)?([0-9a-f]{20,32})(?:\/|\.git$|$)/i, subtype: "GIST" },
    { host: /^gist\./, path: /^\/([\w-]+)\/?$/, subtype: "USER", id: unlessReserved("discover starred mine") },
    { host: /^raw\./, path: /^\/[^/]+\/[^/]+\/.+/, subtype: "FILE", id: wholePath },
    { host: /^github/, path: inRepository("(?:blob|raw|blame)\\/.+"), subtype: "FILE", id: wholePath },
    { host: /^github/, path: /\.atom$/, type: "FEED", subtype: null },
    { host: /^github/, path: inRepository("issues\\/\\d+"), subtype: "ISSUE", id: throughPart(4) },
    { host: /^github/, path: inRepository("pull\\/\\d+"), subtype: "PULL", id: throughPart(4) },
    { host: /^github/, path: inRepository("discussions\\/\\d+"), subtype: "DISCUSSION", id: throughPart(4) },
    { host: /^github/, path: inRepository("releases\\/tag\\/.+"), subtype: "RELEASE", id: wholePath },
    { host: /^github/, path: inRepository("releases(?:\\/latest)?\\/?$"), subtype: "RELEASE", id: wholePath },
    { host: /^github/, path: inRepository("commit\\/[0-9a-f]+"), subtype: "COMMIT", id: throughPart(4) },
    { host: /^github/, path: inRepository("wiki"), subtype: "WIKI", id: wholePath },
    { host: /^github/, path: /^\/([\w-]+)\/([\w.-]+)(?:\/tree\/.+|\/)?$/, subtype: "REPO", id: ownRepository },
    { host: /^github/, path: /^\/(?:orgs\/)?([\w-]+)\/?$/, subtype: "USER", id: unlessReserved(GITHUB_WORDS) },
  ],
};

const DOC = "^\\/(?:a\\/[^/]+\\/)?";
const docRule = (word: string, subtype: string) => ({
  host: /^docs\./,
  path: new RegExp(`${DOC}${word}\\/(?:u\\/\\d+\\/)?d\\/(?:e\\/)?([\\w-]+)`),
  subtype,
});

const googleDoc: Family = {
  type: "GOOGLE_DOC",
  hosts: /^(?:docs|drive)\.google\.com$/,
  rules: [
    docRule("document", "DOC"),
    docRule("spreadsheets", "SHEET"),
    docRule("presentation", "SLIDES"),
    docRule("forms", "FORM"),
    docRule("file", "FILE"),
    { path: /^\/(?:a\/[^/]+\/)?file\/(?:u\/\d+\/)?d\/([\w-]+)/, subtype: "FILE" },
    { path: /^\/(?:open|uc)\/?$/, subtype: "FILE", id: fromQuery("id", /^[\w-]+$/) },
    { path: /^\/drive\/(?:u\/\d+\/)?folders\/([\w-]+)/, subtype: "FOLDER" },
  ],
};

export const WORK_FAMILIES: readonly Family[] = [spotify, podcast, soundcloud, github, googleDoc];
