/** Optional settings that enable or configure sources. */
export type SourceSettings = {
  /** Preferred languages of captions, in order. If empty, captions written by people in the spoken language are preferred. */
  readonly transcriptLanguages: readonly string[];
  /** Names of the clients as which YouTube's player API is called, in order. */
  readonly youtubeClients: readonly string[];
  /** A key of the YouTube Data API v3. */
  readonly youtubeApiKey: string;
  /** A token of a Meta app with oEmbed Read, for Instagram, Facebook and Threads. */
  readonly metaToken: string;
  /** A Reddit app ("script" or "web"), for its API without a user. */
  readonly redditClientId: string;
  readonly redditClientSecret: string;
  /** A GitHub token, for more than 60 calls an hour. */
  readonly githubToken: string;
  /** Whether long posts and articles on X may be fetched from a third party, api.fxtwitter.com. */
  readonly fxTwitter: boolean;
  /** Path of the yt-dlp program, which runs if no other source has captions; empty disables it. */
  readonly ytdlpPath: string;
};

export const DEFAULT_SOURCE_SETTINGS: SourceSettings = {
  transcriptLanguages: [],
  youtubeClients: ["VISIONOS", "IOS", "ANDROID"],
  youtubeApiKey: "",
  metaToken: "",
  redditClientId: "",
  redditClientSecret: "",
  githubToken: "",
  fxTwitter: false,
  ytdlpPath: "",
};
