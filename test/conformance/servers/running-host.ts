// The interface of servers in the suite: starts a server for a built site, and stops it.

/** A built site: absolute paths of the output folder, and of the folder with a subfolder for each host. */
export interface BuiltSite {
  readonly dist: string;
  readonly hosts: string;
}

export interface RunningHost {
  /** For example `http://127.0.0.1:20123`. */
  readonly origin: string;
  /** Stops the server, and resolves when its process has ended and its files are removed. */
  stop(): Promise<void>;
}

export interface ConformanceServer {
  /** Name of the host, as in `build --host`. */
  readonly name: string;
  /** Resolves when the server responds; rejects with the server's output if it fails to start. */
  start(site: BuiltSite): Promise<RunningHost>;
}
