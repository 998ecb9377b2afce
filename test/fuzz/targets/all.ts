import type { Target } from "../support/target.ts";
import { archives } from "./archives.ts";
import { documents } from "./documents.ts";
import { extractors } from "./extractors.ts";
import { mails } from "./mails.ts";
import { models } from "./models.ts";
import { http, webhook } from "./network.ts";
import { service } from "./service.ts";
import { captions, feeds, pages } from "./text.ts";
import { tls } from "./tls.ts";

export const TARGETS: readonly Target[] = [
  http,
  tls,
  webhook,
  documents,
  mails,
  captions,
  feeds,
  pages,
  extractors,
  models,
  archives,
  service,
];
