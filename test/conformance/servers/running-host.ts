// What the suite knows of a server: how to start it on a built site, where it answers, and how to stop it.

/** A built site: its output folder and the folder beside it with a folder per host, both as absolute paths. */
export interface BuiltSite {
  readonly dist: string;
  readonly hosts: string;
}

export interface RunningHost {
  /** Such as `http://127.0.0.1:20123`. */
  readonly origin: string;
  /** Resolves when nothing of it is left. */
  stop(): Promise<void>;
}

export interface ConformanceServer {
  /** As `build --host` names it. */
  readonly name: string;
  /** Resolves when it answers; rejects with the server's own words when it does not. */
  start(site: BuiltSite): Promise<RunningHost>;
}
