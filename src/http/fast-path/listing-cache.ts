import { LRUCache } from "lru-cache";
/**
 * Caches serialised listings. Reading and serialising a page of 50 tiles costs 340 µs of CPU (docs/decisions/006), a request that is
 * served from the cache 79 µs, framework included (docs/decisions/020).
 */
import type { Revisions } from "#domain/core/board.ts";
import type { BoardReader } from "#service/access.ts";
import { RawJson } from "../response/raw-json.ts";
import { ReusableJson } from "./reusable-json.ts";

const MAX_ENTRY_BYTES = 256 * 1_024;
const MAX_TOTAL_BYTES = 32 * 1_048_576;
/** Memory of an entry and of a URL besides their texts: objects and map slots, measured and rounded up. */
const ENTRY_OVERHEAD_BYTES = 768;
const URL_OVERHEAD_BYTES = 128;
/** Requests with longer URLs are not looked up by URL. */
const MAX_URL_LENGTH = 512;
/** An entry is found by at most this many spellings of its URL. */
const MAX_URLS_PER_ENTRY = 4;

/** Which revision of a board a listing depends on: the entry is valid until this revision changes. */
export type RevisionName = keyof Revisions;

/** The route that produced a listing, its board, and the revision it depends on. */
export type ListingSource = { readonly route: string; readonly boardId: string; readonly dependsOn: RevisionName };

/** A cached listing with its cache key. */
export type CachedListing = ListingSource & { readonly key: string };

/** Identifies a listing by its parsed query (`key`) and by the URL; the URL is null if it has unknown parameters. */
export type ListingKey = { readonly key: string; readonly url: string | null };

type Entry = ListingSource & {
  readonly key: string;
  readonly revision: number;
  /** The URLs under which the fast path finds the entry, oldest first. */
  readonly urls: string[];
  json: RawJson;
};

/**
 * Each entry stores the revision of the board that it was built from. A write changes the revision in the same commit, in any process,
 * so an outdated entry is never served. Entries are keyed by the parsed query, so that spelling, order and unknown parameters create no
 * additional entries.
 */
export type ListingCache = {
  /** Returns the listing that is cached for this URL, valid or not. */
  find(url: string): CachedListing | undefined;
  /** Returns the body for a URL, if it is still valid and `reader` may read its board. */
  getByUrl(url: string, reader: BoardReader, revisions: Revisions): ReusableJson | undefined;
  /** Returns the body for a key, and adds its URL to the entry. */
  get(key: ListingKey, reader: BoardReader, revisions: Revisions): ReusableJson | undefined;
  /** Caches a body unless it is too long, and returns it. */
  set(key: ListingKey, source: ListingSource, revisions: Revisions, text: string): RawJson;
  /** Returns the size of the cache, for tests of its limits. */
  usage(): { readonly entries: number; readonly urls: number; readonly bytes: number };
};

/** Returns the maximum memory of a string, which takes up to two bytes per code unit. */
const getByteLength = ({ body }: RawJson): number => (typeof body === "string" ? body.length * 2 : body.length);

const getCost = ({ key, urls, json }: Entry): number =>
  ENTRY_OVERHEAD_BYTES + key.length * 2 + getByteLength(json) + urls.reduce((sum, url) => sum + URL_OVERHEAD_BYTES + url.length * 2, 0);

export function createListingCache(maxBytes = MAX_TOTAL_BYTES): ListingCache {
  const byUrl = new Map<string, Entry>();
  const entries = new LRUCache<string, Entry>({
    maxSize: maxBytes,
    dispose: ({ urls }) => {
      for (const url of urls) byUrl.delete(url);
    },
  });

  /** Stores an entry with its current cost. An entry larger than the whole cache is not stored. */
  function store(entry: Entry): void {
    // The cache keeps the size of an entry that is set again as the same object.
    entries.delete(entry.key);
    entries.set(entry.key, entry, { size: getCost(entry) });
    if (entries.peek(entry.key) === entry) for (const url of entry.urls) byUrl.set(url, entry);
  }

  function addUrl(entry: Entry, url: string | null): void {
    if (url === null || url.length > MAX_URL_LENGTH || entry.urls.includes(url)) return;
    if (entry.urls.length >= MAX_URLS_PER_ENTRY) byUrl.delete(entry.urls.shift() as string);
    entry.urls.push(url);
    store(entry);
  }

  function read(entry: Entry | undefined, reader: BoardReader, revisions: Revisions): ReusableJson | undefined {
    if (entry === undefined || entry.boardId !== reader.target.id) return undefined;
    if (entry.revision !== revisions[entry.dependsOn]) {
      entries.delete(entry.key);
      return undefined;
    }
    const { json } = entry;
    if (json instanceof ReusableJson) {
      entries.get(entry.key);
      return json;
    }
    // Prepared on the first hit, since many listings are requested only once.
    const reusable = new ReusableJson(json);
    entry.json = reusable;
    store(entry);
    return reusable;
  }

  return {
    find: (url) => byUrl.get(url),
    getByUrl: (url, reader, revisions) => read(byUrl.get(url), reader, revisions),
    get({ key, url }, reader, revisions) {
      const entry = entries.get(key);
      const json = read(entry, reader, revisions);
      if (entry !== undefined && json !== undefined) addUrl(entry, url);
      return json;
    },
    set({ key, url }, source, revisions, text) {
      const json = new RawJson(text);
      if (json.body.length > MAX_ENTRY_BYTES) return json;
      const entry: Entry = { ...source, key, revision: revisions[source.dependsOn], urls: [], json };
      store(entry);
      addUrl(entry, url);
      return json;
    },
    usage: () => ({ entries: entries.size, urls: byUrl.size, bytes: entries.calculatedSize }),
  };
}
