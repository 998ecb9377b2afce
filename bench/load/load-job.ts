/** One kind of request. */
export type Target = {
  readonly name: string;
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly key: string;
  /** Sent in turn. */
  readonly bodies?: readonly string[];
  /** Asks for an answer that is made anew, whatever the server has cached. */
  readonly isUncached?: true;
  /** How often it is chosen among the others of a mix. */
  readonly weight: number;
};

export type Job = {
  readonly port: number;
  /** The server, whose CPU is read at both ends of the window. */
  readonly pid: number;
  readonly targets: readonly Target[];
  readonly connections: number;
  readonly warmSeconds: number;
  readonly seconds: number;
  /** Requests a second at random (Poisson) times, whatever the answers take; without it each connection asks again once answered. */
  readonly rate?: number;
  /** Sends through Node's HTTP client, as programs do, instead of writing ready bytes to sockets. */
  readonly isOrdinaryClient?: boolean;
};

export type Latency = { readonly p50: number; readonly p99: number; readonly max: number };

/** What one window showed. Latencies are milliseconds from when a request was due, not from when it could be sent. */
export type Outcome = {
  readonly answers: number;
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly latency: Latency;
  readonly latencies: Readonly<Record<string, Latency>>;
  /** How late the generator itself was at the 99th percentile, in milliseconds. */
  readonly lateness: number;
};
