import { idUnlessReserved, getWholePath } from "../../address.ts";
import type { Site } from "../../site.ts";
import { commitReader } from "./commit.ts";
import { fileReader } from "./file.ts";
import { gistReader } from "./gist.ts";
import { issueReader } from "./issue.ts";
import { pageReader, wikiReader } from "./pages.ts";
import { releaseReader } from "./release.ts";
import { repositoryReader } from "./repository.ts";

const RESERVED =
  "features topics explore trending marketplace settings sponsors about pricing login join orgs collections search notifications issues pulls enterprise security " +
  "customer-stories readme new codespaces apps contact site team solutions resources events organizations users stars dashboard signup logout discussions copilot " +
  "mobile premium-support partners newsroom articles why-github edu education open-source account watching";

const getRepositoryId = (match: RegExpExecArray): string | undefined =>
  idUnlessReserved(RESERVED)(match) && `${match[1]}/${(match[2] ?? "").replace(/\.git$/, "")}`;
const createRepositoryPattern = (rest: string): RegExp => new RegExp(`^\\/[^/]+\\/[^/]+\\/${rest}`);
const firstParts =
  (parts: number) =>
  (_match: RegExpExecArray, address: { readonly path: string }): string =>
    address.path
      .split("/")
      .slice(1, 1 + parts)
      .join("/");

export const github: Site = {
  type: "GITHUB",
  label: "GitHub",
  icon: "code",
  text: "README, file, issue or pull request with its comments, release, commit, gist, wiki page",
  hosts: /^(?:gist\.)?github\.com$|^(?:raw|gist)\.githubusercontent\.com$/,
  rules: [
    { host: /^gist\./, path: /^\/(?:[\w-]+\/)?([0-9a-f]{20,32})(?:\/|\.git$|$)/i, subtype: "GIST" },
    { host: /^gist\./, path: /^\/([\w-]+)\/?$/, subtype: "USER", id: idUnlessReserved("discover starred mine") },
    { host: /^raw\./, path: /^\/[^/]+\/[^/]+\/.+/, subtype: "FILE", id: getWholePath },
    { host: /^github/, path: createRepositoryPattern("(?:blob|raw|blame)\\/.+"), subtype: "FILE", id: getWholePath },
    { host: /^github/, path: /\.atom$/, type: "FEED", subtype: null },
    { host: /^github/, path: createRepositoryPattern("issues\\/\\d+"), subtype: "ISSUE", id: firstParts(4) },
    { host: /^github/, path: createRepositoryPattern("pull\\/\\d+"), subtype: "PULL", id: firstParts(4) },
    { host: /^github/, path: createRepositoryPattern("discussions\\/\\d+"), subtype: "DISCUSSION", id: firstParts(4) },
    { host: /^github/, path: createRepositoryPattern("releases\\/tag\\/.+"), subtype: "RELEASE", id: getWholePath },
    { host: /^github/, path: createRepositoryPattern("releases(?:\\/latest)?\\/?$"), subtype: "RELEASE", id: getWholePath },
    { host: /^github/, path: createRepositoryPattern("commit\\/[0-9a-f]+"), subtype: "COMMIT", id: firstParts(4) },
    { host: /^github/, path: createRepositoryPattern("wiki"), subtype: "WIKI", id: getWholePath },
    { host: /^github/, path: /^\/([\w-]+)\/([\w.-]+)(?:\/tree\/.+|\/)?$/, subtype: "REPO", id: getRepositoryId },
    { host: /^github/, path: /^\/(?:orgs\/)?([\w-]+)\/?$/, subtype: "USER", id: idUnlessReserved(RESERVED) },
  ],
  readers: [repositoryReader, gistReader, issueReader, releaseReader, commitReader, fileReader, wikiReader, pageReader],
};
