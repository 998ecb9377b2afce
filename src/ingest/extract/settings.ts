/** What an operator may set to add sources; nothing of it is needed. */
export type SourceSettings = {
  /** Languages of captions, the most wanted first; empty takes those that people wrote in the language spoken. */
  readonly transcriptLanguages: readonly string[];
  /** Who YouTube's player is asked as, in order. */
  readonly youtubeClients: readonly string[];
  /** A key of the YouTube Data API v3. */
  readonly youtubeApiKey: string;
  /** A token of a Meta app with oEmbed Read, for Instagram, Facebook and Threads. */
  readonly metaToken: string;
  /** An app of Reddit ("script" or "web"), for its API without a user. */
  readonly redditClientId: string;
  readonly redditClientSecret: string;
  /** A token of GitHub, for more than 60 calls an hour. */
  readonly githubToken: string;
  /** Whether a third party, api.fxtwitter.com, may be asked for long posts and articles on X. */
  readonly fxTwitter: boolean;
  /** The yt-dlp program, run where nothing else has the captions of a video; empty: never. */
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
