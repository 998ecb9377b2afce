/** One kind of request. */
export type Target = {
  readonly name: string;
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly key: string;
  /** Sent in rotation. */
  readonly bodies?: readonly string[];
  /** The codings that the client accepts, as most clients send them; without it, responses are not compressed. */
  readonly acceptEncoding?: string;
  /** Requests an uncached response. */
  readonly isUncached?: true;
  /** Relative frequency in a mix of targets. */
  readonly weight: number;
};

export type LoadJob = {
  readonly port: number;
  /** Process of the server; its CPU time is read at both ends of the window. */
  readonly pid: number;
  readonly targets: readonly Target[];
  readonly connections: number;
  readonly warmSeconds: number;
  readonly seconds: number;
  /** Requests per second at random (Poisson) times, independent of the response times. Without it, each connection sends its next request after each response. */
  readonly rate?: number;
  /** Uses Node's HTTP client, as programs do, instead of writing prepared bytes to sockets. */
  readonly usesHttpClient?: boolean;
};

export type Latency = { readonly p50: number; readonly p99: number; readonly max: number };

/** The measurements of one window. Latencies are in milliseconds, from when a request was due, even if it was sent later. */
export type LoadResult = {
  readonly responses: number;
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly latency: Latency;
  readonly latencies: Readonly<Record<string, Latency>>;
  /** Delay of the generator itself, in milliseconds at the 99th percentile. */
  readonly generatorDelay: number;
};
